//! Settings of single suites: `check --suite sweep --set bs=4k,64k`.

use std::collections::BTreeMap;

use cardiograph_core::message::Parameter;
use cardiograph_core::nearest::{is_same, suggestion};
use cardiograph_core::text::shown;
use cardiograph_core::{MIB, Message, NS_PER_S, message};
use cardiograph_jobs::value::{parse_bytes, parse_duration_ns};

/// One setting of a suite.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    /// Its name on the command line.
    pub name: &'static str,
    /// Its help, one line.
    pub help: &'static Message,
    /// The kind of its value.
    pub kind: SettingKind,
    /// Its default value as text; empty if there is none.
    pub default: &'static str,
}

impl Setting {
    pub(crate) const fn new(
        name: &'static str,
        help: &'static Message,
        kind: SettingKind,
        default: &'static str,
    ) -> Self {
        Self { name, help, kind, default }
    }

    /// How it is written, with its help.
    pub fn message(&self) -> Message {
        let (name, form, help) = (self.name, self.kind.form(), self.help.clone());
        match self.default {
            "" => message!("list-suites-setting", name, form, help),
            default => message!("list-suites-setting.default", name, form, help, default),
        }
    }
}

/// The kind of a setting's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettingKind {
    /// A size, such as `64M`.
    Bytes,
    /// A time, such as `30s`.
    Time,
    /// A whole number, at least 1.
    Count,
    /// A whole number in a range.
    CountIn {
        /// The least.
        least: u64,
        /// The most.
        most: u64,
    },
    /// A size in whole MiB in a range.
    MibIn {
        /// The least, a multiple of 1 MiB.
        least_bytes: u64,
        /// The most, a multiple of 1 MiB.
        most_bytes: u64,
    },
    /// One of these words.
    Choice(&'static [&'static str]),
    /// Values separated by commas; the suite checks them.
    List,
}

impl SettingKind {
    /// The placeholder of a value in help.
    pub fn form(self) -> String {
        match self {
            SettingKind::Bytes | SettingKind::MibIn { .. } => "SIZE".to_string(),
            SettingKind::Time => "TIME".to_string(),
            SettingKind::Count | SettingKind::CountIn { .. } => "NUMBER".to_string(),
            SettingKind::Choice(words) => words.join("|"),
            SettingKind::List => "A,B,...".to_string(),
        }
    }

    /// Checks a value of the setting `setting`.
    fn check(self, setting: &str, value: &str) -> Result<(), Message> {
        let given = shown(value);
        let bytes = parse_bytes(value);
        match self {
            SettingKind::Bytes => match bytes {
                Ok(0) => Err(message!("setting-wrong.zero", setting, value = given)),
                Ok(_) => Ok(()),
                Err(_) => Err(message!("setting-wrong.size", setting, value = given)),
            },
            SettingKind::Time => match parse_duration_ns(value, NS_PER_S) {
                Ok(0) => Err(message!("setting-wrong.zero", setting, value = given)),
                Ok(_) => Ok(()),
                Err(_) => Err(message!("setting-wrong.time", setting, value = given)),
            },
            SettingKind::Count => match value.parse::<u64>() {
                Ok(1..) => Ok(()),
                _ => Err(message!("setting-wrong.count", setting, value = given)),
            },
            SettingKind::CountIn { least, most } => match value.parse::<u64>() {
                Ok(count) if (least..=most).contains(&count) => Ok(()),
                _ => Err(message!("setting-wrong.range", setting, value = given, least, most)),
            },
            SettingKind::MibIn { least_bytes, most_bytes } => match bytes {
                Ok(bytes) if (least_bytes..=most_bytes).contains(&bytes) && bytes.is_multiple_of(MIB) => {
                    Ok(())
                }
                Ok(_) => Err(message!(
                    "setting-wrong.whole-mib",
                    setting,
                    value = given,
                    least = Parameter::Bytes(least_bytes),
                    most = Parameter::Bytes(most_bytes)
                )),
                Err(_) => Err(message!("setting-wrong.size", setting, value = given)),
            },
            SettingKind::Choice(words) if words.contains(&value) => Ok(()),
            SettingKind::Choice(words) => Err(not_a_choice(setting, value, words)),
            SettingKind::List if value.split(',').all(|item| !item.trim().is_empty()) => Ok(()),
            SettingKind::List => Err(message!("setting-wrong.empty", setting, value = given)),
        }
    }
}

/// Error for a value of the setting `setting` that is not one of the choices.
pub(crate) fn not_a_choice(setting: &str, value: &str, choices: &[&str]) -> Message {
    let choices = Parameter::all(choices.iter().copied());
    message!("setting-wrong.choice", setting, value = shown(value), choices)
}

/// The settings of a suite as a user gave them, checked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Settings {
    given: BTreeMap<String, String>,
}

impl Settings {
    /// No settings.
    pub const NONE: Self = Self { given: BTreeMap::new() };

    /// Checks settings of the suite `suite`, which has the settings `table`. The last value of a setting wins.
    ///
    /// # Errors
    /// A phrase that names the setting and the valid choices.
    pub fn parse(suite: &str, table: &[Setting], given: &[(String, String)]) -> Result<Self, Message> {
        let mut settings = Self::default();
        for (name, value) in given {
            let Some(setting) = table.iter().find(|setting| is_same(name, setting.name)) else {
                let known: Vec<&str> = table.iter().map(|setting| setting.name).collect();
                let hint = suggestion(name, &known);
                return Err(match table {
                    [] => message!("setting-none", suite, setting = shown(name)),
                    _ => message!("setting-unknown", suite, setting = shown(name), hint),
                });
            };
            setting.kind.check(setting.name, value)?;
            settings.given.insert(setting.name.to_string(), value.clone());
        }
        Ok(settings)
    }

    /// The settings as given, to be stored.
    pub fn given(&self) -> &BTreeMap<String, String> {
        &self.given
    }

    /// The effective value, as text; empty if there is none.
    pub fn text<'a>(&'a self, setting: &'a Setting) -> &'a str {
        self.given.get(setting.name).map_or(setting.default, String::as_str)
    }

    /// Whether the user set it, even to its default.
    pub fn is_given(&self, setting: &Setting) -> bool {
        self.given.contains_key(setting.name)
    }

    /// The value of a setting of [`SettingKind::Bytes`] or [`SettingKind::MibIn`], if any.
    pub fn bytes(&self, setting: &Setting) -> Option<u64> {
        parse_bytes(self.text(setting)).ok()
    }

    /// The value of a setting of [`SettingKind::Time`], in nanoseconds, if any.
    pub fn time_ns(&self, setting: &Setting) -> Option<u64> {
        parse_duration_ns(self.text(setting), NS_PER_S).ok()
    }

    /// The value of a setting of [`SettingKind::Count`] or [`SettingKind::CountIn`], if any.
    pub fn count(&self, setting: &Setting) -> Option<u64> {
        self.text(setting).parse().ok()
    }

    /// The items of a setting of [`SettingKind::List`]; empty if there are none.
    pub fn list<'a>(&'a self, setting: &'a Setting) -> Vec<&'a str> {
        let text = self.text(setting);
        if text.is_empty() { Vec::new() } else { text.split(',').map(str::trim).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NO_HELP: &Message = &Message::new(cardiograph_core::message::VERBATIM);
    const SIZE: Setting = Setting::new("size", NO_HELP, SettingKind::Bytes, "1G");
    const IDLE: Setting = Setting::new("idle", NO_HELP, SettingKind::Time, "");
    const ROUNDS: Setting = Setting::new("rounds", NO_HELP, SettingKind::Count, "25");
    const BS: Setting = Setting::new("bs", NO_HELP, SettingKind::List, "");
    const PROOF: Setting = Setting::new("proof", NO_HELP, SettingKind::Choice(&["sample", "full"]), "sample");
    const DEPTH: Setting =
        Setting::new("depth", NO_HELP, SettingKind::CountIn { least: 2, most: 4_096 }, "16");
    const UNIT: Setting =
        Setting::new("unit", NO_HELP, SettingKind::MibIn { least_bytes: MIB, most_bytes: 1 << 30 }, "");
    const TABLE: &[Setting] = &[SIZE, IDLE, ROUNDS, BS, PROOF, DEPTH, UNIT];

    fn parse(words: &[&str]) -> Result<Settings, Message> {
        let pairs = words.iter().filter_map(|word| word.split_once('='));
        let pairs: Vec<_> = pairs.map(|(name, value)| (name.to_string(), value.to_string())).collect();
        Settings::parse("sweep", TABLE, &pairs)
    }

    #[test]
    fn missing_settings_have_their_defaults() {
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
    fn errors_name_the_setting_and_the_choices() {
        let cases = [
            ("size=much", "setting-wrong.size"),
            ("size=0", "setting-wrong.zero"),
            ("idle=0", "setting-wrong.zero"),
            ("idle=soon", "setting-wrong.time"),
            ("rounds=0", "setting-wrong.count"),
            ("rounds=-3", "setting-wrong.count"),
            ("proof=half", "setting-wrong.choice"),
            ("bs=4k,,8k", "setting-wrong.empty"),
            ("depth=1", "setting-wrong.range"),
            ("depth=4097", "setting-wrong.range"),
            ("depth=x", "setting-wrong.range"),
            ("unit=5k", "setting-wrong.whole-mib"),
            ("unit=1500k", "setting-wrong.whole-mib"),
            ("unit=100G", "setting-wrong.whole-mib"),
            ("unit=x", "setting-wrong.size"),
        ];
        for (word, id) in cases {
            let error = parse(&[word]).unwrap_err();
            let (setting, value) = word.split_once('=').unwrap();
            assert_eq!(error.id(), id, "{word}");
            assert_eq!(error.parameter("setting"), Some(&setting.into()));
            assert_eq!(error.parameter("value"), Some(&value.into()));
        }
        let half = parse(&["proof=half"]).unwrap_err();
        assert_eq!(half.parameter("choices"), Some(&Parameter::all(["sample", "full"])));
        let hint = message!("name-meant", meant = "size");
        let unknown = message!("setting-unknown", suite = "sweep", setting = "sise", hint);
        assert_eq!(parse(&["sise=1"]), Err(unknown));
        let bare = Settings::parse("quick", &[], &[("a".to_string(), "b".to_string())]);
        assert_eq!(bare, Err(message!("setting-none", suite = "quick", setting = "a")));
    }
}
