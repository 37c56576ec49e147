//! Reads the settings of a job by the option table, and collects problems.

use std::borrow::Cow;

use cardiograph_core::KIB;
use cardiograph_core::direction::PerDirection;
use cardiograph_core::spec::{JobSpec, Setting};
use cardiograph_core::text::shown;
use cardiograph_core::{Message, message};

use super::{DIAGNOSTICS_MAX, Diagnostic, Problem, REMARKS_MAX, Remark};
use crate::options::{self, OptionDef, OptionKind, Status};
use crate::value::{
    ValueError, parse_bytes_in, parse_count, parse_duration_ns, parse_per_direction, parse_switch,
};

/// Reads the settings of a job.
pub(super) struct Reader<'a> {
    pub spec: &'a JobSpec,
    pub diagnostics: &'a mut Vec<Diagnostic>,
    pub remarks: &'a mut Vec<Remark>,
    /// Meaning of `k`: 1024, or 1000 with `kb_base=1000`.
    pub kb_base: u64,
}

impl<'a> Reader<'a> {
    pub fn new(
        spec: &'a JobSpec,
        diagnostics: &'a mut Vec<Diagnostic>,
        remarks: &'a mut Vec<Remark>,
    ) -> Self {
        let mut reader = Self { spec, diagnostics, remarks, kb_base: KIB };
        if let Some(base) = reader.read("kb_base", parse_count) {
            match base {
                1_000 | KIB => reader.kb_base = base,
                _ => reader.report(
                    "kb_base",
                    Problem::BadValue(ValueError::UnknownWord { allowed: vec!["1000", "1024"] }),
                ),
            }
        }
        reader
    }

    /// Reports each setting that is unknown, unsupported, impossible here, or of another engine; and remarks on those
    /// without effect.
    pub fn check_status(&mut self, engine: &str) {
        for setting in &self.spec.settings {
            let Some(def) = options::find_for(&setting.option, engine) else {
                let known = options::find(&setting.option);
                self.push(
                    Some(setting),
                    known.map_or(Problem::UnknownOption, |def| Problem::OtherEngine { engines: def.engines }),
                );
                continue;
            };
            let plain = def.plain(&setting.value);
            if let Err(error) = def.kind.check(&plain, self.kb_base) {
                self.push(Some(setting), Problem::BadValue(error));
                continue;
            }
            if let Cow::Owned(plain) = &plain {
                self.remark_on(setting, message!("jobs-remark.read-as", plain = shown(plain)));
            }
            // The last of several settings decides; an option that is off is harmless.
            let decides = self.setting_of(def).is_some_and(|last| std::ptr::eq(last, setting));
            if !decides || options::asks_for_nothing(def, &plain) {
                continue;
            }
            match options::status_of(def, &plain) {
                Status::Works { .. } => {}
                Status::Hint { why } => self.remark_on(setting, why.clone()),
                Status::Refused { why } => self.push(Some(setting), Problem::Refused { why }),
            }
        }
    }

    /// Remarks on an option if it is set.
    pub fn remark(&mut self, option: &str, why: Message) {
        if let Some(setting) = self.find(option) {
            self.remark_on(setting, why);
        }
    }

    /// Makes the same remark on each of these options that is set.
    pub fn remark_each(&mut self, options: &[&str], why: &Message) {
        options.iter().for_each(|option| self.remark(option, why.clone()));
    }

    fn remark_on(&mut self, setting: &Setting, why: Message) {
        let remark = Remark { job: self.spec.name.clone(), setting: setting.clone(), why };
        // A setting of a global section gets one remark, not one per job.
        if self.remarks.len() < REMARKS_MAX
            && !self.remarks.iter().any(|known| known.setting == remark.setting && known.why == remark.why)
        {
            self.remarks.push(remark);
        }
    }

    pub fn push(&mut self, setting: Option<&Setting>, problem: Problem) {
        if self.diagnostics.len() == DIAGNOSTICS_MAX {
            return;
        }
        let origin = setting.map_or_else(|| self.spec.origin.clone(), |setting| setting.origin.clone());
        let diagnostic =
            Diagnostic { job: self.spec.name.clone(), setting: setting.cloned(), origin, problem };
        // A value is parsed by its type and again where it is used: report it once.
        let is_value =
            |problem: &Problem| matches!(problem, Problem::BadValue(_) | Problem::NoSuchEngine { .. });
        let is_same = |known: &Diagnostic| {
            let same_problem = known.problem == diagnostic.problem
                || (is_value(&known.problem) && is_value(&diagnostic.problem) && known.setting.is_some());
            same_problem
                && known.origin == diagnostic.origin
                && known.setting == diagnostic.setting
                && (diagnostic.setting.is_some() || known.job == diagnostic.job)
        };
        let is_known = self.diagnostics.iter().any(is_same);
        if !is_known {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Reports a problem with an option's setting, or with the job if it is not set.
    pub fn report(&mut self, option: &str, problem: Problem) {
        let setting = self.find(option);
        self.push(setting, problem);
    }

    /// Whether a problem with the option's value was reported.
    pub fn is_bad(&self, option: &str) -> bool {
        let is_bad = |known: &Diagnostic, setting: &Setting| {
            matches!(known.problem, Problem::BadValue(_)) && known.setting.as_ref() == Some(setting)
        };
        self.find(option).is_some_and(|setting| self.diagnostics.iter().any(|known| is_bad(known, setting)))
    }

    /// The deciding setting of an option: the last.
    pub fn find(&self, option: &str) -> Option<&'a Setting> {
        self.setting_of(definition(option))
    }

    fn setting_of(&self, def: &OptionDef) -> Option<&'a Setting> {
        let mut settings = self.spec.settings.iter().rev();
        settings.find(|setting| setting.option == def.name || def.aliases.contains(&setting.option.as_str()))
    }

    /// The option that is set later; `None` if neither is set.
    pub fn later_of(&self, first: &'static str, second: &'static str) -> Option<&'static str> {
        let position = |option: &str| {
            let setting = self.find(option)?;
            self.spec.settings.iter().position(|other| std::ptr::eq(other, setting))
        };
        match (position(first), position(second)) {
            (None, None) => None,
            (a, b) if a > b => Some(first),
            _ => Some(second),
        }
    }

    /// Parses the option's text or its default; `None` if there is neither, or it is invalid.
    pub fn read<T>(&mut self, option: &str, parse: impl Fn(&str) -> Result<T, ValueError>) -> Option<T> {
        self.read_by(definition(option), parse)
    }

    fn read_by<T>(&mut self, def: &OptionDef, parse: impl Fn(&str) -> Result<T, ValueError>) -> Option<T> {
        let default = def.default;
        match self.setting_of(def) {
            Some(setting) => match parse(&def.plain(&setting.value)) {
                Ok(value) => Some(value),
                Err(error) => {
                    self.push(Some(setting), Problem::BadValue(error));
                    parse(default).ok()
                }
            },
            None if default.is_empty() => None,
            None => parse(default).ok(),
        }
    }

    /// Free text that is not empty.
    pub fn text(&mut self, option: &str) -> Option<String> {
        self.read(option, |text| if text.is_empty() { Err(ValueError::Empty) } else { Ok(text.to_string()) })
    }

    /// One of `words`.
    pub fn word(&mut self, option: &str, words: &'static [&'static str]) -> &'static str {
        let unknown = || ValueError::UnknownWord { allowed: words.to_vec() };
        self.read(option, |text| words.iter().copied().find(|word| *word == text).ok_or_else(unknown))
            .unwrap_or(words[0])
    }

    /// A whole number within the table's range.
    pub fn count(&mut self, option: &str) -> u64 {
        self.count_if(option).unwrap_or(0)
    }

    /// As `count`; `None` if it is neither set nor has a default.
    pub fn count_if(&mut self, option: &str) -> Option<u64> {
        let def = definition(option);
        let (min, max) = match def.kind {
            OptionKind::Count { min, max } => (min, max),
            _ => (0, u64::MAX),
        };
        let in_range =
            |n| if (min..=max).contains(&n) { Ok(n) } else { Err(ValueError::OutOfRange { min, max }) };
        self.read_by(def, |text| parse_count(text).and_then(in_range))
    }

    pub fn switch(&mut self, option: &str) -> bool {
        self.read(option, parse_switch).unwrap_or(false)
    }

    pub fn bytes(&mut self, option: &str) -> Option<u64> {
        let kb_base = self.kb_base;
        self.read(option, |text| parse_bytes_in(text, kb_base))
    }

    pub fn duration_ns(&mut self, option: &str) -> Option<u64> {
        let def = definition(option);
        let OptionKind::Duration { unit_ns } = def.kind else { unreachable!("{option} is not a duration") };
        self.read_by(def, |text| parse_duration_ns(text, unit_ns))
    }

    /// A value for reads, writes and trims. A missing part repeats the previous one; an empty one is `None`.
    pub fn triple<T: Clone>(
        &mut self,
        option: &str,
        parse: impl Fn(&str) -> Result<T, ValueError>,
    ) -> Option<PerDirection<Option<T>>> {
        self.read(option, |text| parse_per_direction(text, &parse))
    }
}

fn definition(option: &str) -> &'static OptionDef {
    options::find(option).expect("the resolver asks only for options of the table")
}
