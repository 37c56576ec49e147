//! Saved checkups: where they are, and how commands find them.

use std::ffi::OsStr;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

use cardiograph_checkup::agent::{self, Held};
use cardiograph_core::json;
use cardiograph_core::nearest::is_same;
use cardiograph_core::summary::RunSummary;
use cardiograph_core::{Message, Report, message};
use cardiograph_files::input;
use cardiograph_import::Named;
use cardiograph_judge::record::RunFigures;
use cardiograph_render::doc;
use cardiograph_store::select::{SelectError, is_word, select};
use cardiograph_store::{Query, Remark, Store, data_dir, groups};

use crate::exit::Failure;
use crate::screen::Screen;

/// The saved checkups.
#[derive(Debug, Clone, Default)]
pub struct Records {
    /// The file of `--store`; `None` for the store in the user's data directory.
    pub file: Option<PathBuf>,
}

impl Records {
    /// The store. Nothing is created or read yet.
    pub fn store(&self) -> Result<Box<dyn Store>, Failure> {
        if let Some(file) = &self.file {
            return Ok(cardiograph_store::open(file)?);
        }
        let directory = data_dir(|name| std::env::var_os(name))
            .map_err(|error| Failure::usage(message!("store-or-name", error = error.message())))?;
        Ok(cardiograph_store::open_of_user(&directory))
    }

    /// Says that a checkup is saved, and how to see all of it.
    pub fn saved_message(&self, id: &str) -> Message {
        message!("report-saved", command = format!("{} -v", self.view_command(id)))
    }

    /// The command that shows a saved checkup, with the store if it is not the default one.
    pub fn view_command(&self, id: &str) -> String {
        self.command(&format!("cardiograph show {id}"))
    }

    /// A command, with the store if it is not the default one.
    pub fn command(&self, command: &str) -> String {
        match &self.file {
            // An address may have a password, the place has none.
            Some(file) => {
                let place = cardiograph_store::open(file).map(|store| store.place().to_path_buf());
                format!("{command} --store {}", place.as_ref().unwrap_or(file).display())
            }
            None => command.to_string(),
        }
    }

    /// The Report in the file that a selector names, or the saved one. Of several it takes the newest, and says so.
    pub fn newest(&self, selector: &str, screen: &Screen) -> Result<Report, Failure> {
        if let Some(report) = self.read_file(selector)? {
            return Ok(report);
        }
        let store = self.store()?;
        let found = select(selector, store.as_ref());
        show_store_notes(store.as_ref(), screen);
        let found = found.map_err(|error| select_failure(selector, error))?;
        let run = found.first().ok_or_else(|| select_failure(selector, SelectError::Empty))?;
        if found.len() > 1 {
            let checkups = found.len();
            let newest = message!("select-newest", selector, checkups, id = run.id.as_str());
            screen.complain_message(&newest);
        }
        let loaded = store.load(&run.id);
        show_store_notes(store.as_ref(), screen);
        Ok(loaded?)
    }

    /// The checkups that a selector names as flat figures, the newest first.
    pub fn figures(&self, selector: &str, screen: &Screen) -> Result<Vec<RunFigures>, Failure> {
        if let Some(report) = self.read_file(selector)? {
            return Ok(vec![RunFigures::from_report(&report)]);
        }
        let store = self.store()?;
        let selected = select(selector, store.as_ref()).map_err(|error| select_failure(selector, error));
        load_figures(store.as_ref(), selected, screen)
    }

    /// The same with the latencies that this program measured, which percentiles of several runs together need.
    pub fn figures_with_latencies(
        &self,
        selector: &str,
        screen: &Screen,
    ) -> Result<Vec<RunFigures>, Failure> {
        let mut runs = self.figures(selector, screen)?;
        self.add_latencies(&mut runs)?;
        Ok(runs)
    }

    /// Adds the latencies of saved runs. Runs in files have them.
    pub fn add_latencies(&self, runs: &mut [RunFigures]) -> Result<(), Failure> {
        groups::add_latencies(runs, self.store()?.as_ref());
        Ok(())
    }

    /// All saved checkups as flat figures, the newest first.
    pub fn all_figures(&self, screen: &Screen) -> Result<Vec<RunFigures>, Failure> {
        let store = self.store()?;
        let all = match store.find(&Query::default()) {
            Ok(runs) if runs.is_empty() => Err(select_failure("", SelectError::Empty)),
            found => found.map_err(Failure::from),
        };
        load_figures(store.as_ref(), all, screen)
    }

    /// The Report in the file that a selector names; `None` if there is no such file. A word that names both a file and a saved
    /// checkup is an error.
    fn read_file(&self, selector: &str) -> Result<Option<Report>, Failure> {
        let path = Path::new(selector);
        let is_readable = |kind: std::fs::FileType| kind.is_file() || kind.is_fifo();
        if !path.metadata().is_ok_and(|found| is_readable(found.file_type())) {
            return Ok(None);
        }
        let is_bare = is_word(selector) && !selector.contains('/');
        let saved = || select(selector, self.store().ok()?.as_ref()).ok()?.into_iter().next();
        if let Some(run) = is_bare.then(saved).flatten() {
            let is_label = run.label.as_deref().is_some_and(|label| is_same(selector, label));
            let other = if is_label { format!("label:{selector}") } else { run.id.to_string() };
            return Err(Failure::usage(message!("select-or-file", selector, other)));
        }
        let unreadable = |error: cardiograph_core::Parameter| {
            Failure::usage(message!("input-unreadable", path = selector, error))
        };
        let bytes =
            input::open(path).and_then(|file| input::read_limited(file, json::LEN_BYTES_MAX, json::KIND));
        let bytes = bytes.map_err(|error| unreadable(error.into()))?;
        json::from_json(&bytes).map(Some).map_err(|error| {
            match cardiograph_import::detect(&bytes, &Named { place: selector }) {
                Some(importer) => {
                    Failure::usage(message!("report-other-format", path = selector, format = importer.name))
                }
                None => unreadable(error.message().into()),
            }
        })
    }
}

/// Shows a store's remarks.
pub fn show_store_notes(store: &dyn Store, screen: &Screen) {
    store.remarks().iter().for_each(|remark| match remark {
        Remark::TookUnsaved { .. } => {
            screen.say_prose(&cardiograph_core::text::as_sentence(&screen.language().text(&remark.message())))
        }
        Remark::LeftOut { .. } => screen.complain_message(&remark.message()),
    });
}

/// Reports processes of earlier runs that the kernel holds because their drives do not respond.
pub fn report_held_processes(screen: &Screen) {
    for Held { process, path, since_unix_ms } in agent::held() {
        let since = doc::when(since_unix_ms).unwrap_or_default();
        screen.complain_message(&message!(
            "process-held",
            process = process.to_string(),
            path = &path,
            since
        ));
    }
}

fn load_figures(
    store: &dyn Store,
    selected: Result<Vec<RunSummary>, Failure>,
    screen: &Screen,
) -> Result<Vec<RunFigures>, Failure> {
    show_store_notes(store, screen);
    let runs = selected?;
    let ids: Vec<&str> = runs.iter().map(|run| run.id.as_str()).collect();
    let found = store.figures(&ids);
    show_store_notes(store, screen);
    Ok(found?)
}

/// The error for a selector, which may be meant as a file or as another selector.
pub fn select_failure(selector: &str, error: SelectError) -> Failure {
    let is_path = is_word(selector)
        && (Path::new(selector).extension() == Some(OsStr::new("json")) || selector.contains('/'));
    match error {
        SelectError::Nothing(_) | SelectError::Empty if is_path => {
            Failure::usage(match Path::new(selector).is_dir() {
                true => message!("select-no-file.directory", selector),
                false => message!("select-no-file", selector),
            })
        }
        SelectError::Store(error) => error.into(),
        other => Failure::usage(other.message()),
    }
}
