//! `cardiograph suites`: what there is to run, and what it is judged for.

use cardiograph_apps::LOADS;
use cardiograph_judge::purpose::Purpose;
use cardiograph_judge::rules::PURPOSES;
use cardiograph_render::lang::Lang;
use cardiograph_suites::{Group, SUITES, Settings, Suite};

use crate::exit::{DONE, Failure};
use crate::screen::{Screen, hanging};

/// Lists suites and purposes.
pub fn run(screen: &Screen) -> Result<u8, Failure> {
    let mut lines = Vec::new();
    for group in Group::ALL {
        lines.push(format!("{} (check --suite NAME):", screen.language().text(&group.title())));
        SUITES
            .iter()
            .filter(|suite| suite.traits(&Settings::default()).group == group)
            .for_each(|suite| list(*suite, &mut lines));
        lines.push(String::new());
    }
    lines.push("Applications (check --suite apps --set load=NAME,...):".to_string());
    for load in LOADS {
        lines.push(format!("  {}", load.name));
        lines.push(hanging("      ", load.summary));
    }
    lines.push(String::new());
    lines.push("Purposes (check --require PURPOSE):".to_string());
    let width = PURPOSES.iter().map(|purpose| purpose.id.len()).max().unwrap_or(0);
    let purpose =
        |purpose: &Purpose| hanging(&format!("  {:<width$}  ", purpose.id), &Lang::En.text(&purpose.title));
    lines.extend(PURPOSES.iter().map(purpose));
    screen.say(&lines.join("\n"));
    Ok(DONE)
}

/// Name, summary and settings of a suite.
fn list(suite: &dyn Suite, lines: &mut Vec<String>) {
    let mark = if suite.name() == cardiograph_suites::DEFAULT { " (default)" } else { "" };
    lines.push(format!("  {}{mark}", suite.name()));
    lines.push(hanging("      ", &Lang::En.text(&suite.summary())));
    for setting in suite.settings() {
        let default =
            if setting.default.is_empty() { String::new() } else { format!(" [{}]", setting.default) };
        let form = format!("      --set {}={}  ", setting.name, setting.kind.form());
        lines.push(hanging(&form, &format!("{}{default}", Lang::En.text(setting.help))));
    }
    if let claims @ [_, ..] = &suite.claim_ids()[..] {
        lines.push(hanging(
            "      --require claim:ID  ",
            &format!("exit with 1 unless it is kept: {}", claims.join(", ")),
        ));
    }
}
