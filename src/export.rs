//! Output files of options: Reports, pages and charts, in a file or on standard output.

use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::PathBuf;

use cardiograph_catalogue::{Language, english};
use cardiograph_core::message::with_english;
use cardiograph_core::{Report, json, message};
use cardiograph_files::{output, system};
use cardiograph_render::doc::{self, Doc};
use cardiograph_render::plot::{self, Kind, Picture, Theme, View};
use cardiograph_render::{csv, html, markdown};

use crate::cli::{FileOption, Form, STDOUT};
use crate::exit::Failure;
use crate::screen::Screen;
use crate::{png, stdout};

/// Permissions of a new file, less the process's mask.
const FILE_MODE: u32 = 0o644;

/// A Report as JSON with the English text of its messages, for readers that do not know their ids.
pub fn json_of(report: &Report) -> String {
    with_english(english, || json::to_json(report))
}

/// An output that an option names. It is checked when it is opened, so that a bad path is refused before hours of measuring.
#[derive(Debug)]
pub struct Export {
    option: &'static str,
    path: PathBuf,
    sink: Sink,
}

#[derive(Debug)]
enum Sink {
    /// Standard output, written once, at the end.
    Stdout,
    /// A pipe or a terminal, also written once.
    Stream(File),
    /// A file, replaced at each save.
    File,
}

impl Export {
    /// Opens the argument of `option`: a path, or `-` for standard output. Fails if it cannot be written.
    pub fn open(option: &'static str, argument: &str) -> Result<Self, Failure> {
        let path = PathBuf::from(argument);
        if argument == STDOUT {
            return Ok(Self { option, path, sink: Sink::Stdout });
        }
        let opened = output::try_open(system(), &path).map_err(|refused| refusal(option, &refused))?;
        Ok(Self { option, path, sink: opened.map_or(Sink::File, Sink::Stream) })
    }

    fn is_stdout(&self) -> bool {
        matches!(self.sink, Sink::Stdout)
    }

    fn say_written(&self, form: Form, screen: &Screen) {
        if !self.is_stdout() {
            screen.say_message(&message!("export-written", format = form.name(), path = &self.path));
        }
    }

    /// Writes interim content, if it can be replaced later.
    fn save<T: AsRef<[u8]>>(&self, content: impl FnOnce() -> T) -> Result<(), Failure> {
        match self.sink {
            Sink::Stdout | Sink::Stream(_) => Ok(()),
            Sink::File => output::replace(system(), &self.path, content().as_ref(), FILE_MODE)
                .map_err(|refused| refusal(self.option, &refused)),
        }
    }

    /// Writes the final content. A closed pipe is not an error.
    pub fn finish(&self, bytes: &[u8]) -> Result<(), Failure> {
        match &self.sink {
            Sink::Stdout => stdout::write(bytes).map(drop),
            Sink::File => self.save(|| bytes),
            Sink::Stream(file) => match (&mut &*file).write_all(bytes) {
                Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                    Err(refusal(self.option, &output::Refused::system(&self.path, error)))
                }
                _ => Ok(()),
            },
        }
    }
}

/// All outputs of a command besides its text, in the order in which they are written.
#[derive(Debug, Default)]
pub struct Exports {
    outputs: Vec<(Form, Export)>,
}

impl Exports {
    /// Opens the files of options.
    ///
    /// # Errors
    /// When one cannot be written, or two would be written to standard output.
    pub fn open<'a>(options: impl IntoIterator<Item = FileOption<'a>>) -> Result<Self, Failure> {
        let given = options.into_iter().filter_map(|(form, option, file)| Some((form, option, file?)));
        let mut outputs: Vec<(Form, Export)> = Vec::new();
        for (form, option, file) in given {
            let first = outputs.iter().find(|(_, other)| other.is_stdout() && file == STDOUT);
            if let Some((_, other)) = first {
                return Err(Failure::usage(message!(
                    "export-one-stdout",
                    option = other.option,
                    other = option
                )));
            }
            outputs.push((form, Export::open(option, file)?));
        }
        Ok(Self { outputs })
    }

    pub fn has(&self, form: Form) -> bool {
        self.outputs.iter().any(|(known, _)| *known == form)
    }

    /// Whether standard output carries one of them, and no text.
    pub fn use_stdout(&self) -> bool {
        self.outputs.iter().any(|(_, export)| export.is_stdout())
    }

    /// Writes interim content to the files of a form.
    pub fn save(&self, form: Form, content: impl Fn() -> String) -> Result<(), Failure> {
        self.outputs
            .iter()
            .filter(|(known, _)| *known == form)
            .try_for_each(|(_, export)| export.save(&content))
    }

    /// Writes the final content, and reports the files.
    pub fn finish(
        &self,
        screen: &Screen,
        content: impl Fn(Form) -> Result<Vec<u8>, Failure>,
    ) -> Result<(), Failure> {
        self.outputs.iter().try_for_each(|(form, export)| {
            export.finish(&content(*form)?)?;
            export.say_written(*form, screen);
            Ok(())
        })
    }

    /// Shows a document, unless standard output carries data, and writes it in all forms, with `json` as its data.
    pub fn show(&self, doc: &Doc, json: impl Fn() -> String, screen: &Screen) -> Result<(), Failure> {
        if !self.use_stdout() {
            screen.say_doc(doc);
        }
        self.finish(screen, |form| Ok(doc_as(form, doc, &json, screen.language())))
    }

    /// After a hang: files stay as they are, because another write could hang, too. Returns whether some lack the result.
    pub fn finish_streams(
        &self,
        content: impl Fn(Form) -> Result<Vec<u8>, Failure>,
    ) -> Result<bool, Failure> {
        let (files, streams): (Vec<_>, Vec<_>) =
            self.outputs.iter().partition(|(_, export)| matches!(export.sink, Sink::File));
        streams.into_iter().try_for_each(|(form, export)| export.finish(&content(*form)?))?;
        // Reports are also written after each step.
        Ok(files.into_iter().any(|(form, _)| *form != Form::Json))
    }
}

/// A Report in a form.
///
/// # Errors
/// When it has nothing to draw, or there are no fonts.
pub fn report_as(form: Form, report: &Report, language: Language) -> Result<Vec<u8>, Failure> {
    let picture = || {
        let kind = if plot::is_sweep(report) { Kind::Sweep } else { Kind::Dots };
        let view = View { width: WIDTH_DEFAULT, lang: language };
        plot::picture(kind, &[report], None, view).map_err(Failure::usage)
    };
    Ok(match form {
        Form::Json => json_of(report).into(),
        Form::Csv => csv::figures(report).into(),
        Form::Markdown => markdown::report(report, language).into(),
        Form::Html => html::report(report, language).into(),
        Form::Svg | Form::Png => picture_as(form, &picture()?, Theme::Auto)?,
    })
}

/// Writes a Report in all forms; if its drive `is_hung`, only those that do not touch a file.
///
/// # Errors
/// When one cannot be written.
pub fn finish_report(
    exports: &Exports,
    report: &Report,
    is_hung: bool,
    screen: &Screen,
) -> Result<(), Failure> {
    let content = |form| report_as(form, report, screen.language());
    if !is_hung {
        return exports.finish(screen, content);
    }
    if exports.finish_streams(content)? {
        screen.complain_message(&message!("check-no-files"));
    }
    Ok(())
}

/// A picture as SVG or PNG.
///
/// # Errors
/// When there are no fonts for PNG.
pub fn picture_as(form: Form, picture: &Picture, theme: Theme) -> Result<Vec<u8>, Failure> {
    let svg = picture.file(theme);
    if form == Form::Png { png::render(&svg).map_err(Failure::usage) } else { Ok(svg.into()) }
}

/// A document in a form, with its data as JSON. It has no picture.
pub fn doc_as(form: Form, doc: &Doc, json: impl Fn() -> String, language: Language) -> Vec<u8> {
    let text = match form {
        Form::Json => json(),
        Form::Csv => doc::csv::render(doc, language),
        Form::Html => html::document(doc, language),
        Form::Markdown | Form::Svg | Form::Png => doc::markdown::render(doc, language),
    };
    text.into()
}

/// Width of pictures of options that do not give one, in pixels.
pub const WIDTH_DEFAULT: u32 = 720;

/// The error for an option's path that cannot be written.
pub fn refusal(option: &str, refused: &output::Refused) -> Failure {
    Failure::usage(message!("option-refused", option, refused = refused.message()))
}
