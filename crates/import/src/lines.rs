//! What importers of texts share: command lines around an output, and titles.

use cardiograph_core::method::Method;
use cardiograph_core::{Message, message, words};

use super::command;

/// No program prints longer lines, in bytes, but for documents in JSON.
const LINE_LEN_MAX: usize = 64 << 10;

/// The lines of a text with their numbers, from 1, as a terminal would show them: what a program wrote over is gone.
/// One that no program prints is empty.
pub(super) fn numbered(text: &str) -> impl Iterator<Item = (u64, &str)> {
    text.lines()
        .enumerate()
        .map(|(at, line)| (at as u64 + 1, line.trim_end().rsplit('\r').next().unwrap_or("")))
        .map(|(number, line)| (number, if line.len() > LINE_LEN_MAX { "" } else { line }))
}

/// The first line of which `is` says so, from 1. Of a long one, as of JSON without line breaks, the beginning is looked at.
pub(super) fn line_of(text: &str, mut is: impl FnMut(&str) -> bool) -> Option<u64> {
    let shown = |line: &str| is(line.trim_end().rsplit('\r').next().unwrap_or(""));
    let beginning = |line: &str| line.floor_char_boundary(LINE_LEN_MAX);
    text.lines().map(|line| &line[..beginning(line)]).position(shown).map(|at| at as u64 + 1)
}

/// The command line of `tool` that a line shows, from its name on, behind a prompt or alone. `None` for other lines, sentences
/// that begin with its name among them: `is_argument` says of a word whether it could be one of the tool's.
pub(super) fn command_of<'a>(line: &'a str, tool: &str, is_argument: fn(&str) -> bool) -> Option<&'a str> {
    let shown = &line[start_of(line, tool)?..];
    command::words(shown).iter().skip(1).any(|word| is_argument(word)).then_some(shown)
}

/// Where a line names `tool` as a program to be run: behind a prompt, or alone. What stands before it otherwise makes a sentence.
pub(super) fn start_of(line: &str, tool: &str) -> Option<usize> {
    let mut before = "";
    for word in line.split_whitespace() {
        if word == tool || word.strip_suffix(tool).is_some_and(|directory| directory.ends_with('/')) {
            return Some(word.as_ptr() as usize - line.as_ptr() as usize);
        }
        let is_prompt =
            word.ends_with(['$', '#', '>', '%', ']']) || word.starts_with(['[', '(']) || word.contains('@');
        // What runs a program, or a variable that is set for it.
        let runs = ["sudo", "time", "nice", "ionice", "nohup"].contains(&word) || word.contains('=');
        let is_path_of_prompt = before.contains('@') || before.starts_with('[');
        if !(is_prompt || runs || is_path_of_prompt) {
            return None;
        }
        before = word;
    }
    None
}

/// A title that begins with the tool: `dd: sequential write, 8K`.
pub(super) fn title(method: &Method) -> Message {
    named_title(&method.tool, words::method::title(method))
}

/// The title of a part of what a tool did: `iozone rewrite: sequential write, 4K`.
pub(super) fn part_title(method: &Method, part: &str) -> Message {
    named_title(&format!("{} {}", method.tool, part.replace('-', " ")), words::method::title(method))
}

/// A title that begins with a name of the source: `seqread: sequential read, 1M`.
pub(super) fn named_title(name: &str, what: Message) -> Message {
    message!("import-title", name = name, what = what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_lines_are_told_from_sentences() {
        let of = |line| command_of(line, "dd", |word| word.contains('='));
        for line in [
            "dd if=a of=b",
            "$ dd if=a of=b",
            "pi@raspberrypi:~ $ sudo dd if=a of=b",
            "[root@host ~]# dd if=a of=b",
            "LC_ALL=C dd if=a of=b",
            "(venv) pi@raspberrypi:~ $ nohup dd if=a of=b",
        ] {
            assert_eq!(of(line), Some("dd if=a of=b"), "{line}");
        }
        for line in ["dd simply copies data", "use dd if=a of=b for this", "", "add if=a"] {
            assert_eq!(of(line), None, "{line}");
        }
        assert_eq!(of("# /bin/dd if=a"), Some("/bin/dd if=a"));
    }

    #[test]
    fn what_was_written_over_is_gone() {
        let lines: Vec<_> = numbered("a\r\n1 %\r2 %\rdone\nb").collect();
        assert_eq!(lines, [(1, "a"), (2, "done"), (3, "b")]);
    }
}
