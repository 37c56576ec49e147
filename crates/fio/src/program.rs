//! The options of the program: what to show, and where.

use cardiograph_core::NS_PER_MS;
use cardiograph_core::NS_PER_S;
use cardiograph_jobs::value::{parse_count, parse_duration_ns};

use super::invocation::{DebugTopics, EtaWhen, IdleProf, OutputFormats, ProgramOptions};
use super::syntax::{Remark, SyntaxProblem};
use crate::diagnostics::value_error;

/// The shortest time between two lines with the time that is left, in nanoseconds (fio's own).
const ETA_INTERVAL_NS_MIN: u64 = 250 * NS_PER_MS;
/// The shortest time between two statistics, in nanoseconds (fio's own).
const STATUS_INTERVAL_NS_MIN: u64 = NS_PER_MS;

/// Whether an option has a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Argument {
    None,
    /// Only behind `=`, or directly behind the letter of a short option.
    Optional,
    Required,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Effect {
    AllowDestroy,
    AppendTerse,
    BandwidthLog,
    CmdHelp,
    Debug,
    EngHelp,
    Eta,
    EtaInterval,
    EtaNewline,
    Help,
    IdleProf,
    Minimal,
    Notes,
    Output,
    OutputFormat,
    ParseOnly,
    Readonly,
    Section,
    ShowCmd,
    StatusInterval,
    TerseVersion,
    Version,
    WarningsFatal,
    /// A number that changes nothing here.
    IgnoredCount(&'static str),
    /// Not to be had here.
    Refused(&'static str),
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

const fn option(name: &'static str, letter: char, argument: Argument, effect: Effect) -> ProgramOption {
    ProgramOption { name, letter: Some(letter), argument, effect }
}

/// What else fio's own `--debug` can tell.
const FIO_TOPICS: [&str; 17] = [
    "process",
    "file",
    "mem",
    "blktrace",
    "verify",
    "diskutil",
    "job",
    "mutex",
    "profile",
    "time",
    "net",
    "rate",
    "compress",
    "steadystate",
    "helperthread",
    "zbd",
    "all",
];

const NETWORK: &str = "runs over several hosts are not there: run it on each host";
const TRIGGERS: &str =
    "commands that a run starts are not there: start it from the script that starts the run";
const CHECKS: &str = "this checks fio's own parts, which are not here";

/// All options of the program, with fio's letters.
pub(crate) const PROGRAM_OPTIONS: &[ProgramOption] = &[
    option("output", 'o', Argument::Required, Effect::Output),
    option("output-format", 'F', Argument::Required, Effect::OutputFormat),
    option("minimal", 'm', Argument::None, Effect::Minimal),
    option("append-terse", 'f', Argument::Optional, Effect::AppendTerse),
    option("terse-version", 'V', Argument::Required, Effect::TerseVersion),
    option("eta", 'e', Argument::Required, Effect::Eta),
    option("eta-newline", 'E', Argument::Required, Effect::EtaNewline),
    option("eta-interval", 'O', Argument::Required, Effect::EtaInterval),
    option("status-interval", 'L', Argument::Required, Effect::StatusInterval),
    option("section", 'x', Argument::Required, Effect::Section),
    option("readonly", 'r', Argument::None, Effect::Readonly),
    option("parse-only", 'P', Argument::None, Effect::ParseOnly),
    option("showcmd", 's', Argument::None, Effect::ShowCmd),
    option("version", 'v', Argument::None, Effect::Version),
    option("help", 'h', Argument::None, Effect::Help),
    option("cmdhelp", 'c', Argument::Optional, Effect::CmdHelp),
    option("enghelp", 'i', Argument::Optional, Effect::EngHelp),
    option("bandwidth-log", 'b', Argument::Optional, Effect::BandwidthLog),
    option("warnings-fatal", 'w', Argument::None, Effect::WarningsFatal),
    ProgramOption {
        name: "allow-destroy",
        letter: None,
        argument: Argument::Required,
        effect: Effect::AllowDestroy,
    },
    ProgramOption { name: "notes", letter: None, argument: Argument::None, effect: Effect::Notes },
    option("max-jobs", 'j', Argument::Required, Effect::IgnoredCount("there is no limit to raise")),
    option("alloc-size", 'a', Argument::Required, Effect::IgnoredCount("there is no pool of memory to size")),
    option("debug", 'd', Argument::Required, Effect::Debug),
    option(
        "latency-log",
        'l',
        Argument::Required,
        Effect::Refused("fio has dropped it too: give the jobs write_lat_log"),
    ),
    option("idle-prof", 'I', Argument::Required, Effect::IdleProf),
    option(
        "inflate-log",
        'X',
        Argument::Required,
        Effect::Refused("compressed logs are neither written nor read"),
    ),
    option(
        "aux-path",
        'K',
        Argument::Required,
        Effect::Refused("state files are written to the working directory: change it before the run"),
    ),
    option(
        "profile",
        'p',
        Argument::Required,
        Effect::Refused("profiles are not there: write their jobs into a job file"),
    ),
    option("merge-blktrace-only", 'A', Argument::None, Effect::Refused("traces are not replayed here")),
    option("server", 'S', Argument::Optional, Effect::Refused(NETWORK)),
    option("daemonize", 'D', Argument::Required, Effect::Refused(NETWORK)),
    option("client", 'C', Argument::Required, Effect::Refused(NETWORK)),
    option("remote-config", 'R', Argument::Required, Effect::Refused(NETWORK)),
    option("trigger-file", 'W', Argument::Required, Effect::Refused(TRIGGERS)),
    option("trigger-timeout", 'B', Argument::Required, Effect::Refused(TRIGGERS)),
    option("trigger", 'H', Argument::Required, Effect::Refused(TRIGGERS)),
    option("trigger-remote", 'J', Argument::Required, Effect::Refused(TRIGGERS)),
    option("cpuclock-test", 'T', Argument::None, Effect::Refused(CHECKS)),
    option("crctest", 'G', Argument::Optional, Effect::Refused(CHECKS)),
    option("memcpytest", 'M', Argument::Optional, Effect::Refused(CHECKS)),
];

/// The names of the options of the program, and whether each takes a value.
pub fn program_options() -> impl Iterator<Item = (&'static str, bool)> {
    PROGRAM_OPTIONS.iter().map(|option| (option.name, option.argument != Argument::None))
}

impl ProgramOption {
    /// The option with this letter.
    pub(crate) fn by_letter(letter: char) -> Option<&'static Self> {
        PROGRAM_OPTIONS.iter().find(|option| option.letter == Some(letter))
    }

    /// Does what the option says; `value` is empty when there is none.
    ///
    /// # Errors
    /// When the value cannot be used, or the option is not to be had here.
    pub(crate) fn apply(
        &self,
        value: &str,
        options: &mut ProgramOptions,
    ) -> Result<Option<Remark>, SyntaxProblem> {
        match self.effect {
            Effect::Output => options.output = Some(value.to_string()),
            Effect::OutputFormat => options.formats = self.output_formats(value)?,
            Effect::Minimal => options.formats = OutputFormats { terse: true, ..OutputFormats::NONE },
            Effect::AppendTerse => options.formats.terse = true,
            Effect::TerseVersion => {
                options.terse_version = match value {
                    "2" => 2,
                    "3" => 3,
                    "4" => 4,
                    "5" => 5,
                    _ => return Err(self.bad_value(value, "expected one of: 2, 3, 4, 5")),
                }
            }
            Effect::Debug => self.debug_topics(value, &mut options.debug)?,
            Effect::Eta => {
                options.eta = match value {
                    "auto" => EtaWhen::Auto,
                    "always" => EtaWhen::Always,
                    "never" => EtaWhen::Never,
                    _ => return Err(self.bad_value(value, "expected one of: always, never, auto")),
                }
            }
            Effect::EtaNewline => options.eta_newline_ns = Some(self.time_ns(value, 0)?),
            Effect::EtaInterval => options.eta_interval_ns = self.time_ns(value, ETA_INTERVAL_NS_MIN)?,
            Effect::StatusInterval => {
                options.status_interval_ns = Some(self.time_ns(value, STATUS_INTERVAL_NS_MIN)?);
            }
            Effect::Section if value.starts_with(super::GLOBAL) => {
                return Err(SyntaxProblem::GlobalSection { name: value.to_string() });
            }
            Effect::Section => options.sections.push(value.to_string()),
            Effect::Readonly => options.readonly = true,
            Effect::ParseOnly => options.parse_only = true,
            Effect::ShowCmd => options.showcmd = true,
            Effect::Version => options.version = true,
            Effect::Help => options.help = true,
            Effect::CmdHelp => {
                options.cmdhelp = Some(if value.is_empty() { "all" } else { value }.to_string());
            }
            Effect::EngHelp => options.enghelp = Some(value.to_string()),
            Effect::BandwidthLog => {
                options.bandwidth_log = Some(if value.is_empty() { "agg" } else { value }.to_string());
            }
            Effect::WarningsFatal => options.warnings_fatal = true,
            Effect::Notes => options.notes = true,
            Effect::IdleProf => options.idle_prof = self.idle_prof(value)?,
            Effect::AllowDestroy => options.allow_destroy.push(value.to_string()),
            Effect::IgnoredCount(why) => {
                parse_count(value).map_err(|error| self.bad_value(value, &value_error(&error)))?;
                return Ok(Some(Remark::Ignored { option: self.name, why }));
            }
            Effect::Refused(why) => return Err(SyntaxProblem::NotHere { option: self.name, why }),
        }
        Ok(None)
    }

    fn bad_value(&self, value: &str, why: &str) -> SyntaxProblem {
        SyntaxProblem::BadValue { option: self.name, value: value.to_string(), why: why.to_string() }
    }

    fn idle_prof(&self, value: &str) -> Result<IdleProf, SyntaxProblem> {
        match value {
            "system" => Ok(IdleProf::System),
            "percpu" => Ok(IdleProf::PerCpu),
            "calibrate" => Err(self.bad_value(
                value,
                "this times fio's own unit of work; idle time is read from the kernel here and needs none: write system or percpu",
            )),
            _ => Err(self.bad_value(value, "expected one of: system, percpu")),
        }
    }

    /// Adds topics: several options, and several words of one, add up.
    fn debug_topics(&self, value: &str, topics: &mut DebugTopics) -> Result<(), SyntaxProblem> {
        for word in value.split(',') {
            match word {
                "parse" => topics.parse = true,
                "io" => topics.io = true,
                "random" => topics.random = true,
                "help" | "?" => topics.help = true,
                _ if FIO_TOPICS.contains(&word) => {
                    return Err(self.bad_value(
                        value,
                        &format!("'{word}' is about fio's own parts, which are not here; there are: parse, io, random"),
                    ));
                }
                _ => return Err(self.bad_value(value, "expected some of: parse, io, random; or help")),
            }
        }
        Ok(())
    }

    /// A time of at least `min_ns`; without a unit it is in seconds.
    fn time_ns(&self, value: &str, min_ns: u64) -> Result<u64, SyntaxProblem> {
        match parse_duration_ns(value, NS_PER_S) {
            Ok(ns) if ns < min_ns => {
                Err(self.bad_value(value, &format!("must be at least {}ms", min_ns / NS_PER_MS)))
            }
            Ok(ns) => Ok(ns),
            Err(error) => {
                let error = value_error(&error);
                Err(self.bad_value(value, &format!("{error}; write a time such as 1, 500ms or 2m")))
            }
        }
    }

    fn output_formats(&self, value: &str) -> Result<OutputFormats, SyntaxProblem> {
        let mut formats = OutputFormats::NONE;
        for word in value.split(',') {
            match word {
                "normal" => formats.normal = true,
                "terse" | "minimal" | "csv" => formats.terse = true,
                "json" => formats.json = true,
                "json+" => formats.json_plus = true,
                _ => {
                    let why = "expected one or more of: normal, terse, json, json+, separated by commas";
                    return Err(self.bad_value(value, why));
                }
            }
        }
        Ok(formats)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apply(words: &[(&str, &str)]) -> Result<ProgramOptions, SyntaxProblem> {
        let mut options = ProgramOptions::default();
        for (name, value) in words {
            let option = PROGRAM_OPTIONS.iter().find(|option| option.name == *name).expect("it is there");
            option.apply(value, &mut options)?;
        }
        Ok(options)
    }

    #[test]
    fn names_and_letters_stand_for_one_option() {
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
            ("bandwidth-log", ""),
            ("cmdhelp", ""),
            ("enghelp", ""),
            ("allow-destroy", "S1"),
            ("debug", "io,parse"),
            ("debug", "io"),
            ("idle-prof", "percpu"),
        ])
        .unwrap();
        assert_eq!(options.output.as_deref(), Some("o.txt"));
        assert_eq!((options.terse_version, options.eta), (5, EtaWhen::Never));
        assert_eq!(options.eta_newline_ns, Some(500 * NS_PER_MS));
        assert_eq!(options.eta_interval_ns, 2 * NS_PER_S);
        assert_eq!(options.status_interval_ns, Some(60 * NS_PER_S));
        assert_eq!(options.sections, ["a", "b"]);
        assert_eq!(options.bandwidth_log.as_deref(), Some("agg"));
        assert_eq!((options.cmdhelp.as_deref(), options.enghelp.as_deref()), (Some("all"), Some("")));
        assert_eq!(options.allow_destroy, ["S1"]);
        assert_eq!(options.idle_prof, IdleProf::PerCpu);
        assert_eq!(options.debug, DebugTopics { parse: true, io: true, ..DebugTopics::default() });
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
            ("debug", "mutex"),
            ("debug", "io,all"),
            ("debug", "io:1"),
            ("debug", "foo"),
        ];
        for (name, value) in cases {
            assert!(apply(&[(name, value)]).is_err(), "{name}={value}");
        }
        assert_eq!(apply(&[("eta-interval", "250ms")]).unwrap().eta_interval_ns, 250 * NS_PER_MS);
        assert_eq!(apply(&[("status-interval", "1ms")]).unwrap().status_interval_ns, Some(NS_PER_MS));
    }
}
