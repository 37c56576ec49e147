//! Keeps [`Report`]s.
//!
//! A [`Store`] saves, loads and finds Reports; it neither measures nor displays. The program uses [`SqliteStore`].
//!
//! Reading order: [`Store`] → [`Query`] → [`SqliteStore`] → [`select`](mod@select) (how a user names checkups) →
//! [`StoreError`].
#![forbid(unsafe_code)]

mod access;
mod backend;
mod clock;
mod database;
mod drive;
mod error;
pub mod groups;
pub mod over_time;
mod postgres;
mod query;
pub mod select;
mod sqlite;
mod tables;
mod trouble;
mod unsaved;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use cardiograph_core::summary::RunSummary;
use cardiograph_core::{Report, message};
use cardiograph_judge::record::RunFigures;

pub use access::{
    Access, AuditEntry, Deed, KeptCard, Saved, TOKEN_BEGIN, TOKEN_DIGITS, Token, Unsent, is_token,
};
pub use drive::{DriveOrder, DriveQuery, DriveSummary, drive_key};
pub use error::{Remark, StoreError, Versioned};
pub use postgres::PostgresStore;
pub use query::{Arrival, Query};
pub use sqlite::{Mended, SqliteStore};

/// Stores Reports.
///
/// A Report is saved again after each of its steps, so that measurements survive whatever happens next. Threads can
/// share a store.
pub trait Store: Send + Sync {
    /// Saves `report` under its id, replacing an earlier one with that id. Afterwards the Report is durable; after a
    /// failure the earlier one is unchanged.
    ///
    /// # Errors
    /// When the id cannot be used, or the system refuses.
    fn save(&self, report: &Report) -> Result<(), StoreError> {
        self.save_all(std::slice::from_ref(report))
    }

    /// Saves several Reports. A store that can saves all or none.
    ///
    /// # Errors
    /// As [`Store::save`].
    fn save_all(&self, reports: &[Report]) -> Result<(), StoreError>;

    /// The Report with this id.
    ///
    /// # Errors
    /// When there is none, when it cannot be read, or when a later version of the program wrote it.
    fn load(&self, id: &str) -> Result<Report, StoreError> {
        Ok(self.load_all(&[id])?.remove(0))
    }

    /// The Reports with these ids, in their order, as they were at one moment.
    ///
    /// # Errors
    /// As [`Store::load`], for any of them.
    fn load_all(&self, ids: &[&str]) -> Result<Vec<Report>, StoreError>;

    /// The checkups that match, newest first. Those without a date are sorted by when they were first saved.
    ///
    /// # Errors
    /// When the store exists and cannot be read.
    fn find(&self, query: &Query) -> Result<Vec<RunSummary>, StoreError>;

    /// Checkups as flat figures, in the order of `ids`.
    ///
    /// # Errors
    /// As [`Store::load`].
    fn figures(&self, ids: &[&str]) -> Result<Vec<RunFigures>, StoreError>;

    /// As [`Store::figures`], but tests may be without titles and figures: the measurements that purposes are judged by,
    /// which trends and changes are made of, in a fraction of the time.
    ///
    /// # Errors
    /// As [`Store::load`].
    fn deciding_figures(&self, ids: &[&str]) -> Result<Vec<RunFigures>, StoreError> {
        self.figures(ids)
    }

    /// Removes checkups, all or none if the store can. A checkup that is still running is saved again with its next
    /// step.
    ///
    /// # Errors
    /// When one of the ids does not exist, or the system refuses.
    fn remove(&self, ids: &[&str]) -> Result<(), StoreError>;

    /// The drives that match, with what their checkups say of them.
    ///
    /// # Errors
    /// As [`Store::find`].
    fn drives(&self, query: &DriveQuery) -> Result<Vec<DriveSummary>, StoreError>;

    /// The number of drives that match, without regard to a limit.
    ///
    /// # Errors
    /// As [`Store::find`].
    fn count_drives(&self, query: &DriveQuery) -> Result<u64, StoreError>;

    /// Joins the drive `key` to another: both are one drive. Its checkups, also later ones, become the other's.
    ///
    /// # Errors
    /// [`StoreError::NoSuchDrive`], or when the system refuses.
    fn join_drives(&self, key: &str, into_key: &str) -> Result<(), StoreError>;

    /// Undoes [`Store::join_drives`].
    ///
    /// # Errors
    /// As [`Store::join_drives`].
    fn separate_drive(&self, key: &str) -> Result<(), StoreError>;

    /// The joined drives: the key of each, and that of the other.
    ///
    /// # Errors
    /// As [`Store::find`].
    fn joined_drives(&self) -> Result<Vec<(String, String)>, StoreError>;

    /// The checkups that were first saved after the one with this number, in that order, at most `limit`; without a
    /// number, only the last one.
    ///
    /// # Errors
    /// As [`Store::find`].
    fn arrivals(&self, after: Option<u64>, limit: u64) -> Result<Vec<Arrival>, StoreError>;

    /// The key of a checkup's drive; `None` if there is no such checkup.
    ///
    /// # Errors
    /// As [`Store::find`].
    fn drive_of(&self, id: &str) -> Result<Option<String>, StoreError>;

    /// What is kept with the Reports.
    fn access(&self) -> &dyn Access;

    /// Tests whether `report` can be saved: saves it and rolls back.
    ///
    /// # Errors
    /// As [`Store::save`].
    fn try_save(&self, report: &Report) -> Result<(), StoreError>;

    /// Saves a Report that the store cannot take as a separate file, to be imported once the store is writable again.
    /// Returns its path.
    ///
    /// # Errors
    /// As [`Store::save`].
    fn set_aside(&self, report: &Report) -> Result<PathBuf, StoreError>;

    /// Repairs damage; `None` if there is none. The damaged file is kept.
    ///
    /// # Errors
    /// When there is no store, when it belongs to another program, or when the system refuses; it is unchanged then.
    fn repair(&self) -> Result<Option<Mended>, StoreError>;

    /// Remarks about the store for the user although nothing failed; each is returned once.
    fn remarks(&self) -> Vec<Remark>;

    /// Where the store is.
    fn place(&self) -> &Path;
}

/// The store in a user's data directory.
const FILE: &str = "cardiograph.db";

/// The store that `url` names: an SQLite file, optionally as `sqlite:FILE`, or a PostgreSQL database as
/// `postgresql://USER@HOST/DATABASE`. Creates and reads nothing yet.
///
/// # Errors
/// [`StoreError::NoSuchKind`] for URLs of other databases, [`StoreError::NoStore`] for one that cannot be read.
pub fn open(url: &Path) -> Result<Box<dyn Store>, StoreError> {
    let kind = url.to_str().and_then(|url| url.split_once(':'));
    let is_word = |kind: &str| !kind.is_empty() && kind.bytes().all(|byte| byte.is_ascii_lowercase());
    match kind {
        Some(("sqlite", file)) => Ok(Box::new(SqliteStore::new(file))),
        Some(("postgresql" | "postgres", rest)) if rest.starts_with("//") => {
            Ok(Box::new(PostgresStore::new(&url.to_string_lossy())?))
        }
        Some((kind, rest)) if is_word(kind) && rest.starts_with("//") => {
            Err(StoreError::NoSuchKind { kind: kind.to_string() })
        }
        _ => Ok(Box::new(SqliteStore::new(url))),
    }
}

/// The user's store, in the directory that [`data_dir`] returns. Creates and reads nothing yet.
pub fn open_of_user(data_directory: &Path) -> Box<dyn Store> {
    Box::new(SqliteStore::new(data_directory.join(FILE)).in_our_place())
}

/// The directory for a user's data: `$XDG_DATA_HOME/cardiograph`, else `$HOME/.local/share/cardiograph`. `env` looks
/// up an environment variable. Relative paths are ignored, as the XDG Base Directory Specification demands.
///
/// # Errors
/// [`StoreError::NoStore`] when neither variable holds an absolute path.
pub fn data_dir(env: impl Fn(&str) -> Option<OsString>) -> Result<PathBuf, StoreError> {
    let absolute = |name: &str| env(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let data = absolute("XDG_DATA_HOME").or_else(|| Some(absolute("HOME")?.join(".local/share")));
    Ok(data.ok_or_else(|| StoreError::NoStore(message!("store-no-home")))?.join("cardiograph"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_is_named_by_its_file_or_its_kind() {
        for (url, expected) in [
            ("drives.db", Ok("drives.db")),
            ("sqlite:drives.db", Ok("drives.db")),
            ("sqlite:/a/drives.db", Ok("/a/drives.db")),
            // Valid file names.
            ("a:b", Ok("a:b")),
            ("./postgresql://x", Ok("./postgresql://x")),
            ("postgresql://ann:secret@host/drives", Ok("postgresql://ann@host/drives")),
            ("mysql://host/drives", Err("mysql")),
        ] {
            let found = open(Path::new(url));
            match (&found, expected) {
                (Ok(store), Ok(place)) => assert_eq!(store.place(), Path::new(place), "{url}"),
                (Err(StoreError::NoSuchKind { kind }), Err(expected)) => assert_eq!(kind, expected, "{url}"),
                _ => panic!("{url}"),
            }
        }
    }

    #[test]
    fn the_data_directory_follows_the_specification() {
        let place = |data: Option<&str>, home: Option<&str>| {
            data_dir(|name| match name {
                "XDG_DATA_HOME" => data.map(OsString::from),
                "HOME" => home.map(OsString::from),
                _ => None,
            })
            .ok()
        };
        let path = |text: &str| Some(PathBuf::from(text));
        assert_eq!(place(Some("/d"), Some("/h")), path("/d/cardiograph"));
        assert_eq!(place(None, Some("/h")), path("/h/.local/share/cardiograph"));
        assert_eq!(place(Some("d"), Some("/h")), path("/h/.local/share/cardiograph"));
        assert_eq!(place(Some(""), Some("/h")), path("/h/.local/share/cardiograph"));
        assert_eq!(place(None, Some("h")), None);
        assert_eq!(place(None, None), None);
    }
}
