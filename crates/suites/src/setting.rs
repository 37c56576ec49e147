//! What a user can set of a suite, beyond what all suites know: `check --suite sweep --set bs=4k,64k`.

use std::collections::BTreeMap;

use cardiograph_core::text::shown;
use cardiograph_core::units;
use cardiograph_core::{MIB, NS_PER_S};
use cardiograph_jobs::value::{parse_bytes, parse_duration_ns};

use crate::text;

/// One setting of a suite.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    /// Its name, as it is typed.
    pub name: &'static str,
    /// What it does, in a line.
    pub help: &'static str,
    /// What its value must be.
    pub kind: SettingKind,
    /// Its value when it is not set, in the same form; empty when there is none.
    pub default: &'static str,
}

impl Setting {
    pub(crate) const fn new(
        name: &'static str,
        help: &'static str,
        kind: SettingKind,
        default: &'static str,
    ) -> Self {
        Self { name, help, kind, default }
    }
}

/// What the value of a setting must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettingKind {
    /// A size, as `64M`.
    Bytes,
    /// A time, as `30s`.
    Time,
    /// A whole number, of at least one.
    Count,
    /// A whole number between two others.
    CountIn {
        /// The least.
        least: u64,
        /// The most.
        most: u64,
        /// Where these are from, in some words; empty where they say it themselves.
        why: &'static str,
    },
    /// A size in whole MiB between two others, in bytes.
    MibIn {
        /// The least, a multiple of 1 MiB.
        least_bytes: u64,
        /// The most, a multiple of 1 MiB.
        most_bytes: u64,
    },
    /// One of these words.
    Choice(&'static [&'static str]),
    /// Values with commas between them; the suite says what each may be.
    List,
}

impl SettingKind {
    /// The form of a value, as help shows it.
    pub fn form(self) -> String {
        match self {
            SettingKind::Bytes | SettingKind::MibIn { .. } => "SIZE".to_string(),
            SettingKind::Time => "TIME".to_string(),
            SettingKind::Count | SettingKind::CountIn { .. } => "NUMBER".to_string(),
            SettingKind::Choice(words) => words.join("|"),
            SettingKind::List => "A,B,...".to_string(),
        }
    }

    fn check(self, value: &str) -> Result<(), String> {
        match self {
            SettingKind::Bytes => match parse_bytes(value) {
                Ok(0) => Err("must be more than nothing".to_string()),
                Ok(_) => Ok(()),
                Err(error) => Err(format!("{error}; write a size as 64M or 2G")),
            },
            SettingKind::Time => match parse_duration_ns(value, NS_PER_S) {
                Ok(0) => Err("must be longer than nothing".to_string()),
                Ok(_) => Ok(()),
                Err(error) => Err(format!("{error}; write a time as 30s or 2m")),
            },
            SettingKind::Count => match value.parse::<u64>() {
                Ok(1..) => Ok(()),
                _ => Err("is not a whole number of at least 1".to_string()),
            },
            SettingKind::CountIn { least, most, why } => match value.parse::<u64>() {
                Ok(count) if (least..=most).contains(&count) => Ok(()),
                _ => {
                    let (most, why) =
                        (units::count(most), if why.is_empty() { String::new() } else { format!(": {why}") });
                    Err(format!("is not a whole number from {least} to {most}{why}"))
                }
            },
            SettingKind::MibIn { least_bytes, most_bytes } => match parse_bytes(value) {
                Ok(bytes) if (least_bytes..=most_bytes).contains(&bytes) && bytes.is_multiple_of(MIB) => {
                    Ok(())
                }
                Ok(_) => {
                    let (least, most) = (text::size(least_bytes), text::size(most_bytes));
                    Err(format!("is not a size from {least} to {most}, in whole MiB"))
                }
                Err(error) => Err(format!("{error}; write a size as 64M or 2G")),
            },
            SettingKind::Choice(words) if words.contains(&value) => Ok(()),
            SettingKind::Choice(words) => Err(format!("is none of: {}", words.join(", "))),
            SettingKind::List if value.split(',').all(|item| !item.trim().is_empty()) => Ok(()),
            SettingKind::List => Err("has an empty item; write values with commas between them".to_string()),
        }
    }
}

/// The settings of a suite as a user gave them, checked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Settings {
    given: BTreeMap<String, String>,
}

impl Settings {
    /// Nothing was set.
    pub const NONE: Self = Self { given: BTreeMap::new() };

    /// Checks what was given for the suite `suite`, which knows `table`. A later value wins over an earlier one.
    ///
    /// # Errors
    /// A sentence that names the setting, and what there is instead.
    pub fn parse(suite: &str, table: &[Setting], given: &[(String, String)]) -> Result<Self, String> {
        let mut settings = Self::default();
        for (name, value) in given {
            let Some(setting) = table.iter().find(|setting| setting.name == name) else {
                let names: Vec<&str> = table.iter().map(|setting| setting.name).collect();
                let known = match names.is_empty() {
                    true => "it has none".to_string(),
                    false => format!("there are: {}", names.join(", ")),
                };
                return Err(format!("the suite {suite} has no setting '{}'; {known}", shown(name)));
            };
            let problem = |problem| format!("--set {name}={}: {problem}", shown(value));
            setting.kind.check(value).map_err(problem)?;
            settings.given.insert(name.clone(), value.clone());
        }
        Ok(settings)
    }

    /// What was given, to be kept.
    pub fn given(&self) -> &BTreeMap<String, String> {
        &self.given
    }

    /// The value that counts, as text; empty when there is none.
    pub fn text<'a>(&'a self, setting: &'a Setting) -> &'a str {
        self.given.get(setting.name).map_or(setting.default, String::as_str)
    }

    /// Whether a user set it, be it to its default.
    pub fn is_given(&self, setting: &Setting) -> bool {
        self.given.contains_key(setting.name)
    }

    /// The value of a setting of [`SettingKind::Bytes`] or [`SettingKind::MibIn`]; `None` when there is none.
    pub fn bytes(&self, setting: &Setting) -> Option<u64> {
        parse_bytes(self.text(setting)).ok()
    }

    /// The value of a setting of [`SettingKind::Time`], in nanoseconds; `None` when there is none.
    pub fn time_ns(&self, setting: &Setting) -> Option<u64> {
        parse_duration_ns(self.text(setting), NS_PER_S).ok()
    }

    /// The value of a setting of [`SettingKind::Count`] or [`SettingKind::CountIn`]; `None` when there is none.
    pub fn count(&self, setting: &Setting) -> Option<u64> {
        self.text(setting).parse().ok()
    }

    /// The items of a setting of [`SettingKind::List`]; empty when there is none.
    pub fn list<'a>(&'a self, setting: &'a Setting) -> Vec<&'a str> {
        let text = self.text(setting);
        if text.is_empty() { Vec::new() } else { text.split(',').map(str::trim).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Setting = Setting::new("size", "", SettingKind::Bytes, "1G");
    const IDLE: Setting = Setting::new("idle", "", SettingKind::Time, "");
    const ROUNDS: Setting = Setting::new("rounds", "", SettingKind::Count, "25");
    const BS: Setting = Setting::new("bs", "", SettingKind::List, "");
    const PROOF: Setting = Setting::new("proof", "", SettingKind::Choice(&["sample", "full"]), "sample");
    const DEPTH: Setting = Setting::new(
        "depth",
        "",
        SettingKind::CountIn { least: 2, most: 4_096, why: "one is no queue" },
        "16",
    );
    const UNIT: Setting =
        Setting::new("unit", "", SettingKind::MibIn { least_bytes: MIB, most_bytes: 1 << 30 }, "");
    const TABLE: &[Setting] = &[SIZE, IDLE, ROUNDS, BS, PROOF, DEPTH, UNIT];

    fn parse(words: &[&str]) -> Result<Settings, String> {
        let pairs = words.iter().filter_map(|word| word.split_once('='));
        let pairs: Vec<_> = pairs.map(|(name, value)| (name.to_string(), value.to_string())).collect();
        Settings::parse("sweep", TABLE, &pairs)
    }

    #[test]
    fn what_is_given_counts_and_defaults_stand_in() {
        let settings = parse(&["size=64M", "idle=2m", "bs=4k, 64k", "rounds=5", "rounds=7"]).unwrap();
        assert_eq!(settings.bytes(&SIZE), Some(64 << 20));
        assert_eq!(settings.time_ns(&IDLE), Some(120 * NS_PER_S));
        assert_eq!(settings.list(&BS), ["4k", "64k"]);
        assert_eq!(settings.count(&ROUNDS), Some(7));
        assert_eq!(settings.text(&PROOF), "sample");
        let none = Settings::default();
        assert_eq!(
            (none.bytes(&SIZE), none.time_ns(&IDLE), none.count(&ROUNDS)),
            (Some(1 << 30), None, Some(25))
        );
        assert!(none.list(&BS).is_empty());
    }

    #[test]
    fn what_is_wrong_is_named_with_what_there_is() {
        let cases = [
            ("sise=1", "no setting 'sise'; there are: size, idle, rounds, bs, proof, depth, unit"),
            ("size=much", "--set size=much:"),
            ("size=0", "more than nothing"),
            ("idle=0", "longer than nothing"),
            ("rounds=0", "at least 1"),
            ("rounds=-3", "at least 1"),
            ("proof=half", "is none of: sample, full"),
            ("bs=4k,,8k", "empty item"),
            ("depth=1", "--set depth=1: is not a whole number from 2 to 4,096: one is no queue"),
            ("depth=4097", "from 2 to 4,096"),
            ("depth=x", "from 2 to 4,096"),
            ("unit=5k", "--set unit=5k: is not a size from 1 MiB to 1.0 GiB, in whole MiB"),
            ("unit=1500k", "in whole MiB"),
            ("unit=100G", "from 1 MiB to 1.0 GiB"),
            ("unit=x", "write a size as"),
        ];
        for (word, message) in cases {
            let error = parse(&[word]).unwrap_err();
            assert!(error.contains(message), "{error}");
        }
        let bare = Settings::parse("quick", &[], &[("a".to_string(), "b".to_string())]);
        assert!(bare.unwrap_err().contains("it has none"));
    }
}
