//! The program's options: what to show, and where.

use cardiograph_core::text::shown;
use cardiograph_core::{Message, NS_PER_MS, NS_PER_S, Parameter, message};
use cardiograph_jobs::value::{ValueError, parse_count, parse_duration_ns};

use super::invocation::{EtaWhen, OutputFormats, ProgramOptions};
use super::output::terse::TerseVersion;

/// The shortest interval between progress lines in nanoseconds (fio's).
const ETA_INTERVAL_NS_MIN: u64 = 250 * NS_PER_MS;
/// The shortest interval between statistics in nanoseconds (fio's).
const STATUS_INTERVAL_NS_MIN: u64 = NS_PER_MS;

/// Whether an option has a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Argument {
    None,
    /// Only after `=`, or directly after the letter of a short option.
    Optional,
    Required,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Effect {
    /// Handled by [`ProgramOption::apply`] by name.
    Works,
    /// A number without effect here.
    IgnoredCount(&'static Message),
    /// Not supported here.
    Refused(&'static Message),
}

/// An option of the program.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ProgramOption {
    pub(crate) name: &'static str,
    /// Its letter as a short option.
    pub(crate) letter: Option<char>,
    pub(crate) argument: Argument,
    effect: Effect,
}

const fn option(name: &'static str, letter: char, argument: Argument) -> ProgramOption {
    ProgramOption { name, letter: Some(letter), argument, effect: Effect::Works }
}

const fn refused(
    name: &'static str,
    letter: char,
    argument: Argument,
    why: &'static Message,
) -> ProgramOption {
    ProgramOption { effect: Effect::Refused(why), ..option(name, letter, argument) }
}

const fn ignored(name: &'static str, letter: char, why: &'static Message) -> ProgramOption {
    ProgramOption { effect: Effect::IgnoredCount(why), ..option(name, letter, Argument::Required) }
}

const NETWORK: &Message = &message!("fio-program.network");
const TRIGGERS: &Message = &message!("fio-program.triggers");
const CHECKS: &Message = &message!("fio-program.checks");

/// All options of the program, with fio's letters.
pub(crate) const PROGRAM_OPTIONS: &[ProgramOption] = &[
    option("output", 'o', Argument::Required),
    option("output-format", 'F', Argument::Required),
    option("minimal", 'm', Argument::None),
    option("append-terse", 'f', Argument::Optional),
    option("terse-version", 'V', Argument::Required),
    option("eta", 'e', Argument::Required),
    option("eta-newline", 'E', Argument::Required),
    option("eta-interval", 'O', Argument::Required),
    option("status-interval", 'L', Argument::Required),
    option("section", 'x', Argument::Required),
    option("readonly", 'r', Argument::None),
    option("parse-only", 'P', Argument::None),
    option("showcmd", 's', Argument::None),
    option("version", 'v', Argument::None),
    option("help", 'h', Argument::None),
    option("cmdhelp", 'c', Argument::Optional),
    option("enghelp", 'i', Argument::Optional),
    refused("bandwidth-log", 'b', Argument::Optional, const { &message!("fio-program.bandwidth-log") }),
    option("warnings-fatal", 'w', Argument::None),
    ProgramOption { letter: None, ..option("allow-erase", ' ', Argument::Required) },
    ProgramOption { letter: None, ..option("notes", ' ', Argument::None) },
    ignored("max-jobs", 'j', const { &message!("fio-program.max-jobs") }),
    ignored("alloc-size", 'a', const { &message!("fio-program.alloc-size") }),
    refused("debug", 'd', Argument::Required, const { &message!("fio-program.debug") }),
    refused("latency-log", 'l', Argument::Required, const { &message!("fio-program.latency-log") }),
    refused("idle-prof", 'I', Argument::Required, const { &message!("fio-program.idle-prof") }),
    refused("inflate-log", 'X', Argument::Required, const { &message!("fio-program.inflate-log") }),
    refused("aux-path", 'K', Argument::Required, const { &message!("fio-program.aux-path") }),
    refused("profile", 'p', Argument::Required, const { &message!("fio-program.profile") }),
    refused("merge-blktrace-only", 'A', Argument::None, const { &message!("fio-program.merge-blktrace") }),
    refused("server", 'S', Argument::Optional, NETWORK),
    refused("daemonize", 'D', Argument::Required, NETWORK),
    refused("client", 'C', Argument::Required, NETWORK),
    refused("remote-config", 'R', Argument::Required, NETWORK),
    refused("trigger-file", 'W', Argument::Required, TRIGGERS),
    refused("trigger-timeout", 'B', Argument::Required, TRIGGERS),
    refused("trigger", 'H', Argument::Required, TRIGGERS),
    refused("trigger-remote", 'J', Argument::Required, TRIGGERS),
    refused("cpuclock-test", 'T', Argument::None, CHECKS),
    refused("crctest", 'G', Argument::Optional, CHECKS),
    refused("memcpytest", 'M', Argument::Optional, CHECKS),
];

/// Names of the program's options, and whether each takes a value.
pub fn program_options() -> impl Iterator<Item = (&'static str, bool)> {
    PROGRAM_OPTIONS.iter().map(|option| (option.name, option.argument != Argument::None))
}

impl ProgramOption {
    /// The option with this letter.
    pub(crate) fn by_letter(letter: char) -> Option<&'static Self> {
        PROGRAM_OPTIONS.iter().find(|option| option.letter == Some(letter))
    }

    /// Applies the option; `value` is empty if missing.
    ///
    /// # Errors
    /// If the value is invalid or the option is not supported.
    pub(crate) fn apply(
        &self,
        value: &str,
        options: &mut ProgramOptions,
    ) -> Result<Option<Message>, Message> {
        match self.effect {
            Effect::Works => {}
            Effect::IgnoredCount(why) => {
                parse_count(value).map_err(|error| self.bad_value(value, error.message()))?;
                return Ok(Some(message!(
                    "fio-option.ignored",
                    option = self.written(),
                    reason = why.clone()
                )));
            }
            Effect::Refused(why) => {
                return Err(message!("fio-option.refused", option = self.written(), reason = why.clone()));
            }
        }
        match self.name {
            "output" => options.output = Some(value.to_string()),
            "output-format" => options.formats = self.output_formats(value)?,
            "minimal" => options.formats = OutputFormats { terse: true, ..OutputFormats::NONE },
            "append-terse" => options.formats.terse = true,
            "terse-version" => {
                let known = (2..=5).find(|known: &u64| known.to_string() == value);
                let known = known.and_then(TerseVersion::from_number);
                options.terse_version =
                    known.ok_or_else(|| self.unknown_word(value, &["2", "3", "4", "5"]))?;
            }
            "eta" => {
                options.eta = match value {
                    "auto" => EtaWhen::Auto,
                    "always" => EtaWhen::Always,
                    "never" => EtaWhen::Never,
                    _ => return Err(self.unknown_word(value, &["always", "never", "auto"])),
                }
            }
            "eta-newline" => options.eta_newline_ns = Some(self.time_ns(value, 0)?),
            "eta-interval" => options.eta_interval_ns = Some(self.time_ns(value, ETA_INTERVAL_NS_MIN)?),
            "status-interval" => {
                options.status_interval_ns = Some(self.time_ns(value, STATUS_INTERVAL_NS_MIN)?);
            }
            "section" if value.starts_with(super::GLOBAL) => {
                return Err(message!("fio-value.global-section", section = shown(value)));
            }
            "section" => options.sections.push(value.to_string()),
            "readonly" => options.readonly = true,
            "parse-only" => options.parse_only = true,
            "showcmd" => options.showcmd = true,
            "version" => options.version = true,
            "help" => options.help = true,
            "cmdhelp" => {
                options.cmdhelp = Some(if value.is_empty() { "all" } else { value }.to_string());
            }
            "enghelp" => options.enghelp = Some(value.to_string()),
            "warnings-fatal" => options.warnings_fatal = true,
            "notes" => options.notes = true,
            "allow-erase" => options.allow_erase.push(value.to_string()),
            name => unreachable!("--{name} has no effect"),
        }
        Ok(None)
    }

    /// Its name as written.
    fn written(&self) -> String {
        format!("--{}", self.name)
    }

    fn setting(&self, value: &str) -> String {
        format!("--{}={}", self.name, shown(value))
    }

    fn bad_value(&self, value: &str, problem: Message) -> Message {
        message!("jobs-problem.bad-value", setting = self.setting(value), problem)
    }

    fn unknown_word(&self, value: &str, words: &[&'static str]) -> Message {
        self.bad_value(value, ValueError::UnknownWord { allowed: words.to_vec() }.message())
    }

    /// A time of at least `min_ns`; in seconds without a unit.
    fn time_ns(&self, value: &str, min_ns: u64) -> Result<u64, Message> {
        match parse_duration_ns(value, NS_PER_S) {
            Ok(ns) if ns < min_ns => {
                let limit = Parameter::DurationNs(min_ns);
                Err(self.bad_value(value, message!("fio-value.shorter-than", limit)))
            }
            Ok(ns) => Ok(ns),
            Err(error) => {
                let (setting, example) = (self.setting(value), message!("fio-value.example-of-time"));
                let problem = error.message();
                Err(message!("jobs-problem.bad-value-example", setting, problem, example))
            }
        }
    }

    fn output_formats(&self, value: &str) -> Result<OutputFormats, Message> {
        let mut formats = OutputFormats::NONE;
        for word in value.split(',') {
            match word {
                "normal" => formats.normal = true,
                "terse" | "minimal" | "csv" => formats.terse = true,
                "json" => formats.json = true,
                "json+" => formats.json_plus = true,
                _ => {
                    let formats = Parameter::all(["normal", "terse", "json", "json+"]);
                    return Err(self.bad_value(value, message!("fio-value.unknown-format", formats)));
                }
            }
        }
        Ok(formats)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_option_has_an_effect_or_a_reason() {
        for option in PROGRAM_OPTIONS {
            for value in ["1", "3", "io", "system", "never", "json", ""] {
                let _ = option.apply(value, &mut ProgramOptions::default());
            }
        }
    }

    fn apply(words: &[(&str, &str)]) -> Result<ProgramOptions, Message> {
        let mut options = ProgramOptions::default();
        for (name, value) in words {
            let option = PROGRAM_OPTIONS.iter().find(|option| option.name == *name).expect("it is there");
            option.apply(value, &mut options)?;
        }
        Ok(options)
    }

    #[test]
    fn names_and_letters_are_unique() {
        let mut names: Vec<_> = PROGRAM_OPTIONS.iter().map(|option| option.name).collect();
        let mut letters: Vec<_> = PROGRAM_OPTIONS.iter().filter_map(|option| option.letter).collect();
        let counts = (names.len(), letters.len());
        names.sort_unstable();
        names.dedup();
        letters.sort_unstable();
        letters.dedup();
        assert_eq!((names.len(), letters.len()), counts);
    }

    #[test]
    fn formats_add_up_within_one_option_and_start_over_in_the_next() {
        let formats = |words: &[(&str, &str)]| {
            let OutputFormats { normal, terse, json, json_plus } = apply(words).unwrap().formats;
            [normal, terse, json, json_plus].map(u8::from)
        };
        let format = "output-format";
        assert_eq!(formats(&[]), [1, 0, 0, 0]);
        assert_eq!(formats(&[(format, "json,terse")]), [0, 1, 1, 0]);
        assert_eq!(formats(&[(format, "json+,normal,normal,csv")]), [1, 1, 0, 1]);
        assert_eq!(formats(&[(format, "json"), (format, "normal")]), [1, 0, 0, 0]);
        assert_eq!(formats(&[(format, "json"), ("minimal", "")]), [0, 1, 0, 0]);
        assert_eq!(formats(&[("minimal", ""), (format, "json")]), [0, 0, 1, 0]);
        assert_eq!(formats(&[("append-terse", "")]), [1, 1, 0, 0]);
    }

    #[test]
    fn values_are_kept() {
        let options = apply(&[
            ("output", "o.txt"),
            ("terse-version", "5"),
            ("eta", "never"),
            ("eta-newline", "500ms"),
            ("eta-interval", "2"),
            ("status-interval", "1m"),
            ("section", "a"),
            ("section", "b"),
            ("cmdhelp", ""),
            ("enghelp", ""),
            ("allow-erase", "S1"),
        ])
        .unwrap();
        assert_eq!(options.output.as_deref(), Some("o.txt"));
        assert_eq!((options.terse_version, options.eta), (TerseVersion::V5, EtaWhen::Never));
        assert_eq!(options.eta_newline_ns, Some(500 * NS_PER_MS));
        assert_eq!(options.eta_interval_ns, Some(2 * NS_PER_S));
        assert_eq!(options.status_interval_ns, Some(60 * NS_PER_S));
        assert_eq!(options.sections, ["a", "b"]);
        assert_eq!((options.cmdhelp.as_deref(), options.enghelp.as_deref()), (Some("all"), Some("")));
        assert_eq!(options.allow_erase, ["S1"]);
    }

    #[test]
    fn bad_values_are_refused() {
        let cases = [
            ("terse-version", "1"),
            ("terse-version", "6"),
            ("terse-version", ""),
            ("eta", "foo"),
            ("eta-newline", "x"),
            ("eta-interval", "249ms"),
            ("status-interval", "0"),
            ("status-interval", "100us"),
            ("output-format", "foo"),
            ("output-format", ""),
            ("output-format", "json,"),
            ("output-format", "json, terse"),
            ("output-format", "JSON"),
            ("max-jobs", "x"),
            ("alloc-size", "1e4"),
            ("section", "global"),
            ("client", "host"),
            ("debug", "io"),
            ("bandwidth-log", ""),
            ("idle-prof", "system"),
        ];
        for (name, value) in cases {
            assert!(apply(&[(name, value)]).is_err(), "{name}={value}");
        }
        assert_eq!(apply(&[("eta-interval", "250ms")]).unwrap().eta_interval_ns, Some(250 * NS_PER_MS));
        assert_eq!(apply(&[("status-interval", "1ms")]).unwrap().status_interval_ns, Some(NS_PER_MS));
    }
}
