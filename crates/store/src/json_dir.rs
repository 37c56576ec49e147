//! A directory with one JSON file for each Report.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cardiograph_core::Report;
use cardiograph_core::report::validate::is_id;
use cardiograph_core::report::{REPORT_VERSION, json};
use cardiograph_core::summary::RunSummary;
use cardiograph_files::{FileSystem, Kind, Open, System, if_there, output, split};
use cardiograph_judge::record::RunFigures;

use crate::error::{check_id, io_error};
use crate::{Query, Remark, Store, StoreError};

/// A Report names serial numbers and paths, so others may not read it.
const FILE_MODE: u32 = 0o600;
const DIRECTORY_MODE: u32 = 0o700;

/// Keeps each Report in `ID.json` in a directory, which is made when first needed.
///
/// A file is written under another name, made durable and then renamed into place, so that there is at no time a
/// part of a Report under its name. Files that a killed writer left behind have names that are not listed.
#[derive(Debug, Clone)]
pub struct JsonDir {
    directory: PathBuf,
    files: Arc<dyn FileSystem>,
}

impl JsonDir {
    /// A store in `directory`. Nothing is made or read yet.
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        Self { directory: directory.into(), files: Arc::new(System) }
    }

    /// The same on another file system.
    #[must_use]
    pub fn on(mut self, files: Arc<dyn FileSystem>) -> Self {
        self.files = files;
        self
    }

    /// The directory.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    fn path_of(&self, id: &str) -> Result<PathBuf, StoreError> {
        check_id(id)?;
        Ok(self.directory.join(format!("{id}.json")))
    }

    /// The ids of all Reports, the newest first. Ids sort by time.
    ///
    /// # Errors
    /// When the directory exists and cannot be read.
    pub fn ids(&self) -> Result<Vec<String>, StoreError> {
        let names = self.files.directory(&self.directory).and_then(|directory| directory.names());
        let names = if_there(names).map_err(|source| io_error("read", &self.directory, source))?;
        let mut ids = Vec::new();
        for name in names.into_iter().flatten() {
            let id = name.to_str().and_then(|name| name.strip_suffix(".json"));
            ids.extend(id.filter(|id| is_id(id)).map(str::to_string));
        }
        ids.sort_unstable_by(|a, b| b.cmp(a));
        Ok(ids)
    }

    /// The Report with this id, and when its file was written, in nanoseconds since 1970-01-01 UTC.
    ///
    /// # Errors
    /// When there is none, when it cannot be read, or when a later version of the program wrote it.
    pub fn load_file(&self, id: &str) -> Result<(Report, i64), StoreError> {
        let path = self.path_of(id)?;
        let (bytes, modified_ns) = self.read(&path).map_err(|source| match source.kind() {
            io::ErrorKind::NotFound => {
                StoreError::NotFound { id: id.to_string(), place: self.directory.clone() }
            }
            _ => io_error("read", &path, source),
        })?;
        // A later form may be unreadable: then its version is the better answer.
        let parsed = json::read_report(&bytes);
        let found = match &parsed {
            Ok(report) => Some(report.report_version.into()),
            Err(_) => version_of(&bytes),
        };
        if let Some(found) = found.filter(|&found| found > u64::from(REPORT_VERSION)) {
            let (what, form) = (path.display().to_string(), "the report's form");
            return Err(StoreError::TooNew { what, form, found, known: REPORT_VERSION });
        }
        let report = parsed.map_err(|source| StoreError::Malformed { path, source })?;
        Ok((report, modified_ns))
    }

    fn read(&self, path: &Path) -> io::Result<(Vec<u8>, i64)> {
        let name = path.file_name().unwrap_or(OsStr::new(""));
        let file = self.files.directory(&self.directory)?.open(name, Open::Read)?;
        let facts = file.facts()?;
        if facts.kind != Kind::File {
            return Err(io::Error::other("it is not a regular file"));
        }
        Ok((file.read_all()?, facts.modified_ns.clamp(0, i64::MAX.into()) as i64))
    }

    fn save(&self, report: &Report) -> Result<(), StoreError> {
        let path = self.path_of(&report.id)?;
        let bytes = json::report_line(report) + "\n";
        let made = self.files.create_directories(&self.directory, DIRECTORY_MODE);
        made.map_err(|source| io_error("create", &self.directory, source))?;
        output::replace(&*self.files, &path, bytes.as_bytes(), FILE_MODE)
            .map_err(|refused| io_error("write", &path, refused.into()))
    }

    /// Removes the files of those of the ids that have one.
    ///
    /// # Errors
    /// What the system says.
    pub fn remove_those_of(&self, ids: &[&str]) -> Result<(), StoreError> {
        let remove = || {
            let Some(directory) = if_there(self.files.directory(&self.directory))? else { return Ok(()) };
            for id in ids {
                if_there(directory.remove(format!("{id}.json").as_ref()))?;
            }
            directory.sync()
        };
        remove().map_err(|source| io_error("write", &self.directory, source))
    }

    /// As [`JsonDir::remove_those_of`], and the directory, too, where nothing else is in it.
    ///
    /// # Errors
    /// What the system says of the files.
    pub fn clear(&self, ids: &[&str]) -> Result<(), StoreError> {
        self.remove_those_of(ids)?;
        if let Some((parent, name)) = split(&self.directory) {
            let _ = self.files.directory(parent).and_then(|parent| parent.remove_directory(name));
        }
        Ok(())
    }
}

impl Store for JsonDir {
    fn save_all(&self, reports: &[Report]) -> Result<(), StoreError> {
        reports.iter().try_for_each(|report| JsonDir::save(self, report))
    }

    fn load(&self, id: &str) -> Result<Report, StoreError> {
        Ok(self.load_file(id)?.0)
    }

    /// Reads all files. Those that cannot be read are left out.
    fn find(&self, query: &Query) -> Result<Vec<RunSummary>, StoreError> {
        let mut runs = Vec::new();
        for id in self.ids()? {
            let Ok((report, modified_ns)) = self.load_file(&id) else { continue };
            let run = RunSummary::of(&report);
            let sorted = match run.started_unix_ms {
                0 => modified_ns as u128,
                ms => u128::from(ms) * 1_000_000,
            };
            runs.push((sorted, run));
        }
        runs.sort_by_key(|&(sorted, _)| std::cmp::Reverse(sorted));
        Ok(query.of(runs.into_iter().map(|(_, run)| run).collect()))
    }

    fn figures(&self, ids: &[&str]) -> Result<Vec<RunFigures>, StoreError> {
        ids.iter().map(|id| Ok(RunFigures::of(&self.load(id)?))).collect()
    }

    fn remove(&self, ids: &[&str]) -> Result<(), StoreError> {
        ids.iter().try_for_each(|id| self.load_file(id).map(drop))?;
        self.remove_those_of(ids)
    }

    fn remarks(&self) -> Vec<Remark> {
        Vec::new()
    }

    fn place(&self) -> &Path {
        &self.directory
    }
}

fn version_of(bytes: &[u8]) -> Option<u64> {
    serde_json::from_slice::<serde_json::Value>(bytes).ok()?.get("report_version")?.as_u64()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;
    use std::os::unix::fs::PermissionsExt;

    use cardiograph_core::report::ReportState;

    use super::*;

    fn report(id: &str) -> Report {
        Report {
            label: Some("カード A".to_string()),
            seed: u64::MAX,
            ..Report::new(id, 1_762_312_741_000, "cardiograph 0.1.0", "quick")
        }
    }

    fn store() -> (tempfile::TempDir, JsonDir) {
        let root = tempfile::tempdir().unwrap();
        let store = JsonDir::new(root.path().join("data/cardiograph/reports"));
        (root, store)
    }

    fn names(store: &JsonDir) -> Vec<String> {
        let entries = fs::read_dir(store.directory()).unwrap();
        let mut names: Vec<_> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn what_is_saved_is_loaded_and_replaced() {
        let (_root, store) = store();
        let mut report = report("20251105T121901-a1");
        Store::save(&store, &report).unwrap();
        assert_eq!(store.load(&report.id).unwrap(), report);
        report.state = ReportState::Finished;
        report.label = None;
        Store::save(&store, &report).unwrap();
        assert_eq!(store.load(&report.id).unwrap(), report);
        assert_eq!(names(&store), ["20251105T121901-a1.json"]);
    }

    #[test]
    fn numbers_come_back_to_the_last_bit() {
        let (_root, store) = store();
        let mut rng = cardiograph_core::rng::Rng::new(3);
        for _ in 0..200 {
            let load = f64::from_bits(rng.next_u64() >> 1);
            let mut report = report("a");
            report.environment.load_1m = Some(if load.is_finite() { load } else { 0.1 });
            Store::save(&store, &report).unwrap();
            assert_eq!(store.load("a").unwrap(), report);
        }
    }

    #[test]
    fn the_newest_comes_first_and_nothing_else_is_listed() {
        let (_root, store) = store();
        assert_eq!(store.ids().unwrap(), Vec::<String>::new());
        for id in ["20251105-1", "20260101-1", "20251105-2"] {
            Store::save(&store, &report(id)).unwrap();
        }
        for stranger in ["notes.txt", ".20260202-1.7-0.tmp", ".hidden.json", "a b.json", ".json"] {
            fs::write(store.directory().join(stranger), "{").unwrap();
        }
        assert_eq!(store.ids().unwrap(), ["20260101-1", "20251105-2", "20251105-1"]);
    }

    #[test]
    fn only_the_owner_may_read() {
        let (_root, store) = store();
        Store::save(&store, &report("a")).unwrap();
        let path = store.directory().join("a.json");
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&path) & 0o077, 0);
        assert_eq!(mode(store.directory()) & 0o077, 0);
    }

    #[test]
    fn a_writer_that_has_not_come_to_its_end_leaves_the_old_one() {
        let (_root, store) = store();
        let old = report("a");
        Store::save(&store, &old).unwrap();
        let path = store.path_of("a").unwrap();
        let mut half = output::Writer::open(cardiograph_files::system(), &path, FILE_MODE).unwrap();
        half.write_all(b"{\"report_ver").unwrap();
        assert_eq!(store.load("a").unwrap(), old);
        assert_eq!(store.ids().unwrap(), ["a"]);
        // The same process saves again although the other writer's file has the name that it would take first.
        let new = Report { state: ReportState::Finished, ..old };
        Store::save(&store, &new).unwrap();
        assert_eq!(store.load("a").unwrap(), new);
        assert_eq!(names(&store).len(), 2, "the other writer's file and the report");
    }

    #[test]
    fn a_failed_save_leaves_no_temporary_file() {
        let (_root, store) = store();
        Store::save(&store, &report("b")).unwrap();
        fs::create_dir_all(store.directory().join("a.json/full")).unwrap();
        let error = Store::save(&store, &report("a")).unwrap_err();
        assert!(matches!(error, StoreError::Io { action: "write", .. }), "{error}");
        assert_eq!(names(&store), ["a.json", "b.json"]);
    }

    #[test]
    fn a_place_that_cannot_be_written_is_named() {
        let root = tempfile::tempdir().unwrap();
        let file = root.path().join("file");
        fs::write(&file, "").unwrap();
        // A file where a directory is wanted is refused to root as well; permissions are not.
        let error = JsonDir::new(file.join("reports")).save(&report("a")).unwrap_err();
        let text = error.to_string();
        assert!(text.starts_with(&format!("cannot create {}/reports: ", file.display())), "{text}");

        let directory = root.path().join("read-only");
        fs::create_dir(&directory).unwrap();
        fs::set_permissions(&directory, fs::Permissions::from_mode(0o500)).unwrap();
        let saved = JsonDir::new(&directory).save(&report("a"));
        let root_may = fs::File::create(directory.join("probe")).is_ok();
        assert_eq!(saved.is_ok(), root_may);
        if let Err(error) = saved {
            assert!(error.to_string().contains("ermission denied"), "{error}");
        }
    }

    #[test]
    fn ids_cannot_leave_the_directory() {
        let (_root, store) = store();
        let long = "a".repeat(201);
        for id in ["", ".", "..", "../a", "a/b", "/etc/passwd", ".a", "-a", "a\0", "a\n", "ä", &long] {
            assert!(matches!(store.load(id), Err(StoreError::BadId { .. })), "{id:?}");
            assert!(matches!(Store::save(&store, &report(id)), Err(StoreError::BadId { .. })), "{id:?}");
        }
        assert!(!store.directory().exists());
    }

    #[test]
    fn what_cannot_be_loaded_is_explained() {
        let (_root, store) = store();
        Store::save(&store, &report("a")).unwrap();
        let message = |id: &str| store.load(id).unwrap_err().to_string();
        assert_eq!(message("b"), format!("there is no report 'b' in {}", store.directory().display()));

        let put =
            |id: &str, text: &str| fs::write(store.directory().join(format!("{id}.json")), text).unwrap();
        put("half", "{\"report_version\": 1,\n\"id\": ");
        assert!(message("half").contains("line 2 column"), "{}", message("half"));
        put("other", "{\"report_version\": 2, \"shape\": \"unknown\"}");
        assert!(message("other").contains("version 2 of the report's form"), "{}", message("other"));

        let later = Report { report_version: REPORT_VERSION + 1, ..report("later") };
        Store::save(&store, &later).unwrap();
        assert!(matches!(store.load("later"), Err(StoreError::TooNew { found: 2, known: 1, .. })));
    }
}
