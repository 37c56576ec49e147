//! Consent to overwrite a device: from the command line, the environment, or the user at the terminal.

use cardiograph_catalogue::Language;
use cardiograph_checkup::consent::VARIABLE;
use cardiograph_core::message;

use crate::exit::Failure;
use crate::screen;

/// Attempts what may need consent, with the ids that were `given` and those of the environment. If an id is missing, asks the user
/// at the terminal for it, and tries again; without a terminal, or with another answer, returns the failure.
pub fn with_consent<T>(
    given: &[String],
    language: Language,
    mut attempt: impl FnMut(&[String]) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let variable = std::env::var(VARIABLE).unwrap_or_default();
    let in_variable = variable.split(',').map(str::trim).filter(|id| !id.is_empty()).map(str::to_string);
    let mut ids: Vec<String> = given.iter().cloned().chain(in_variable).collect();
    loop {
        let failure = match attempt(&ids) {
            Err(failure) if failure.needs.is_some() => failure,
            done => return done,
        };
        let Some(needs) = &failure.needs else { return Err(failure) };
        let prompt = message!("consent-prompt", id = &needs.id);
        let question = format!("{}\n{} ", language.text(&needs.question), language.text(&prompt));
        if screen::ask(&question).is_none_or(|answer| answer != needs.id) {
            return Err(failure);
        }
        ids.push(needs.id.clone());
    }
}
