//! Whose word it takes to destroy what is on a device: the command line's, the environment's, or that of whoever sits
//! at the terminal.

use cardiograph_catalogue::Language;
use cardiograph_checkup::consent::VARIABLE;
use cardiograph_core::message;

use crate::exit::Failure;
use crate::screen;

/// Does something for which consent may be needed, with the ids that were `given` and those of the environment. Where an id
/// lacks, whoever sits at a terminal is asked for it, in a language; without a terminal, or with another answer, nothing is given.
pub fn with_consent<T>(
    given: &[String],
    language: Language,
    mut attempt: impl FnMut(&[String]) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let variable = std::env::var(VARIABLE).unwrap_or_default();
    let of_variable = variable.split(',').map(str::trim).filter(|id| !id.is_empty()).map(str::to_string);
    let mut ids: Vec<String> = given.iter().cloned().chain(of_variable).collect();
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
