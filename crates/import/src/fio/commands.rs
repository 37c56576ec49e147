//! Command lines and job files around an output, as people copy them from a terminal.

use cardiograph_core::{JobSpec, Message};
use cardiograph_fio::invocation::{Loader, MachineFacts};
use cardiograph_fio::parse;

use super::super::command::{NoFiles, words};
use super::super::lines::find_program;
use super::TOOL;

/// Maximum number of jobs kept from job files in a text.
const JOBS_MAX: usize = 10_000;
/// Maximum length of a command line.
const COMMAND_LEN_MAX: usize = 64 << 10;

/// A command line in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Command {
    /// As written, joined into one line, starting with the program's name.
    pub(super) text: String,
    /// Its jobs, as far as they are understood.
    pub(super) jobs: Vec<JobSpec>,
    /// Its number of lines.
    pub(super) lines: usize,
}

impl Command {
    /// Parses the command line that starts in the first of `lines`, if any.
    pub(super) fn parse(lines: &[&str]) -> Option<Self> {
        let first = lines.first()?;
        let start = find_program(first, TOOL).filter(|_| first.len() <= COMMAND_LEN_MAX)?;
        let (mut text, mut used) = (first[start..].trim_end().to_string(), 1);
        while let Some(begun) = text.strip_suffix('\\') {
            let next = lines.get(used)?;
            text = format!("{} {}", begun.trim_end(), next.trim());
            used += 1;
            if text.len() > COMMAND_LEN_MAX {
                return None;
            }
        }
        let words = words(&text);
        let is_option = |word: &String| word.len() > 1 && word.starts_with('-');
        let is_job_file = |word: &String| [".fio", ".job", ".ini"].iter().any(|end| word.ends_with(end));
        if !words.iter().any(|word| is_option(word) || is_job_file(word)) {
            return None;
        }
        let jobs = jobs(&words[1..]);
        Some(Self { text, jobs, lines: used })
    }
}

/// Parses the jobs from the arguments. Unknown arguments are ignored: the output itself has the necessary facts.
fn jobs(words: &[String]) -> Vec<JobSpec> {
    let jobs = match parse(words, &mut NoFiles) {
        Ok(invocation) => invocation.jobs,
        Err(rejection) => rejection.jobs,
    };
    jobs.into_iter().map(|job| job.spec).collect()
}

/// Adds the jobs of a job file in a text.
pub(super) fn add_jobs(specs: &mut Vec<JobSpec>, text: &str) {
    let room = JOBS_MAX.saturating_sub(specs.len());
    specs.extend(parse_jobs(text).into_iter().take(room));
}

/// Parses the jobs of a job file in a text.
pub(super) fn parse_jobs(text: &str) -> Vec<JobSpec> {
    let jobs = match parse(&["-"], &mut OneFile(text)) {
        Ok(invocation) => invocation.jobs,
        Err(rejection) => rejection.jobs,
    };
    jobs.into_iter().map(|job| job.spec).collect()
}

/// The job file that starts in the first of `lines`, and its number of lines: sections in brackets followed by
/// settings, up to the first other line.
pub(super) fn find_job_file(lines: &[&str]) -> Option<(String, usize)> {
    let is_section = |line: &str| line.starts_with('[') && line.ends_with(']') && line.len() > 2;
    let is_setting = |line: &str| {
        let name = line.split('=').next().unwrap_or(line).trim();
        cardiograph_jobs::options::find(name).is_some()
    };
    if !is_section(lines.first()?.trim()) || !is_setting(lines.get(1)?.trim()) {
        return None;
    }
    let belongs = |line: &&&str| {
        let line = line.trim();
        line.is_empty() || line.starts_with([';', '#']) || is_section(line) || is_setting(line)
    };
    let used = lines.iter().take_while(belongs).count();
    Some((lines[..used].iter().map(|line| format!("{}\n", line.trim())).collect(), used))
}

/// A job file on standard input; no other file exists.
struct OneFile<'t>(&'t str);

impl Loader for OneFile<'_> {
    fn load(&mut self, path: &str) -> Result<Vec<u8>, Message> {
        if path == "-" { Ok(self.0.as_bytes().to_vec()) } else { NoFiles.load(path) }
    }

    fn variable(&self, _name: &str) -> Option<String> {
        None
    }

    fn machine(&self) -> MachineFacts {
        NoFiles.machine()
    }
}

#[cfg(test)]
mod tests {
    use cardiograph_jobs::settings::Settings as _;

    use super::*;

    fn found(lines: &[&str]) -> Option<(String, usize, Vec<String>)> {
        let command = Command::parse(lines)?;
        let job = |job: JobSpec| format!("{} {:?} {:?}", job.name, job.last("rw"), job.last("bs"));
        Some((command.text, command.lines, command.jobs.into_iter().map(job).collect()))
    }

    #[test]
    fn commands_after_prompts() {
        let expected = vec!["a Some(\"randread\") Some(\"4k\")".to_string()];
        for prompt in
            ["", "$ ", "# ", "pi@raspberrypi:~ $ ", "root@box:/mnt# ", "[root@box ~]# sudo ", "% time "]
        {
            let line = format!("{prompt}fio --name=a --rw=randread --bs=4k");
            let (text, lines, jobs) = found(&[&line]).unwrap();
            assert_eq!((text.as_str(), lines), ("fio --name=a --rw=randread --bs=4k", 1), "{prompt}");
            assert_eq!(jobs, expected);
        }
        let (text, lines, jobs) =
            found(&["$ fio --name=a --rw=randread \\ ", "   -bs=4k | tee out.txt", "next"]).unwrap();
        assert_eq!((text.as_str(), lines), ("fio --name=a --rw=randread -bs=4k | tee out.txt", 2));
        assert_eq!(jobs, expected);
        let (_, _, jobs) = found(&["fio '--name=a' --rw=\"randread\" --bs=4k 2>&1 >x"]).unwrap();
        assert_eq!(jobs, expected);
    }

    #[test]
    fn sentences_are_not_commands() {
        for line in
            ["", "fio", "fio: pid=7, err=5", "I ran fio --name=a", "fio measures", "fio-3.39", "$ ls -l"]
        {
            assert_eq!(found(&[line]), None, "{line}");
        }
        assert_eq!(found(&["$ fio --name=a \\"]), None);
    }

    #[test]
    fn job_files_in_a_text() {
        let lines = ["[a]", "rw=read", "direct=1", "", "[b]", "readwrite=randwrite", "prose", "[c]"];
        let (text, used) = find_job_file(&lines).unwrap();
        assert_eq!(used, 6);
        let jobs = parse_jobs(&text);
        let jobs: Vec<_> = jobs.iter().map(|job| (job.name.as_str(), job.last("rw"))).collect();
        assert_eq!(jobs, [("a", Some("read")), ("b", Some("randwrite"))]);
        assert_eq!(find_job_file(&["[1]", "see below"]), None);
    }
}
