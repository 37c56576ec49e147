//! Text output: to a terminal or a pipe, on standard output or, when that carries data, on standard error.

use std::cell::RefCell;
use std::io::{IsTerminal, Write};

use cardiograph_catalogue::Language;
use cardiograph_checkup::signals::Signals;
use cardiograph_checkup::sink::{Event, Sink};
use cardiograph_core::Message;
use cardiograph_core::report::{StepOutcome, StepResult, StepRole};
use cardiograph_core::text::plain;
use cardiograph_render::doc::{self, Doc};
use cardiograph_render::text::{self, Style};
use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

use crate::cli::Coloring;
use crate::exit::Failure;
use crate::live::Live;
use crate::stdout;

/// Columns without a terminal.
const COLUMNS_DEFAULT: usize = 80;

/// The output for text.
#[derive(Debug)]
pub struct Screen {
    language: Language,
    on_stderr: bool,
    is_terminal: bool,
    is_colored: bool,
    /// Whether only results, warnings and errors are printed.
    is_quiet: bool,
    /// What is shown while something is measured; `None` where lines only follow each other.
    live: Option<Live>,
    /// The last failure to write.
    failure: RefCell<Option<Failure>>,
}

impl Screen {
    /// A screen on standard output or standard error.
    pub fn new(on_stderr: bool, language: Language, coloring: Coloring, is_quiet: bool) -> Self {
        let is_terminal =
            if on_stderr { std::io::stderr().is_terminal() } else { std::io::stdout().is_terminal() };
        let is_colored = coloring.is_on(is_terminal, |name| std::env::var_os(name));
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let is_live = is_terminal && !is_quiet && !is_dumb;
        let live = is_live.then(|| Live::new(on_stderr, is_colored, language));
        Self { language, on_stderr, is_terminal, is_colored, is_quiet, live, failure: RefCell::new(None) }
    }

    /// The language of all output, including files.
    pub fn language(&self) -> Language {
        self.language
    }

    /// The layout of text.
    pub fn style(&self) -> Style {
        Style { width: self.columns(), color: self.is_colored }
    }

    fn columns(&self) -> usize {
        if !self.is_terminal {
            return COLUMNS_DEFAULT;
        }
        let size = match self.on_stderr {
            true => rustix::termios::tcgetwinsize(std::io::stderr()),
            false => rustix::termios::tcgetwinsize(std::io::stdout()),
        };
        match size.map(|size| usize::from(size.ws_col)) {
            Ok(columns) if columns > 0 => columns.min(120),
            _ => COLUMNS_DEFAULT,
        }
    }

    /// After one of these signals, little more is shown live.
    pub fn end_after(&self, signals: &Signals) {
        self.live.iter().for_each(|live| live.end_after(signals));
    }

    /// Prints text that is not a result.
    pub fn mention(&self, text: &str) {
        if !self.is_quiet {
            self.say(text);
        }
    }

    /// Prints text and ends the line. A closed pipe is not an error.
    pub fn say(&self, text: &str) {
        self.wipe_live();
        let end = if text.ends_with('\n') { "" } else { "\n" };
        self.write(&format!("{}{end}", self.sanitized(text)));
    }

    /// Shows a document.
    pub fn say_doc(&self, doc: &Doc) {
        self.say(&doc::terminal::render(doc, self.language, &self.style()));
    }

    /// Prints sentences, broken into lines that fit.
    pub fn say_prose(&self, text: &str) {
        self.say(&text::hanging(self.columns(), "", text));
    }

    /// Prints a sentence.
    pub fn say_message(&self, message: &Message) {
        self.say_prose(&self.language.text(message));
    }

    /// Removes what is shown live.
    pub fn wipe_live(&self) {
        self.live.iter().for_each(Live::wipe);
    }

    /// Prints an error on standard error.
    pub fn complain(&self, message: &str) {
        self.wipe_live();
        complain_as("cardiograph", message);
    }

    /// Prints a Message as an error.
    pub fn complain_message(&self, message: &Message) {
        self.complain(&self.language.text(message));
    }

    /// Removes all control sequences but our own colours. All output goes through this function or [`plain`].
    fn sanitized(&self, text: &str) -> String {
        const BEGIN: &str = "\x1b[";
        let mut parts = text.split(BEGIN);
        let mut shown = plain(parts.next().unwrap_or_default()).into_owned();
        for part in parts {
            let digits = part.bytes().take_while(u8::is_ascii_digit).count();
            let is_color = self.is_colored && digits <= 2 && part[digits..].starts_with('m');
            shown.push_str(if is_color { BEGIN } else { "\u{fffd}[" });
            shown.push_str(&plain(part));
        }
        shown
    }

    fn write(&self, text: &str) {
        if self.on_stderr {
            let _ = std::io::stderr().write_all(text.as_bytes());
        } else if let Err(failure) = stdout::write(text.as_bytes()) {
            self.failure.replace(Some(failure));
        }
    }

    /// Asks a question at the terminal that y or yes affirms; `None` without a terminal.
    pub fn confirms(&self, question: &Message) -> Option<bool> {
        let answer = ask(&format!("{} [y/N] ", self.language.text(question)))?;
        Some(["y", "yes"].contains(&answer.to_ascii_lowercase().as_str()))
    }

    /// Takes the failure to write, if there was one.
    pub fn take_failure(&self) -> Option<Failure> {
        self.failure.take()
    }
}

impl Sink for Screen {
    fn event(&self, event: Event) {
        match event {
            Event::Note(note) => self.say_message(&note),
            Event::Trouble(trouble) => self.complain_message(&trouble),
            shown => {
                if let Some(live) = &self.live {
                    live.take(shown);
                }
            }
        }
    }

    fn step_ended(&self, result: &StepResult) {
        if result.step.role == StepRole::Measure || result.outcome != StepOutcome::Done {
            self.say(&text::step(result, self.language, &self.style()));
        }
    }

    fn wants_latency(&self) -> bool {
        self.live.is_some()
    }
}

/// Prints an error under the name of a program. Failures to write are ignored.
pub fn complain_as(program: &str, message: &str) {
    let _ = writeln!(std::io::stderr(), "{program}: {}", plain(message));
}

/// The English text of a Message, for emulations of other programs.
pub fn english(message: &Message) -> String {
    Language::EN.text(message)
}

/// Asks at the terminal, and returns the answer; `None` without a terminal.
pub fn ask(question: &str) -> Option<String> {
    let mut stderr = std::io::stderr();
    if !std::io::stdin().is_terminal() || !stderr.is_terminal() {
        return None;
    }
    let mut answer = String::new();
    if write!(stderr, "{}", plain(question)).and_then(|()| stderr.flush()).is_ok() {
        // An unreadable answer is empty.
        let _ = std::io::stdin().read_line(&mut answer);
    }
    Some(answer.trim().to_string())
}

/// As [`ask`], without showing what is typed.
pub fn ask_secret(question: &str) -> Option<String> {
    /// Puts the terminal's mode back.
    struct Restored(Termios);
    impl Drop for Restored {
        fn drop(&mut self) {
            let _ = tcsetattr(std::io::stdin(), OptionalActions::Flush, &self.0);
            let _ = writeln!(std::io::stderr());
        }
    }
    let mode = tcgetattr(std::io::stdin()).ok()?;
    let mut silent = mode.clone();
    silent.local_modes.remove(LocalModes::ECHO);
    tcsetattr(std::io::stdin(), OptionalActions::Flush, &silent).ok()?;
    let _restored = Restored(mode);
    ask(question)
}

/// `text` after `first`, in lines of 80 columns, indented as `first` is long.
pub fn hanging(first: &str, text: &str) -> String {
    text::hanging(COLUMNS_DEFAULT, first, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_text_has_a_hanging_indent() {
        let words = "word ".repeat(16);
        let shown = hanging("  name  ", words.trim_end());
        let lines: Vec<&str> = shown.lines().collect();
        assert_eq!(
            lines,
            [format!("  name  {}", "word ".repeat(14).trim_end()), "        word word".to_string()]
        );
        assert_eq!(hanging("  a  ", "short"), "  a  short");
        assert_eq!(hanging("- ", &"x".repeat(100)), format!("- {}", "x".repeat(100)));
    }
}
