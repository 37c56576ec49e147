//! Reports that could not be saved, each as a JSON file in a separate directory.

use std::path::PathBuf;
use std::sync::Arc;

use cardiograph_catalogue::english;
use cardiograph_core::message::with_english;
use cardiograph_core::report::validate::is_id;
use cardiograph_core::report::{REPORT_VERSION, json};
use cardiograph_core::{Action, Report};
use cardiograph_files::{FileSystem, Open, if_there, output, split};

use crate::StoreError;
use crate::error::{Versioned, check_id, io_error};

/// A Report contains serial numbers and paths, so only the owner may read it.
const FILE_MODE: u32 = 0o600;
const DIRECTORY_MODE: u32 = 0o700;

/// A directory of Reports, created when first needed.
pub struct Unsaved {
    pub directory: PathBuf,
    pub files: Arc<dyn FileSystem>,
}

impl Unsaved {
    fn path_of(&self, id: &str) -> PathBuf {
        self.directory.join(format!("{id}.json"))
    }

    /// The ids of all Reports, oldest first: ids sort by time.
    pub fn ids(&self) -> Result<Vec<String>, StoreError> {
        let names = self.files.directory(&self.directory).and_then(|directory| directory.names());
        let names = if_there(names).map_err(|source| io_error(Action::Read, &self.directory, source))?;
        let mut ids = Vec::new();
        for name in names.into_iter().flatten() {
            let id = name.to_str().and_then(|name| name.strip_suffix(".json"));
            ids.extend(id.filter(|id| is_id(id)).map(str::to_string));
        }
        ids.sort_unstable();
        Ok(ids)
    }

    /// The Report with this id.
    pub fn load(&self, id: &str) -> Result<Report, StoreError> {
        let path = self.path_of(id);
        let (directory, name) = (self.files.directory(&self.directory), format!("{id}.json"));
        let bytes = directory.and_then(|directory| directory.open(name.as_ref(), Open::Read)?.read_all());
        let bytes = bytes.map_err(|source| io_error(Action::Read, &path, source))?;
        let report = json::read_report(&bytes).map_err(|source| StoreError::Malformed { path, source })?;
        match report.report_version {
            found if found > REPORT_VERSION => Err(StoreError::TooNew {
                what: Versioned::Report(id.to_string()),
                found: found.into(),
                known: REPORT_VERSION,
            }),
            _ => Ok(report),
        }
    }

    /// Writes a Report, replacing an earlier one with its id.
    pub fn save(&self, report: &Report) -> Result<(), StoreError> {
        check_id(&report.id)?;
        let path = self.path_of(&report.id);
        let bytes = with_english(english, || json::report_line(report)) + "\n";
        let made = self.files.create_directories(&self.directory, DIRECTORY_MODE);
        made.map_err(|source| io_error(Action::Create, &self.directory, source))?;
        output::replace(&*self.files, &path, bytes.as_bytes(), FILE_MODE)
            .map_err(|refused| io_error(Action::Write, &path, refused.into()))
    }

    /// Removes the existing files of these ids, and the directory if it is then empty.
    pub fn clear(&self, ids: &[&str]) -> Result<(), StoreError> {
        let remove = || {
            let Some(directory) = if_there(self.files.directory(&self.directory))? else { return Ok(()) };
            for id in ids {
                if_there(directory.remove(format!("{id}.json").as_ref()))?;
            }
            directory.sync()
        };
        remove().map_err(|source| io_error(Action::Write, &self.directory, source))?;
        if let Some((parent, name)) = split(&self.directory) {
            let _ = self.files.directory(parent).and_then(|parent| parent.remove_directory(name));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use cardiograph_core::{Parameter, errno, message};
    use cardiograph_testing::reports;

    use super::*;

    fn unsaved() -> (tempfile::TempDir, Unsaved) {
        let root = tempfile::tempdir().unwrap();
        let directory = root.path().join("data/drives.db.unsaved");
        (root, Unsaved { directory, files: Arc::new(cardiograph_files::System) })
    }

    #[test]
    fn reports_are_replaced_listed_and_removed() {
        let (_root, unsaved) = unsaved();
        assert_eq!(unsaved.ids().unwrap(), Vec::<String>::new());
        for id in ["20251105-1", "20260101-1", "20251105-2"] {
            unsaved.save(&reports::report(id, 1)).unwrap();
        }
        for stranger in ["notes.txt", ".20260202-1.7-0.tmp", ".hidden.json", "a b.json", ".json"] {
            fs::write(unsaved.directory.join(stranger), "{").unwrap();
        }
        let ids = ["20251105-1", "20251105-2", "20260101-1"];
        assert_eq!(unsaved.ids().unwrap(), ids);
        let later = Report { label: Some("カード A".to_string()), ..reports::report(ids[0], 1) };
        unsaved.save(&later).unwrap();
        assert_eq!(unsaved.load(ids[0]).unwrap(), later);
        unsaved.clear(&ids[..2]).unwrap();
        assert_eq!(unsaved.ids().unwrap(), ids[2..]);
        assert!(unsaved.directory.exists(), "files of others are in it");
    }

    #[test]
    fn only_the_owner_may_read() {
        let (_root, unsaved) = unsaved();
        unsaved.save(&reports::report("a", 1)).unwrap();
        for path in [unsaved.path_of("a"), unsaved.directory] {
            assert_eq!(fs::metadata(path).unwrap().permissions().mode() & 0o077, 0);
        }
    }

    #[test]
    fn ids_cannot_leave_the_directory() {
        let (_root, unsaved) = unsaved();
        let long = "a".repeat(201);
        for id in ["", ".", "..", "../a", "a/b", "/etc/passwd", ".a", "-a", "a\0", "a\n", "ä", &long] {
            assert!(matches!(unsaved.save(&reports::report(id, 1)), Err(StoreError::BadId { .. })), "{id:?}");
        }
        assert!(!unsaved.directory.exists());
    }

    #[test]
    fn errors_explain_the_file() {
        let (root, unsaved) = unsaved();
        unsaved.save(&Report { report_version: REPORT_VERSION + 1, ..reports::report("later", 1) }).unwrap();
        assert!(matches!(unsaved.load("later"), Err(StoreError::TooNew { found: 2, known: 1, .. })));
        fs::write(unsaved.path_of("half"), "{\"report_version\": 1,\n\"id\": ").unwrap();
        let half = unsaved.load("half").unwrap_err();
        assert!(
            matches!(&half, StoreError::Malformed { source, .. } if source.to_string().contains("line 2 column")),
            "{half}"
        );
        // A file in place of the directory fails for root as well; permissions do not.
        let file = root.path().join("file");
        fs::write(&file, "").unwrap();
        let unsaved = Unsaved { directory: file.join("reports"), ..unsaved };
        let refused = unsaved.save(&reports::report("a", 1)).unwrap_err().message();
        let error = Parameter::OsError(errno::ENOTDIR);
        assert_eq!(refused, message!("cannot-create", path = &file.join("reports"), error));
    }
}
