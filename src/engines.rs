//! `cardiograph engines`: what executes I/O here, and what cannot.

use cardiograph_engine::ENGINES;
use cardiograph_engine::sim::{DriveModel, MODELS};

use crate::exit::{DONE, Failure};
use crate::screen::{Screen, hanging};

/// Lists engines and simulated drives.
pub fn run(screen: &Screen) -> Result<u8, Failure> {
    let width = ENGINES.iter().map(|entry| entry.name.len()).max().unwrap_or(0);
    let mut lines = vec!["Engines:".to_string()];
    for entry in ENGINES {
        lines.push(hanging(&format!("  {:<width$}  ", entry.name), entry.summary()));
        if let Err(unavailable) = (entry.probe)() {
            let instead = entry.fallback.map(|name| format!("; {name} is used instead")).unwrap_or_default();
            let why = format!("not available here: {}{instead}", screen.language().text(&unavailable));
            lines.push(hanging(&format!("  {:<width$}  ", ""), &why));
        }
    }
    lines.push(String::new());
    lines.push("Simulated drives (check --simulate NAME):".to_string());
    let width = MODELS.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, _) in MODELS {
        let title = DriveModel::named(name).map(|model| model.title.clone()).unwrap_or_default();
        lines.push(hanging(&format!("  {name:<width$}  "), &title));
    }
    screen.say(&lines.join("\n"));
    Ok(DONE)
}
