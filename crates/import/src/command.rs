//! Derives a test's Method from the command line that ran it.

use cardiograph_core::method::{AGAIN, Method, Pattern};
use cardiograph_core::text::shown;
use cardiograph_core::{JobSpec, Message, NS_PER_S, Parameter, message};
use cardiograph_fio::invocation::{Loader, MachineFacts};
use cardiograph_fio::tools::{dd, hdparm, iozone};
use cardiograph_jobs::method as jobs_method;

/// Words that may precede the program name: shell prompts and sudo.
const BEFORE: [&str; 4] = ["$", "#", "%", "sudo"];

/// Splits a command line into words as a shell does, without the prompt, up to a pipe or a redirection.
pub(crate) fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        match (letter, quote) {
            (letter, Some(open)) if letter == open => quote = None,
            // In double quotes a backslash escapes these characters only.
            ('\\', Some('"')) => {
                let escaped = letters.next_if(|next| matches!(next, '"' | '\\' | '$' | '`'));
                word.get_or_insert_default().push(escaped.unwrap_or('\\'));
            }
            (letter, Some(_)) => word.get_or_insert_default().push(letter),
            ('"' | '\'', None) => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            ('\\', None) => {
                // A backslash at the end of a line joins two lines; some publish it followed by a space.
                let mut behind = letters.clone().skip_while(|next| *next == ' ');
                match letters.next() {
                    Some(next)
                        if !next.is_whitespace()
                            || (next == ' ' && !matches!(behind.next(), None | Some('\n'))) =>
                    {
                        word.get_or_insert_default().push(next);
                    }
                    _ => {}
                }
            }
            ('>' | '<', None) => {
                // `2>` is a redirection, too.
                word = word.filter(|word| word.parse::<u8>().is_err());
                break;
            }
            ('|' | ';' | '&', None) => break,
            (letter, None) if letter.is_whitespace() => words.extend(word.take()),
            (letter, None) => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    // `LC_ALL=C dd ...` sets a variable: assignments before the program's name are not arguments.
    let is_before = |word: &String| {
        let is_variable = word
            .split_once('=')
            .is_some_and(|(name, _)| name.chars().all(|c| c.is_ascii_uppercase() || c == '_'));
        BEFORE.contains(&word.as_str()) || is_variable
    };
    let first = words.iter().position(|word| !is_before(word)).unwrap_or(words.len());
    words.split_off(first)
}

/// The single-letter options among `words` with their values, attached or in the next word. `with_value` lists the
/// options that take one.
pub(crate) fn short_options<'w>(words: &'w [String], with_value: &str) -> Vec<(char, &'w str)> {
    let mut found = Vec::new();
    let mut words = words.iter().map(String::as_str);
    while let Some(word) = words.next() {
        let Some(letters) = word.strip_prefix('-').filter(|letters| !letters.starts_with('+')) else {
            continue;
        };
        for (at, letter) in letters.char_indices() {
            if with_value.contains(letter) {
                let behind = &letters[at + letter.len_utf8()..];
                let value = if behind.is_empty() { words.next().unwrap_or("") } else { behind };
                found.push((letter, value));
                break;
            }
            found.push((letter, ""));
        }
    }
    found
}

/// The program's name without its directory.
fn program_name(words: &[String]) -> &str {
    words.first().map_or("", |word| word.rsplit('/').next().unwrap_or(word))
}

/// Derives the Method of a command line's test. For programs that run several tests, `part` selects one: for iozone a
///
/// # Errors
/// If the program is unknown or its arguments are not understood.
pub(crate) fn method(line: &str, part: Option<&str>) -> Result<Method, Message> {
    let words = words(line);
    let arguments = words.get(1..).unwrap_or_default();
    match program_name(&words) {
        "fio" => fio_method(arguments),
        "hdparm" => hdparm_command_method(arguments, part),
        "dd" => dd_method(arguments),
        "iozone" => iozone_command_method(arguments, part),
        other => Err(message!("import-command.unknown-program", program = shown(other))),
    }
}

fn fio_method(arguments: &[String]) -> Result<Method, Message> {
    let invocation = cardiograph_fio::parse(arguments, &mut NoFiles).map_err(|rejection| {
        let problems = Parameter::all(rejection.errors.iter().map(|error| error.message()));
        message!("import-command.fio", problems)
    })?;
    let specs: Vec<JobSpec> = invocation.jobs.into_iter().map(|job| job.spec).collect();
    if specs.is_empty() {
        Err(message!("import-command.no-job"))
    } else {
        Ok(jobs_method::from_specs("fio", &specs))
    }
}

fn hdparm_command_method(arguments: &[String], part: Option<&str>) -> Result<Method, Message> {
    let timings = hdparm::parse(arguments)?;
    let timing = if part == Some("cached") { hdparm::Timing::Cached } else { hdparm::Timing::Disk };
    if !timings.each().any(|one| one == timing) {
        return Err(message!("import-command.timing-not-asked"));
    }
    Ok(hdparm_method(timing, timings.direct))
}

/// The Method of hdparm's timings; see [`hdparm`] for the part that it reads.
pub(crate) fn hdparm_method(timing: hdparm::Timing, direct: bool) -> Method {
    let mut method = Method {
        tool: "hdparm".to_string(),
        pattern: Some(Pattern::Read),
        block_bytes: Some(hdparm::BLOCK_LEN_BYTES),
        depth: Some(1),
        jobs: Some(1),
        direct: Some(direct),
        time_ns: Some(3 * NS_PER_S),
        ..Method::default()
    };
    if timing == hdparm::Timing::Cached {
        method.time_ns = Some(2 * NS_PER_S);
        method.size_bytes = Some(hdparm::BLOCK_LEN_BYTES);
        method.others.insert(AGAIN.to_string(), "the same 2 MiB, from memory".to_string());
    }
    method
}

fn dd_method(arguments: &[String]) -> Result<Method, Message> {
    let copy = dd::parse(arguments)?;
    // The method does not depend on the length; without one the size is unknown.
    let (start_bytes, _) = copy.part(u64::MAX);
    let len_bytes = copy.len_bytes.unwrap_or(copy.block_len_bytes);
    let whole_bytes = len_bytes - len_bytes % copy.block_len_bytes;
    let specs = copy.jobs((start_bytes, whole_bytes.max(copy.block_len_bytes)));
    let method = jobs_method::from_specs("dd", &specs);
    Ok(Method { size_bytes: copy.len_bytes, ..method })
}

fn iozone_command_method(arguments: &[String], part: Option<&str>) -> Result<Method, Message> {
    let request = iozone::parse(arguments)?;
    let pass = iozone::Pass::ALL.into_iter().find(|pass| Some(pass_name(*pass)) == part);
    let pass = pass.ok_or(message!("import-command.iozone-part"))?;
    let [row] = request.rows()[..] else { return Err(message!("import-command.iozone-rows")) };
    Ok(iozone_method(&request, pass, row))
}

/// The Method of a pass of iozone over a row's file and record lengths in bytes.
fn iozone_method(request: &iozone::Request, pass: iozone::Pass, row: (u64, u64)) -> Method {
    let mut method = jobs_method::from_specs("iozone", &[request.job(pass, "file", row)]);
    if matches!(pass, iozone::Pass::Rewrite | iozone::Pass::Reread) {
        method.others.insert("pass".to_string(), pass_name(pass).to_string());
    }
    method
}

/// Name of a pass in [`method`].
const fn pass_name(pass: iozone::Pass) -> &'static str {
    match pass {
        iozone::Pass::Write => "write",
        iozone::Pass::Rewrite => "rewrite",
        iozone::Pass::Read => "read",
        iozone::Pass::Reread => "reread",
        iozone::Pass::RandomRead => "random-read",
        iozone::Pass::RandomWrite => "random-write",
    }
}

/// Refuses to open files: a command line in a text may name any.
pub(super) struct NoFiles;

impl Loader for NoFiles {
    fn load(&mut self, _: &str) -> Result<Vec<u8>, Message> {
        Err(message!("import-command.no-file"))
    }

    fn variable(&self, _: &str) -> Option<String> {
        None
    }

    fn machine(&self) -> MachineFacts {
        MachineFacts { page_len_bytes: 4_096, memory_mib: 0, cpus: 1 }
    }
}

#[cfg(test)]
mod tests {
    use cardiograph_core::method::Durability;

    use super::*;

    #[test]
    fn words_are_split_as_by_a_shell() {
        for (line, expected) in [
            ("$ sudo fio --name='a b' x\\ y", &["fio", "--name=a b", "x y"][..]),
            ("LC_ALL=C dd if=a of=b", &["dd", "if=a", "of=b"]),
            ("dd if=\"a\" | tee x", &["dd", "if=a"]),
            ("dd if=a 2>&1 | tee x", &["dd", "if=a"]),
            ("dd if=a bs=2>x", &["dd", "if=a", "bs=2"]),
            (
                r#"fio "--name=\"a\" \\b" "--filename=/dev/a\:/dev/b" '\c'"#,
                &["fio", r#"--name="a" \b"#, r"--filename=/dev/a\:/dev/b", r"\c"],
            ),
            ("fio a \\\n    --b \\ \n --c \\", &["fio", "a", "--b", "--c"]),
            ("", &[]),
            ("$", &[]),
            ("echo 'open", &["echo", "open"]),
        ] {
            assert_eq!(words(line), expected, "{line}");
        }
        assert_eq!(program_name(&words("sudo /usr/sbin/hdparm -t /dev/sda")), "hdparm");
    }

    #[test]
    fn published_commands_are_understood() {
        let of = |line, part| method(line, part).unwrap_or_else(|error| panic!("{line}: {error}"));
        let fio = of(
            "$ fio -filename=/data/test5g -direct=1 -rw=randread -bs=4k -size=5G -numjobs=64 -runtime=10 \
                      -group_reporting -name=file1",
            None,
        );
        assert_eq!((fio.pattern, fio.jobs, fio.direct), (Some(Pattern::RandomRead), Some(64), Some(true)));
        assert_eq!((fio.size_bytes, fio.time_ns), (Some(5 << 30), Some(10 * NS_PER_S)));
        let dd = of("sudo dd if=/dev/zero of=/home/pi/test bs=8k count=50k conv=fsync; sudo rm x", None);
        assert_eq!((dd.pattern, dd.durability), (Some(Pattern::Write), Some(Durability::AtEnd)));
        assert_eq!((dd.block_bytes, dd.size_bytes, dd.direct), (Some(8_192), Some(400 << 20), Some(false)));
        let silent = of("dd if=/dev/zero of=/home/pi/test bs=8k count=50k conv=fsync 2>&1 | tail -1", None);
        assert_eq!(silent, dd);
        let read = of("dd if=/tmp/x of=/dev/null bs=1M iflag=direct", None);
        assert_eq!((read.pattern, read.size_bytes, read.direct), (Some(Pattern::Read), None, Some(true)));
        let hdparm = of("sudo hdparm -t /dev/mmcblk0", None);
        assert_eq!(
            (hdparm.pattern, hdparm.block_bytes, hdparm.direct),
            (Some(Pattern::Read), Some(2 << 20), Some(false))
        );
        let line = "iozone -e -I -a -s 100M -r 4k -i 0 -i 1 -i 2 -f /path";
        let iozone = of(line, Some("random-write"));
        assert_eq!((iozone.block_bytes, iozone.durability), (Some(4_096), Some(Durability::AtEnd)));
        assert_eq!(of(line, Some("reread")).others["pass"], "reread");
    }

    /// Options are resolved, however they are written: by an alias, twice, as an expression, in a global section.
    #[test]
    fn settings_are_resolved() {
        for (words, direct, durability) in [
            ("--name=a --direct=1", true, Durability::Never),
            ("--direct=1 --name=a", true, Durability::Never),
            ("--name=a --buffered=0", true, Durability::Never),
            ("--name=a --direct=1 --buffered=1", false, Durability::Never),
            ("--direct=1 --name=a --buffered=1", false, Durability::Never),
            ("--name=a --direct=(2-1)", true, Durability::Never),
            ("--name=a --sync=none", false, Durability::Never),
            ("--sync=sync --name=a --sync=none", false, Durability::Never),
            ("--name=a --sync=dsync", false, Durability::Dsync),
            ("--name=a --fsync=(3-2)", false, Durability::Fsync),
        ] {
            let method = method(&format!("fio --rw=write --size=1m {words}"), None);
            let method = method.unwrap_or_else(|error| panic!("{words}: {error}"));
            assert_eq!((method.direct, method.durability), (Some(direct), Some(durability)), "{words}");
        }
    }

    #[test]
    fn unknown_commands_are_refused() {
        for (line, part, expected) in [
            ("rm -rf /", None, "import-command.unknown-program(program=rm)"),
            ("", None, "import-command.unknown-program(program=)"),
            ("fio --name=a --sideways=1", None, "sideways"),
            ("fio jobs.fio", None, "import-command.no-file"),
            ("hdparm -T /dev/sda", None, "import-command.timing-not-asked"),
            ("iozone -a -i 0", Some("write"), "import-command.iozone-rows"),
            ("iozone -a -s 1M -r 4k -i 0", Some("backwards"), "import-command.iozone-part"),
        ] {
            let error = method(line, part).unwrap_err();
            assert!(error.to_string().contains(expected), "{line}: {error}");
        }
    }
}
