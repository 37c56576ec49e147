//! Job files as fio command lines (`--showcmd`).

use cardiograph_core::{Origin, Setting};
use cardiograph_jobs::options::{self, OptionKind};

use super::GLOBAL;
use super::invocation::{FioJob, Invocation};

/// The beginning of a line.
const PROGRAM: &str = "fio ";

/// The command line of each job file, one per line, as fio prints them: options under their first names, a global
/// section's before the first job that inherits them. As in fio, jobs of the command line itself are left out.
///
/// Unlike fio's, the line makes the same jobs again: shell metacharacters are quoted; a section that renames itself
/// starts no further job; a later global section becomes `--name=global`, without which its options would belong to the
/// job before it; a switch has its value; inherited command line options are always there, in fio only if the file has
/// a global section. Only a job whose own name begins with `global` cannot be expressed.
pub fn showcmd(invocation: &Invocation) -> String {
    let mut lines = String::new();
    let mut globals_shown = 0;
    for job in invocation.jobs.iter().filter(|job| is_from_file(&job.spec.origin)) {
        if lines.is_empty() || job.starts_group {
            if !lines.is_empty() {
                lines.push('\n');
            }
            lines.push_str(PROGRAM);
            globals_shown = 0;
        }
        let (globals, own) = split(job);
        if globals.len() > globals_shown {
            if globals_shown > 0 || !lines.ends_with(PROGRAM) {
                lines.push_str(&format!("--name={GLOBAL} "));
            }
            push_settings(&mut lines, &globals[globals_shown..]);
            globals_shown = globals.len();
        }
        lines.push_str(&format!("--name={} ", quoted(&job.spec.name)));
        push_settings(&mut lines, &own);
    }
    if !lines.is_empty() {
        lines.push('\n');
    }
    lines
}

/// The job's global and own settings, without its name.
fn split(job: &FioJob) -> (Vec<&Setting>, Vec<&Setting>) {
    let (globals, own) = job.spec.settings.split_at(job.own_from.min(job.spec.settings.len()));
    let is_shown = |setting: &&Setting| setting.option != "name";
    (globals.iter().filter(is_shown).collect(), own.iter().filter(is_shown).collect())
}

fn is_from_file(origin: &Origin) -> bool {
    matches!(origin, Origin::File { .. })
}

fn push_settings(line: &mut String, settings: &[&Setting]) {
    for Setting { option, value, .. } in settings {
        let is_switch = || options::find(option).is_some_and(|def| def.kind == OptionKind::Switch);
        match value.as_str() {
            "" if is_switch() => line.push_str(&format!("--{option}=1 ")),
            "" => line.push_str(&format!("--{option} ")),
            value => line.push_str(&format!("--{option}={} ", quoted(value))),
        }
    }
}

/// `value` in double quotes where a shell would split or change it.
fn quoted(value: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_=+.,:/@%^~[]{}".contains(c);
    if value.chars().all(is_plain) {
        return value.to_string();
    }
    let mut quoted = String::from("\"");
    for c in value.chars() {
        if matches!(c, '"' | '$' | '`' | '\\') {
            quoted.push('\\');
        }
        quoted.push(c);
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::FakeLoader;

    #[test]
    fn command_lines_match_fio() {
        let cases = [
            (
                "[global]\nioengine=null\nsize=4k\n[a]\nrw=read\n",
                "fio --ioengine=null --size=4k --name=a --rw=read \n",
            ),
            (
                "[a]\nblocksize=1k\nthread\nwrite_bw_log\n[b]\n",
                "fio --name=a --bs=1k --thread --write_bw_log --name=b \n",
            ),
            (
                "[a]\ndescription=a b\niodepth=$ncpus*2\n",
                "fio --name=a --description=\"a b\" --iodepth=16 \n",
            ),
            (
                // fio's line would give the later section's options to the job before it.
                "[global]\nbs=1k\n[a]\n[b]\n[global]\nrw=write\n[c]\n",
                "fio --bs=1k --name=a --name=b --name=global --rw=write --name=c \n",
            ),
            ("[a]\n[global]\nbs=1k\n[b]\n", "fio --name=a --name=global --bs=1k --name=b \n"),
            ("[a]\ndirect\nthread\n", "fio --name=a --direct=1 --thread \n"),
            // Unlike here, fio's line would start one more job and be changed by a shell.
            ("[b]\nbs=1k\nname=zz\n", "fio --name=zz --bs=1k \n"),
            ("[b c]\nfilename=$jobname\n", "fio --name=\"b c\" --filename=\"\\$jobname\" \n"),
            (
                "[a]\ndescription=it's \"x\" `y` \\z\n",
                "fio --name=a --description=\"it's \\\"x\\\" \\`y\\` \\\\z\" \n",
            ),
        ];
        for (content, expected) in cases {
            let invocation = FakeLoader::default().file("t.fio", content).parse(&["t.fio"]).unwrap();
            assert_eq!(showcmd(&invocation), expected, "{content:?}");
        }
    }

    #[test]
    fn a_line_for_each_file_and_none_for_the_command_line() {
        let mut loader = FakeLoader::default()
            .file("f1", "[j1]\nsize=4k\n")
            .file("f2", "[global]\nbs=2k\n[j2]\n[j3]\nsize=4k\n");
        let words = ["--showcmd", "--rw=write", "--name=x", "f1", "f2", "f2"];
        let invocation = loader.parse(&words).unwrap();
        let second = "fio --bs=2k --name=j2 --name=j3 --size=4k \n";
        assert_eq!(showcmd(&invocation), format!("fio --rw=write --name=j1 --size=4k \n{second}{second}"));
        let invocation = loader.parse(&["--showcmd", "--name=x", "--bs=1k"]).unwrap();
        assert_eq!(showcmd(&invocation), "");
    }
}
