//! Help in the user's language: adds texts of the catalogue to the command line's definition.

mod man;
mod page;
mod topics;

use cardiograph_catalogue::Language;
use cardiograph_core::{Message, message};
use cardiograph_render::text::Style;
use clap::{Arg, Command, CommandFactory};

use crate::cli::Cli;

pub use man::man_page;
pub use topics::topics;

/// Prefix of the texts' ids.
const HELP: &str = "help";

/// The command line with its texts, and with help pages laid out in this style.
pub fn command_line(language: Language, style: Style) -> Command {
    let mut program = Cli::command();
    // Adds --help, --version and global options to each command, and full names of commands.
    program.build();
    with_pages(with_texts(program, HELP, language), language, style)
}

/// Adds texts to a command and its subcommands. `id` is `help` for the program, `help-check` for its command `check`.
fn with_texts(command: Command, id: &str, language: Language) -> Command {
    let text = |id: &str| language.text_of(id).unwrap_or_else(|| id.to_string());
    let about = text(&id_of_command(id));
    let after = language.text_of(&id_of_after(id));
    let command = command
        .about(about)
        .mut_args(|arg| {
            let help = text(&id_of_arg(id, &arg));
            let names = arg.get_value_names().unwrap_or_default().iter();
            let names: Vec<String> = names.map(|name| value_name(name, language)).collect();
            let takes_values = arg.get_action().takes_values();
            let arg = arg.help(help);
            if takes_values { arg.value_names(names) } else { arg }
        })
        .mut_subcommands(|below| {
            let id = format!("{id}-{}", below.get_name());
            with_texts(below, &id, language)
        })
        .subcommand_value_name(language.text(&message!("manual-any-command")));
    match after {
        Some(after) => command.after_help(after),
        None => command,
    }
}

/// Adds help pages by [`page`] to a command and its subcommands.
fn with_pages(command: Command, language: Language, style: Style) -> Command {
    let page = page::page(&command, language, style);
    command.override_help(page).mut_subcommands(|below| with_pages(below, language, style))
}

fn id_of_command(id: &str) -> String {
    if id == HELP { format!("{HELP}-cardiograph") } else { id.to_string() }
}

fn id_of_after(id: &str) -> String {
    format!("{}.after", id_of_command(id))
}

/// The id of an argument's text. Arguments of all commands have one text.
fn id_of_arg(command: &str, arg: &Arg) -> String {
    let id = arg.get_id().as_str();
    let is_export = command != "help-job" && (id == "json" || id.starts_with("export_"));
    let is_everywhere = arg.is_global_set() || is_export || ["help", "version"].contains(&id);
    let command = if is_everywhere { HELP } else { command };
    match arg.get_long() {
        Some(long) => format!("{command}--{long}"),
        None => format!("{command}-{}", arg.get_id()),
    }
}

/// Translates the words in capitals of a value's name such as `MODEL|FILE`.
fn value_name(name: &str, language: Language) -> String {
    let word = |word: &str| language.text_of(&id_of_word(word)).unwrap_or_else(|| word.to_string());
    let ends = name.char_indices().filter(|(_, letter)| !letter.is_ascii_uppercase());
    let mut shown = String::new();
    let mut begin = 0;
    for (end, letter) in ends.chain([(name.len(), '\0')]) {
        if begin < end {
            shown.push_str(&word(&name[begin..end]));
        }
        shown.extend(Some(letter).filter(|letter| *letter != '\0'));
        begin = end + letter.len_utf8();
    }
    shown
}

fn id_of_word(word: &str) -> String {
    format!("{HELP}-value-{}", word.to_ascii_lowercase())
}

/// An argument's help, with its default and possible values.
fn arg_help(arg: &Arg, language: Language) -> String {
    let mut help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    let defaults = arg.get_default_values();
    if arg.get_action().takes_values() && !defaults.is_empty() {
        let values = joined_names(defaults.iter().map(|value| value.to_string_lossy()));
        help = language.text(&message!("manual-with-default", help, values));
    }
    let possible = arg.get_possible_values();
    if !possible.is_empty() {
        let values = joined_names(possible.iter().map(|value| value.get_name()));
        help = language.text(&message!("manual-with-possible-values", help, values));
    }
    help
}

/// Names joined as the language joins a list.
///
/// # Panics
/// If there are none.
pub fn joined_names(names: impl IntoIterator<Item = impl Into<String>>) -> Message {
    Message::joined(names.into_iter().map(Message::verbatim))
}

/// `-v, --verbose`, `--json <FILE>` or `[PATH|DEVICE]`.
fn arg_label(arg: &Arg) -> String {
    match (arg.get_short(), arg.get_long()) {
        (Some(short), Some(_)) => format!("-{short}, {arg}"),
        _ => arg.to_string(),
    }
}

/// A command's usage: `cardiograph check [OPTIONS] [PATH|DEVICE]`.
fn usage_line(command: &Command, language: Language) -> String {
    localized_usage(&command.clone().render_usage().to_string(), language)
}

/// clap's usage line without its heading, in a language.
pub fn localized_usage(usage: &str, language: Language) -> String {
    let options = format!("[{}]", language.text(&message!("manual-any-options")));
    usage.trim_start_matches("Usage: ").replace("[OPTIONS]", &options)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Collects the ids of the texts that a command and its subcommands need, and of optional ones.
    fn ids(command: &Command, id: &str, needed: &mut BTreeSet<String>, possible: &mut BTreeSet<String>) {
        needed.insert(id_of_command(id));
        possible.insert(id_of_after(id));
        for arg in command.get_arguments() {
            needed.insert(id_of_arg(id, arg));
            let names = arg.get_value_names().unwrap_or_default().iter();
            for name in names.filter(|_| arg.get_action().takes_values()) {
                let words = name.split(|letter: char| !letter.is_ascii_uppercase());
                needed.extend(words.filter(|word| !word.is_empty()).map(id_of_word));
            }
        }
        for below in command.get_subcommands() {
            ids(below, &format!("{id}-{}", below.get_name()), needed, possible);
        }
    }

    #[test]
    fn each_language_has_the_texts_that_the_command_line_needs() {
        let (mut needed, mut possible) = (BTreeSet::new(), BTreeSet::new());
        let mut program = Cli::command();
        program.build();
        ids(&program, HELP, &mut needed, &mut possible);
        for language in Language::ALL {
            let known = cardiograph_catalogue::known(language);
            let known: BTreeSet<String> =
                known.into_keys().filter(|id| id.starts_with(&format!("{HELP}-"))).collect();
            let (after, texts): (BTreeSet<String>, BTreeSet<String>) =
                known.into_iter().partition(|id| id.ends_with(".after"));
            assert_eq!(texts, needed, "{language:?}");
            assert!(after.is_subset(&possible), "{language:?}: {after:?}");
        }
    }

    #[test]
    fn words_in_capitals_are_translated() {
        assert_eq!(value_name("PURPOSE|claim:ID", Language::EN), "PURPOSE|claim:ID");
        assert_eq!(value_name("PURPOSE|claim:ID", Language::JA), "用途|claim:ID");
        assert_eq!(value_name("NAME=VALUE", Language::JA), "名前=値");
    }

    #[test]
    fn help_of_the_command_line_parses_as_the_command_line_does() {
        for language in Language::ALL {
            let program = command_line(language, Style::default());
            program.clone().debug_assert();
            let words = ["cardiograph", "check", "--store", "x", "--max-time", "1m", "/mnt"];
            assert!(program.try_get_matches_from(words).is_ok());
        }
    }
}
