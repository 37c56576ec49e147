//! Keeps [`Report`]s.
//!
//! A [`Store`] saves, loads and finds; it neither measures nor shows. [`SqliteStore`] is the one that the program uses.
//!
//! Reading order: [`Store`] → [`Query`] → [`SqliteStore`] → [`select`](mod@select) (how a user names checkups) →
//! [`StoreError`].
#![forbid(unsafe_code)]

mod error;
mod query;
pub mod select;
mod sqlite;
mod unsaved;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use cardiograph_core::Report;
use cardiograph_core::summary::RunSummary;
use cardiograph_judge::record::RunFigures;

pub use error::{Remark, StoreError, Versioned};
pub use query::Query;
pub use sqlite::{Mended, SqliteStore};

/// A place in which Reports are kept.
///
/// A Report is saved again after each of its steps, so that what was measured outlives whatever happens next. Threads can share
/// one.
pub trait Store: Send + Sync {
    /// Keeps `report` under its id, in place of an earlier one of that id. Afterwards the Report is durable; after a
    /// failure the earlier one still stands.
    ///
    /// # Errors
    /// When the id cannot be used, or the system refuses.
    fn save(&self, report: &Report) -> Result<(), StoreError> {
        self.save_all(std::slice::from_ref(report))
    }

    /// Keeps several. A store that can keeps all or none.
    ///
    /// # Errors
    /// As [`Store::save`].
    fn save_all(&self, reports: &[Report]) -> Result<(), StoreError>;

    /// The Report with this id.
    ///
    /// # Errors
    /// When there is none, when it cannot be read, or when a later version of the program wrote it.
    fn load(&self, id: &str) -> Result<Report, StoreError>;

    /// The checkups that are wanted, the newest first. Those without a date are sorted by when they were first kept.
    ///
    /// # Errors
    /// When the place exists and cannot be read.
    fn find(&self, query: &Query) -> Result<Vec<RunSummary>, StoreError>;

    /// Checkups as flat figures, in the order of `ids`.
    ///
    /// # Errors
    /// As [`Store::load`].
    fn figures(&self, ids: &[&str]) -> Result<Vec<RunFigures>, StoreError>;

    /// Removes checkups, all or none where the store can. One that still runs is saved again with its next step.
    ///
    /// # Errors
    /// When there is none of one of the ids, or the system refuses.
    fn remove(&self, ids: &[&str]) -> Result<(), StoreError>;

    /// Whether `report` could be saved: does so, and takes it back.
    ///
    /// # Errors
    /// As [`Store::save`].
    fn try_save(&self, report: &Report) -> Result<(), StoreError>;

    /// Saves a Report that cannot be saved in the store as a separate file, which is imported when the store
    /// can be written again. Returns its path.
    ///
    /// # Errors
    /// As [`Store::save`].
    fn set_aside(&self, report: &Report) -> Result<PathBuf, StoreError>;

    /// Repairs damage; `None` if there is none. The damaged file is kept.
    ///
    /// # Errors
    /// When there is no store, when it is another program's, or when the system refuses; it is unchanged
    /// then.
    fn repair(&self) -> Result<Option<Mended>, StoreError>;

    /// Remarks about the store for the user, although nothing failed; each is shown once.
    fn remarks(&self) -> Vec<Remark>;

    /// Where it is.
    fn place(&self) -> &Path;
}

/// The store in a user's data directory.
const FILE: &str = "cardiograph.db";

/// The store that `url` names: a file of SQLite's, also as `sqlite:FILE`. Nothing is made or read yet.
///
/// # Errors
/// [`StoreError::NoSuchKind`] for addresses of others.
pub fn open(url: &Path) -> Result<Box<dyn Store>, StoreError> {
    let kind = url.to_str().and_then(|url| url.split_once(':'));
    let is_word = |kind: &str| !kind.is_empty() && kind.bytes().all(|byte| byte.is_ascii_lowercase());
    match kind {
        Some(("sqlite", file)) => Ok(Box::new(SqliteStore::new(file))),
        Some((kind, rest)) if is_word(kind) && rest.starts_with("//") => {
            Err(StoreError::NoSuchKind { kind: kind.to_string() })
        }
        _ => Ok(Box::new(SqliteStore::new(url))),
    }
}

/// The store of a user, in the directory that [`data_dir`] gives. Nothing is made or read yet.
pub fn open_of_user(data_directory: &Path) -> Box<dyn Store> {
    Box::new(SqliteStore::new(data_directory.join(FILE)).in_our_place())
}

/// Where a user's data of this program belong: `$XDG_DATA_HOME/cardiograph`, else `$HOME/.local/share/cardiograph`. `env`
/// looks up an environment variable. Relative paths are ignored, as the XDG Base Directory Specification demands.
///
/// # Errors
/// [`StoreError::NoHome`] when neither variable holds an absolute path.
pub fn data_dir(env: impl Fn(&str) -> Option<OsString>) -> Result<PathBuf, StoreError> {
    let absolute = |name: &str| env(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let data = absolute("XDG_DATA_HOME").or_else(|| Some(absolute("HOME")?.join(".local/share")));
    Ok(data.ok_or(StoreError::NoHome)?.join("cardiograph"))
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
            // Files may be called so.
            ("a:b", Ok("a:b")),
            ("./postgresql://x", Ok("./postgresql://x")),
            ("postgresql://host/drives", Err("postgresql")),
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
    fn reports_belong_where_the_specification_says() {
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
