//! `cardiograph suites`: what there is to run, and what it is judged for.

use cardiograph_suites::SUITES;
use cardiograph_suites::purposes::Purpose;
use cardiograph_suites::rules::PURPOSES;

use crate::exit::{DONE, Failure};
use crate::screen::{Screen, hanging};

/// Lists suites and purposes.
pub fn run(screen: &Screen) -> Result<u8, Failure> {
    let mut lines = vec!["Suites (check --suite NAME):".to_string()];
    for suite in SUITES {
        let mark = if suite.name() == cardiograph_suites::DEFAULT { " (default)" } else { "" };
        lines.push(format!("  {}{mark}", suite.name()));
        lines.push(hanging("      ", suite.summary()));
        for setting in suite.settings() {
            let default =
                if setting.default.is_empty() { String::new() } else { format!(" [{}]", setting.default) };
            let form = format!("      --set {}={}  ", setting.name, setting.kind.form());
            lines.push(hanging(&form, &format!("{}{default}", setting.help)));
        }
    }
    lines.push(String::new());
    lines.push("Purposes (check --require PURPOSE):".to_string());
    let width = PURPOSES.iter().map(|purpose| purpose.id.len()).max().unwrap_or(0);
    let purpose = |purpose: &Purpose| hanging(&format!("  {:<width$}  ", purpose.id), purpose.title);
    lines.extend(PURPOSES.iter().map(purpose));
    screen.say(&lines.join("\n"));
    Ok(DONE)
}
