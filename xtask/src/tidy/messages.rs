//! Compares messages in code with the catalogues: each must have a text with the same parameters, and no text
//! may be unused.

use std::collections::BTreeSet;

use super::Problem;
use super::message_use::MessageUse;
use super::source::{Package, Texts};
use cardiograph_catalogue::{Known, Language, known};
use cardiograph_jobs::options::ENGINES;

/// Prefix of ids made from the command line at run time; a test of the program compares them with the
/// catalogues.
const MADE_AT_RUN_TIME: &str = "help-";

/// The table of engines, which makes an id from each name.
const ENGINES_PATH: &str = "crates/jobs/src/options/engine_names.rs";

/// Data files whose texts with an "@" are ids.
const DATA: [(&str, &str); 2] = [
    ("crates/judge/src/purposes.toml", include_str!("../../../crates/judge/src/purposes.toml")),
    ("crates/serve/ui/words.json", include_str!("../../../crates/serve/ui/words.json")),
];

/// The ids of a data file, with their lines.
fn ids_of_data(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let quoted = |(at, line)| str::split(line, '"').skip(1).step_by(2).map(move |text| (at + 1, text));
    text.lines()
        .enumerate()
        .filter(|(_, line)| !line.starts_with('#'))
        .flat_map(quoted)
        .filter_map(|(line, text)| Some((line, text.strip_prefix('@')?)))
}

/// Compares the messages of all packages with the catalogue.
pub fn check(packages: &[Package], problems: &mut Vec<Problem>) {
    let english = known(Language::EN);
    let mut unused: BTreeSet<&String> =
        english.keys().filter(|id| !id.starts_with(MADE_AT_RUN_TIME)).collect();
    for id in ENGINES.iter().map(|engine| engine.summary.id().to_string()) {
        if !unused.remove(&id) {
            let (path, message) = (ENGINES_PATH.to_string(), format!("no catalogue has the message {id}"));
            problems.push(Problem { path, line: 1, message });
        }
    }
    for (path, line, id) in
        DATA.iter().flat_map(|(path, text)| ids_of_data(text).map(move |(line, id)| (path, line, id)))
    {
        unused.remove(&id.to_string());
        if !english.contains_key(id) {
            let message = format!("no catalogue has the message {id}");
            problems.push(Problem { path: path.to_string(), line, message });
        }
    }
    for file in packages.iter().flat_map(|package| &package.files) {
        for found in &file.messages {
            unused.remove(&found.id);
            if let Some(message) = problem(found, &english) {
                problems.push(Problem { path: file.path.clone(), line: found.line, message });
            }
        }
    }
    let texts: Texts =
        Language::EN.sources().iter().map(|&(path, text)| (path.to_string(), text.to_string())).collect();
    for id in unused {
        let (path, line) = find_message(&texts, id);
        problems.push(Problem { path, line, message: format!("no code uses the message {id}") });
    }
}

/// The problem with a message in code, if any.
fn problem(found: &MessageUse, english: &Known) -> Option<String> {
    let MessageUse { id, parameters, .. } = found;
    let listed = |names: &BTreeSet<String>| names.iter().cloned().collect::<Vec<_>>().join(", ");
    match english.get(id) {
        None => Some(format!("no catalogue has the message {id}")),
        Some(known) if known != parameters => Some(format!(
            "the message {id} has the parameters ({}) in the catalogues, ({}) here",
            listed(known),
            listed(parameters)
        )),
        Some(_) => None,
    }
}

/// Path and line of a message or an attribute.
fn find_message(texts: &Texts, id: &str) -> (String, usize) {
    let (message, attribute) = id.split_once('.').map_or((id, None), |(message, name)| (message, Some(name)));
    let found = texts.iter().find_map(|(path, text)| {
        let begins = |line: &str, name: &str| {
            line.strip_prefix(name).is_some_and(|rest| rest.trim_start().starts_with('='))
        };
        let mut lines = text.lines().enumerate();
        let (line, _) = lines.find(|(_, line)| begins(line, message))?;
        let attribute = attribute.map(|name| format!(".{name}"));
        let below = attribute.and_then(|name| lines.find(|(_, line)| begins(line.trim_start(), &name)));
        Some((path, below.map_or(line, |(line, _)| line) + 1))
    });
    found.map_or((String::new(), 0), |(path, line)| (format!("crates/catalogue/locales/{path}"), line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_ids_and_other_parameters_are_problems() {
        let parameters = |names: &[&str]| names.iter().map(|name| name.to_string()).collect::<BTreeSet<_>>();
        let english = Known::from([("a".to_string(), parameters(&["x", "y"]))]);
        let checked = |id: &str, names: &[&str]| {
            problem(&MessageUse { line: 1, id: id.to_string(), parameters: parameters(names) }, &english)
        };
        assert_eq!(checked("a", &["y", "x"]), None);
        assert_eq!(checked("b", &[]).unwrap(), "no catalogue has the message b");
        assert!(checked("a", &["x"]).unwrap().ends_with("(x, y) in the catalogues, (x) here"));
    }

    #[test]
    fn a_message_is_found_in_its_file() {
        let text = "a = one\n    .seen = two\nab =\n    three\n    .seen = four\n";
        let texts = Texts::from([("en/one.ftl".to_string(), text.to_string())]);
        for (id, line) in [("a", 1), ("a.seen", 2), ("ab", 3), ("ab.seen", 5)] {
            assert_eq!(find_message(&texts, id), ("crates/catalogue/locales/en/one.ftl".to_string(), line));
        }
    }
}
