//! The help page of a command.

use cardiograph_catalogue::Language;
use cardiograph_core::{Message, message};
use cardiograph_render::text::{Style, hanging, width};
use clap::{Arg, Command};

use super::{arg_help, arg_label, joined_names, usage_line};

/// Wider labels have their text in the next line.
const LABEL_WIDTH_MAX: usize = 24;
const INDENT: &str = "  ";
/// Blanks in place of a missing short form.
const NO_SHORT: &str = "    ";

/// The help of a command, in lines of the style's width, without a final line break.
pub fn page(command: &Command, language: Language, style: Style) -> String {
    let heading = |message: &Message| {
        let text = format!("{}:", language.text(message));
        if style.color { format!("\x1b[1m{text}\x1b[0m") } else { text }
    };
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let usage = format!("{} ", heading(&message!("manual-usage")));
    let usage = hanging(style.width, &usage, &usage_line(command, language));
    let mut parts = vec![hanging(style.width, "", &about), usage];

    let is_program = command.get_name() == "cardiograph";
    let shown = command.get_arguments().filter(|arg| !arg.is_hide_set());
    let (global, shown): (Vec<&Arg>, Vec<&Arg>) = shown.partition(|arg| arg.is_global_set() && !is_program);
    let (arguments, options): (Vec<&Arg>, Vec<&Arg>) = shown.into_iter().partition(|arg| arg.is_positional());
    let commands = command.get_subcommands().map(|below| {
        let about = below.get_about().map(ToString::to_string).unwrap_or_default();
        (below.get_name().to_string(), about)
    });
    let arguments = arguments.into_iter().map(|arg| (arg_label(arg), arg_help(arg, language)));
    let options = options.into_iter().map(|arg| {
        let indent = if arg.get_short().is_some() { "" } else { NO_SHORT };
        (format!("{indent}{}", arg_label(arg)), arg_help(arg, language))
    });
    for (title, rows) in [
        (message!("manual-commands"), commands.collect()),
        (message!("manual-arguments"), arguments.collect()),
        (message!("manual-options"), options.collect::<Vec<_>>()),
    ] {
        if !rows.is_empty() {
            parts.push(format!("{}\n{}", heading(&title), table(&rows, style.width)));
        }
    }
    parts.extend(command.get_after_help().map(ToString::to_string));
    if !global.is_empty() {
        let names = global.iter().filter_map(|arg| arg.get_long()).map(|long| format!("--{long}"));
        let line = language.text(&message!("manual-global-options", options = joined_names(names)));
        parts.push(hanging(style.width, "", &line));
    }
    parts.join("\n\n")
}

/// A table of labels and texts.
fn table(rows: &[(String, String)], columns: usize) -> String {
    let widest = rows.iter().map(|(label, _)| width(label)).filter(|&width| width <= LABEL_WIDTH_MAX).max();
    let column = widest.unwrap_or(LABEL_WIDTH_MAX);
    let row = |(label, text): &(String, String)| {
        let blanks = |columns: usize| " ".repeat(columns);
        match column.checked_sub(width(label)) {
            Some(rest) => hanging(columns, &format!("{INDENT}{label}{}{INDENT}", blanks(rest)), text),
            None => {
                let text = hanging(columns, &blanks(2 * INDENT.len() + column), text);
                format!("{INDENT}{label}\n{text}")
            }
        }
    };
    rows.iter().map(row).collect::<Vec<_>>().join("\n")
}
