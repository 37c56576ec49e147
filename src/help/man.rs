//! Man pages, in the markup of man(7).

use cardiograph_catalogue::Language;
use cardiograph_core::{Message, message};
use clap::{Arg, Command};

use super::{arg_help, arg_label, usage_line};

/// Indentation of the lines below a title.
const INDENT: &str = "  ";

/// The man page of a command: its name without a directory, and its text.
pub fn man_page(command: &Command, language: Language) -> (String, String) {
    let name = command.get_display_name().unwrap_or_else(|| command.get_name());
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let section = |title: &Message| section(title, language);
    let mut text = beginning(name, 1, &about, language);
    text.push_str(&section(&message!("manual-synopsis")));
    text.push_str(&line(&usage_line(command, language)));
    text.push_str(&section(&message!("manual-description")));
    text.push_str(&line(&about));

    let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let (titled, plain): (Vec<&str>, Vec<&str>) =
        after.split("\n\n").filter(|block| !block.is_empty()).partition(|block| title_of(block).is_some());
    plain.into_iter().for_each(|block| text.push_str(&format!(".PP\n{}", verbatim_lines(block.lines()))));

    let shown = command.get_arguments().filter(|arg| !arg.is_hide_set());
    let (arguments, options): (Vec<&Arg>, Vec<&Arg>) = shown.partition(|arg| arg.is_positional());
    for (title, args) in
        [(message!("manual-section-arguments"), arguments), (message!("manual-section-options"), options)]
    {
        let entry = |arg: &&Arg| entry(&arg_label(arg), &arg_help(arg, language));
        if !args.is_empty() {
            text.push_str(&section(&title));
            text.extend(args.iter().map(entry));
        }
    }
    if command.has_subcommands() {
        text.push_str(&section(&message!("manual-section-commands")));
        text.extend(command.get_subcommands().map(|below| {
            let about = below.get_about().map(ToString::to_string).unwrap_or_default();
            entry(&format!("{name}-{}(1)", below.get_name()), &about)
        }));
    }
    for block in titled {
        text.push_str(&format!(".SH \"{}\"\n", escaped(title_of(block).unwrap_or_default())));
        text.push_str(&verbatim_lines(block.lines().skip(1).map(|line| &line[INDENT.len()..])));
    }
    (format!("{name}.1"), text)
}

/// The beginning of a page, with its name.
pub(super) fn beginning(name: &str, number: u8, about: &str, language: Language) -> String {
    let mut text = format!(
        ".TH \"{}\" \"{number}\" \"\" \"cardiograph {}\"\n",
        escaped(&name.to_uppercase()),
        env!("CARGO_PKG_VERSION")
    );
    if language.code() != Language::EN.code() {
        // groff's rules of the language, such as line breaks in Japanese.
        text.push_str(&format!(".mso {}.tmac\n", language.code()));
    }
    text.push_str(".ad l\n.nh\n");
    text.push_str(&section(&message!("manual-name"), language));
    text.push_str(&format!("{} \\- {}\n", escaped(name), escaped(about)));
    text
}

/// The heading of a section.
pub(super) fn section(title: &Message, language: Language) -> String {
    format!(".SH \"{}\"\n", escaped(&language.text(title)))
}

/// The title of a block whose other lines are indented.
fn title_of(block: &str) -> Option<&str> {
    let (first, rest) = block.split_once('\n')?;
    first.strip_suffix(':').filter(|_| rest.lines().all(|line| line.starts_with(INDENT)))
}

pub(super) fn entry(label: &str, text: &str) -> String {
    format!(".TP\n\\fB{}\\fR\n{}", escaped(label), line(text))
}

/// Lines without filling; they are at most 80 columns wide.
pub(super) fn verbatim_lines<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    format!(".in 2n\n.nf\n{}.fi\n.in\n", lines.map(line).collect::<String>())
}

/// A line that is not a request, whatever its first character.
pub(super) fn line(text: &str) -> String {
    let escaped = escaped(text);
    let guard = if escaped.starts_with(['.', '\'']) { "\\&" } else { "" };
    format!("{guard}{escaped}\n")
}

/// Text with the characters escaped that are special to man; hyphens stay ASCII, so that commands can be copied.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            // A list of ASCII words breaks nowhere else.
            '、' if letters.peek().is_some_and(char::is_ascii) => escaped.push_str("、\\:"),
            '\\' => escaped.push_str("\\e"),
            '-' => escaped.push_str("\\-"),
            '\'' => escaped.push_str("\\(aq"),
            '"' => escaped.push_str("\\(dq"),
            '`' => escaped.push_str("\\(ga"),
            '^' => escaped.push_str("\\(ha"),
            '~' => escaped.push_str("\\(ti"),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_not_a_request() {
        assert_eq!(line(".TH x"), "\\&.TH x\n");
        assert_eq!(line("'a' -- \\b"), "\\(aqa\\(aq \\-\\- \\eb\n");
    }

    #[test]
    fn blocks_with_indented_lines_have_titles() {
        assert_eq!(title_of("Examples:\n  a\n    b"), Some("Examples"));
        for block in ["One line:", "Not indented:\nhere", "No colon\n  below"] {
            assert_eq!(title_of(block), None, "{block}");
        }
    }
}
