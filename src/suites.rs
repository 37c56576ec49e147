//! `cardiograph suites`: lists suites, applications and purposes.

use cardiograph_apps::LOADS;
use cardiograph_core::message;
use cardiograph_judge::purpose::Purpose;
use cardiograph_judge::rules::PURPOSES;
use cardiograph_render::lang::Lang;
use cardiograph_suites::{Group, SUITES, Settings, Suite};

use crate::exit::{DONE, Failure};
use crate::help::joined_names;
use crate::screen::{Screen, hanging};

pub fn run(screen: &Screen) -> Result<u8, Failure> {
    let (lang, mut lines) = (screen.language(), Vec::new());
    for group in Group::ALL {
        lines.push(lang.text(&message!("list-suites", group = group.title())));
        SUITES
            .iter()
            .filter(|suite| suite.traits(&Settings::default()).group == group)
            .for_each(|suite| push_suite(*suite, lang, &mut lines));
        lines.push(String::new());
    }
    lines.push(lang.text(&message!("list-suites-apps")));
    for load in LOADS {
        lines.push(format!("  {}", load.name));
        lines.push(hanging("      ", &lang.text(&load.summary)));
    }
    lines.push(String::new());
    lines.push(lang.text(&message!("list-suites-purposes")));
    let width = PURPOSES.iter().map(|purpose| purpose.id.len()).max().unwrap_or(0);
    let purpose =
        |purpose: &Purpose| hanging(&format!("  {:<width$}  ", purpose.id), &lang.text(&purpose.title));
    lines.extend(PURPOSES.iter().map(purpose));
    screen.say(&lines.join("\n"));
    Ok(DONE)
}

/// Adds the name, summary and settings of a suite.
fn push_suite(suite: &dyn Suite, lang: Lang, lines: &mut Vec<String>) {
    let name = match suite.name() {
        name if name == cardiograph_suites::DEFAULT => {
            lang.text(&message!("list-suites-default", suite = name))
        }
        name => name.to_string(),
    };
    lines.push(format!("  {name}"));
    lines.push(hanging("      ", &lang.text(&suite.summary())));
    lines.extend(suite.remarks().iter().map(|remark| hanging("      ", &lang.text(remark))));
    for setting in suite.settings() {
        let help = setting.help.clone();
        let help = match setting.default {
            "" => help,
            default => message!("list-suites-setting", help = help, default = default),
        };
        let form = format!("      --set {}={}  ", setting.name, setting.kind.form());
        lines.push(hanging(&form, &lang.text(&help)));
    }
    let claims = suite.claim_ids();
    if !claims.is_empty() {
        let claims = message!("list-suites-claims", claims = joined_names(claims));
        lines.push(hanging("      --require claim:ID  ", &lang.text(&claims)));
    }
}
