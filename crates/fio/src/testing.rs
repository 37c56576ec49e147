//! Test helpers: files and variables in memory, and jobs as text.

use std::collections::HashMap;

use cardiograph_core::Message;

use super::cmdline::parse;
use super::invocation::{Invocation, Loader, MachineFacts, Rejection};

/// A machine with 4 KiB pages, 2,000 MiB and 8 CPUs, and a test's files and variables.
#[derive(Default)]
pub(crate) struct FakeLoader {
    files: HashMap<String, Vec<u8>>,
    variables: HashMap<String, String>,
    /// The requested files.
    pub(crate) asked: Vec<String>,
}

impl FakeLoader {
    pub(crate) fn file(mut self, path: &str, content: impl AsRef<[u8]>) -> Self {
        self.files.insert(path.to_string(), content.as_ref().to_vec());
        self
    }

    pub(crate) fn variable(mut self, name: &str, value: &str) -> Self {
        self.variables.insert(name.to_string(), value.to_string());
        self
    }

    pub(crate) fn parse(&mut self, words: &[&str]) -> Result<Invocation, Rejection> {
        parse(words, self)
    }
}

impl Loader for FakeLoader {
    fn load(&mut self, path: &str) -> Result<Vec<u8>, Message> {
        self.asked.push(path.to_string());
        self.files.get(path).cloned().ok_or_else(|| Message::verbatim("no such file"))
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.variables.get(name).cloned()
    }

    fn machine(&self) -> MachineFacts {
        MachineFacts { page_len_bytes: 4_096, memory_mib: 2_000, cpus: 8 }
    }
}

/// The words of a command line without quotes, as split by a shell, without the program name.
pub(crate) fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().filter(|word| *word != "\\").skip(1).collect()
}

/// The jobs in short: `name: inherited | own`, with `+` before the name where a group starts.
pub(crate) fn jobs(invocation: &Invocation) -> Vec<String> {
    let describe = |settings: &[cardiograph_core::Setting]| -> String {
        let settings = settings.iter().map(|setting| match setting.value.as_str() {
            "" => setting.option.clone(),
            value => format!("{}={value}", setting.option),
        });
        settings.collect::<Vec<_>>().join(" ")
    };
    let one = |job: &super::invocation::FioJob| {
        let (globals, own) = job.spec.settings.split_at(job.own_from);
        let group = if job.starts_group { "+" } else { "" };
        format!("{group}{}: {} | {}", job.spec.name, describe(globals), describe(own))
    };
    invocation.jobs.iter().map(one).collect()
}

/// The messages of a rejection: errors, then notes.
pub(crate) fn messages(rejection: &Rejection) -> Vec<String> {
    rejection.errors.iter().chain(&rejection.notes).map(|of| brief(&of.message())).collect()
}

/// The messages of the notes.
pub(crate) fn notes(invocation: &Invocation) -> Vec<String> {
    invocation.notes.iter().map(|note| brief(&note.message())).collect()
}

/// A message in short form, after its place if it has one.
pub(crate) fn brief(message: &Message) -> String {
    match (message.id(), message.parameter("place"), message.parameter("problem")) {
        ("fio-at", Some(place), Some(problem)) => format!("{place}: {problem}"),
        _ => message.to_string(),
    }
}
