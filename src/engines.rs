//! `cardiograph engines`: lists engines and simulated drives.

use cardiograph_core::message;
use cardiograph_engine::ENGINES;
use cardiograph_engine::sim::{DriveModel, MODELS};

use crate::exit::{DONE, Failure};
use crate::screen::{Screen, hanging};

pub fn run(screen: &Screen) -> Result<u8, Failure> {
    let width = ENGINES.iter().map(|entry| entry.name.len()).max().unwrap_or(0);
    let language = screen.language();
    let mut lines = vec![language.text(&message!("list-engines"))];
    for entry in ENGINES {
        lines.push(hanging(&format!("  {:<width$}  ", entry.name), &language.text(entry.summary)));
        if let Err(unavailable) = (entry.probe)() {
            let missing = match entry.fallback {
                Some(name) => message!("list-engines-missing.instead", reason = unavailable, engine = name),
                None => message!("list-engines-missing", reason = unavailable),
            };
            lines.push(hanging(&format!("  {:<width$}  ", ""), &language.text(&missing)));
        }
    }
    lines.push(String::new());
    lines.push(language.text(&message!("list-engines-drives")));
    let width = MODELS.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, _) in MODELS {
        let title = DriveModel::named(name).map(|model| model.title.clone()).unwrap_or_default();
        lines.push(hanging(&format!("  {name:<width$}  "), &title));
    }
    screen.say(&lines.join("\n"));
    Ok(DONE)
}
