//! Saves Reports in the store, and in the file of `--export-json`.

use cardiograph_checkup::keeper;
use cardiograph_core::report::ReportState;
use cardiograph_core::{Report, message};
use cardiograph_store::{Query, Store};

use crate::cli::Form;
use crate::exit::Failure;
use crate::export::{self, Exports};
use crate::records::Records;

/// Saves a Report in the store and in a file.
#[derive(Default)]
pub struct Keeper {
    /// The saved checkups.
    pub records: Records,
    /// The store, unless nothing is to be saved.
    pub store: Option<Box<dyn Store>>,
    /// What the command writes besides text.
    pub exports: Exports,
    /// The server that the Report is to be sent to.
    pub server: Option<String>,
}

impl Keeper {
    /// Notes that the Report is to be sent, once it is complete.
    #[must_use]
    pub fn for_server(self, server: Option<String>) -> Self {
        Self { server, ..self }
    }

    /// Opens the store unless nothing is to be saved.
    pub fn open(records: &Records, saves_nothing: bool, exports: Exports) -> Result<Self, Failure> {
        let store = match saves_nothing {
            true => None,
            false => Some(records.store().map_err(|failure| {
                Failure::usage(message!("store-or-no-keep", error = failure.into_message()))
            })?),
        };
        Ok(Self { records: records.clone(), store, exports, server: None })
    }

    /// As [`try_save`](Self::try_save) in a dry run: only reads.
    pub fn look(&self, records: &Records) -> Result<(), Failure> {
        let found = records.store()?.find(&Query { limit: Some(1), ..Query::default() });
        found.map(drop).map_err(|error| Failure::usage(message!("store-not-saved", error = error.message())))
    }

    /// Refuses a store that cannot take the Report, before anything is measured.
    pub fn try_save(&self, report: &Report) -> Result<(), Failure> {
        let tried = self.store.as_ref().map_or(Ok(()), |store| store.try_save(report));
        tried.map_err(|error| Failure::usage(message!("store-not-saved", error = error.message())))
    }
}

impl keeper::Keeper for Keeper {
    fn begin(&self, report: &Report) -> Result<(), Failure> {
        self.exports.save(Form::Json, || export::json_of(report))
    }

    fn save(&self, report: &Report) -> Result<(), Failure> {
        let stored = match &self.store {
            Some(store) if report.state != ReportState::Running && self.server.is_some() => {
                // First, so that a kill in between does not make it forgotten. Sending it notes it again, and reports
                // what may fail here.
                let server = self.server.as_deref().unwrap_or_default();
                let _ = store.access().add_to_outbox(server, &[&report.id]);
                keeper::save_or_set_aside(store.as_ref(), report)
            }
            Some(store) => keeper::save_or_set_aside(store.as_ref(), report),
            None => Ok(()),
        };
        stored.and(self.begin(report))
    }
}
