//! The language set in the user's environment.

use crate::Language;

/// Variables with the language; the first nonempty one decides (POSIX, "Environment Variables").
const VARIABLES: [&str; 3] = ["LC_ALL", "LC_MESSAGES", "LANG"];

/// The language of the environment, read by `variable`; English if it is unknown.
pub fn from_environment(variable: impl Fn(&str) -> Option<String>) -> Language {
    let locale = VARIABLES.into_iter().filter_map(variable).find(|locale| !locale.is_empty());
    let code = |locale: String| locale.split(['_', '.', '@']).next().unwrap_or_default().to_ascii_lowercase();
    locale.and_then(|locale| code(locale).parse().ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_nonempty_variable_decides() {
        let cases: [(&[(&str, &str)], Language); 8] = [
            (&[], Language::EN),
            (&[("LANG", "ja_JP.UTF-8")], Language::JA),
            (&[("LANG", "ja")], Language::JA),
            (&[("LANG", "de_DE.UTF-8")], Language::EN),
            (&[("LANG", "ja_JP.UTF-8"), ("LC_ALL", "C")], Language::EN),
            (&[("LANG", "ja_JP.UTF-8"), ("LC_ALL", "")], Language::JA),
            (&[("LANG", "en_US.UTF-8"), ("LC_MESSAGES", "ja_JP.eucJP")], Language::JA),
            (&[("LC_MESSAGES", "ja_JP@old"), ("LC_ALL", "POSIX")], Language::EN),
        ];
        for (variables, language) in cases {
            let read = |name: &str| {
                variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.to_string())
            };
            assert_eq!(from_environment(read), language, "{variables:?}");
        }
    }
}
