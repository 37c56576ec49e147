//! Shared by importers of text: numbered lines, command lines in a text, titles.

use cardiograph_core::method::Method;
use cardiograph_core::{Message, Parameter, message, words};

use super::command;

/// Maximum length in bytes of lines that programs print, except for JSON documents.
const LINE_LEN_MAX: usize = 64 << 10;

/// The lines of a text with their numbers, from 1, as displayed by a terminal: text before a carriage return is
/// overwritten. Lines that are too long are empty.
pub(super) fn numbered(text: &str) -> impl Iterator<Item = (u64, &str)> {
    text.lines()
        .enumerate()
        .map(|(at, line)| (at as u64 + 1, line.trim_end().rsplit('\r').next().unwrap_or("")))
        .map(|(number, line)| (number, if line.len() > LINE_LEN_MAX { "" } else { line }))
}

/// The number of the first line that matches, from 1. Of a long line, such as JSON without line breaks, the beginning
/// is checked.
pub(super) fn find_line(text: &str, mut matches: impl FnMut(&str) -> bool) -> Option<u64> {
    let shown = |line: &str| matches(line.trim_end().rsplit('\r').next().unwrap_or(""));
    let beginning = |line: &str| line.floor_char_boundary(LINE_LEN_MAX);
    text.lines().map(|line| &line[..beginning(line)]).position(shown).map(|at| at as u64 + 1)
}

/// The command line of `tool` in a line, starting with its name, after a prompt or alone. `None` for other lines and
/// for sentences that start with its name: at least one word must pass `is_argument`.
pub(super) fn find_command<'a>(line: &'a str, tool: &str, is_argument: fn(&str) -> bool) -> Option<&'a str> {
    let shown = &line[find_program(line, tool)?..];
    command::words(shown).iter().skip(1).any(|word| is_argument(word)).then_some(shown)
}

/// The index at which a line names `tool` as a program to run, after a prompt or alone. Other words before it make it a
/// sentence.
pub(super) fn find_program(line: &str, tool: &str) -> Option<usize> {
    let mut before = "";
    for word in line.split_whitespace() {
        if word == tool || word.strip_suffix(tool).is_some_and(|directory| directory.ends_with('/')) {
            return Some(word.as_ptr() as usize - line.as_ptr() as usize);
        }
        let is_prompt =
            word.ends_with(['$', '#', '>', '%', ']']) || word.starts_with(['[', '(']) || word.contains('@');
        // Programs that run another program, or a variable assignment.
        let is_runner = ["sudo", "time", "nice", "ionice", "nohup"].contains(&word) || word.contains('=');
        let is_path_of_prompt = before.contains('@') || before.starts_with('[');
        if !(is_prompt || is_runner || is_path_of_prompt) {
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

/// A note on parts of an output that are not in the text, if any.
pub(super) fn missing_note(parts: impl IntoIterator<Item = Option<Message>>) -> Option<Message> {
    let parts: Vec<Message> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| message!("import-text.missing", parts = Parameter::all(parts)))
}

/// The title of a part of a tool's run: `iozone rewrite: sequential write, 4K`.
pub(super) fn part_title(method: &Method, part: &str) -> Message {
    named_title(&format!("{} {}", method.tool, part.replace('-', " ")), words::method::title(method))
}

/// A title that begins with a name of the source: `seqread: sequential read, 1M`.
pub(super) fn named_title(name: &str, what: Message) -> Message {
    message!("import-title", name, what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_lines_differ_from_sentences() {
        let of = |line| find_command(line, "dd", |word| word.contains('='));
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
    fn overwritten_text_is_dropped() {
        let lines: Vec<_> = numbered("a\r\n1 %\r2 %\rdone\nb").collect();
        assert_eq!(lines, [(1, "a"), (2, "done"), (3, "b")]);
    }
}
