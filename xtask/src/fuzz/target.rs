//! Fuzz targets: each is a program of the package `fuzz`, except for the importers, which share one and are
//! selected by a variable.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use cardiograph_import::{IMPORTERS, Named, table};

use crate::workspace;

/// The programs of one parser.
const PROGRAMS: [&str; 9] =
    ["jobfile", "cmdline", "pattern", "iolog", "registers", "store", "wire", INGEST, REPORT];
/// The program of Reports.
const REPORT: &str = "report";
/// The program of Reports that are sent.
const INGEST: &str = "ingest";
/// The program of all importers, and their common name.
pub const IMPORT: &str = "import";
/// The importers' test fixtures, which are also their seeds.
const FIXTURES: &str = "crates/import/src/fixtures";
/// Each importer gets a target's time divided by this: there are many importers.
const IMPORTER_PARTS: u32 = 4;
/// Maximum length of a dictionary word for libFuzzer, in bytes.
const WORD_LEN_BYTES_MAX: usize = 40;
const WORDS_MAX: usize = 3_000;

/// A parser that is fuzzed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// The name of the program, and of its corpus.
    pub program: &'static str,
    /// The importer to select.
    pub importer: Option<&'static str>,
}

/// All targets.
pub fn all() -> Vec<Target> {
    let importers = IMPORTERS.iter().map(|importer| importer.name).chain([table::NAME]);
    let alone = PROGRAMS.map(|program| Target { program, importer: None });
    let importers = importers.map(|name| Target { program: IMPORT, importer: Some(name) });
    alone.into_iter().chain(importers).collect()
}

/// The target with this name, or all importers; empty if unknown.
pub fn named(name: &str) -> Vec<Target> {
    all().into_iter().filter(|target| target.name() == name || target.program == name).collect()
}

impl Target {
    /// Its name: the program, followed by the importer.
    pub fn name(&self) -> String {
        match self.importer {
            Some(importer) => format!("{}-{importer}", self.program),
            None => self.program.to_string(),
        }
    }

    /// Its time if a target runs for `seconds`.
    pub fn seconds(&self, seconds: u32) -> u32 {
        if self.importer.is_some() { (seconds / IMPORTER_PARTS).max(1) } else { seconds }
    }

    /// Maximum length of its inputs, in bytes. Outputs of programs are longer than text typed by people.
    pub fn input_len_bytes_max(&self) -> usize {
        match (self.program, self.importer) {
            (REPORT | INGEST, _) => 64 << 10,
            (_, Some(_)) => 32 << 10,
            (_, None) => 4 << 10,
        }
    }

    /// Its corpus, with seeds and findings, if any.
    pub fn corpus(&self) -> Option<PathBuf> {
        let directory = workspace::root().join("fuzz/corpus").join(self.name());
        directory.is_dir().then_some(directory)
    }

    /// The fixtures of its format that are short enough to be read whole.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn fixtures(&self) -> Result<Vec<PathBuf>, String> {
        let Some(importer) = self.importer else { return Ok(Vec::new()) };
        // The user specifies the kind of some logs: their lines look the same.
        let seeded_as = if importer.starts_with("fio-log") { "fio-log" } else { importer };
        let mut files = Vec::new();
        files_below(&workspace::root().join(FIXTURES), &mut files)?;
        let mut fixtures = Vec::new();
        for file in files {
            let content = read(&file)?;
            let format = cardiograph_import::detect(&content, &Named { place: &file.to_string_lossy() });
            if format.is_some_and(|format| format.name == seeded_as)
                && content.len() <= self.input_len_bytes_max()
            {
                fixtures.push(file);
            }
        }
        Ok(fixtures)
    }

    /// Copies the fixtures into a separate directory for libFuzzer.
    ///
    /// # Errors
    /// When they cannot be read or written.
    pub fn seed(&self, directory: &Path) -> Result<(), String> {
        let failed = |error: std::io::Error| format!("{}: {error}", directory.display());
        workspace::empty_directory(directory)?;
        for (at, file) in self.fixtures()?.iter().enumerate() {
            fs::write(directory.join(format!("{at:02}")), read(file)?).map_err(failed)?;
        }
        Ok(())
    }

    /// Words of an importer's fixtures and corpus, which mutations alone would not find; empty for other
    /// targets.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn words(&self) -> Result<BTreeSet<String>, String> {
        let is_between = |c: char| !c.is_ascii_graphic() || matches!(c, '"' | '\\' | ',' | ';' | '|');
        let mut words = BTreeSet::new();
        let mut files = self.fixtures()?;
        if let Some(corpus) = self.corpus().filter(|_| self.importer.is_some()) {
            files_below(&corpus, &mut files)?;
        }
        for file in files {
            let content = read(&file)?;
            let text = String::from_utf8_lossy(&content);
            let text_words =
                text.split(is_between).filter(|word| word.len() > 1 && word.len() <= WORD_LEN_BYTES_MAX);
            words.extend(
                text_words.filter(|word| !word.chars().all(|c| c.is_ascii_digit())).map(str::to_string),
            );
        }
        Ok(words.into_iter().take(WORDS_MAX).collect())
    }
}

fn read(file: &Path) -> Result<Vec<u8>, String> {
    fs::read(file).map_err(|error| format!("{}: {error}", file.display()))
}

/// The files below a directory, in a fixed order.
fn files_below(directory: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", directory.display());
    let entries: Result<Vec<_>, _> = fs::read_dir(directory).map_err(failed)?.collect();
    let mut paths: Vec<PathBuf> = entries.map_err(failed)?.iter().map(fs::DirEntry::path).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            files_below(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_target_has_seeds_and_a_program() {
        let programs = workspace::root().join("fuzz/targets");
        for target in all() {
            let name = target.name();
            assert!(programs.join(format!("{}.rs", target.program)).is_file(), "{name}");
            let own = target.corpus().map_or(0, |directory| fs::read_dir(directory).unwrap().count());
            let least = if target.importer.is_some() { 1 } else { 6 };
            assert!(own + target.fixtures().unwrap().len() >= least, "{name}");
            assert_eq!(named(&name), [target], "{name}");
        }
        assert_eq!(named(IMPORT).len(), IMPORTERS.len() + 1);
    }

    #[test]
    fn a_seed_of_an_importer_is_a_fixture_of_its_format() {
        let files = |name: &str| {
            let files = named(name)[0].fixtures().unwrap();
            files
                .iter()
                .map(|file| file.file_name().unwrap().to_string_lossy().into_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(files("import-hdparm"), ["hdparm.txt"]);
        assert!(files("import-fio-json").contains(&"2.2-form.json".to_string()));
        assert_eq!(files("import-fio-log-ios"), files("import-fio-log"));
        let home = tempfile::tempdir().unwrap();
        let directory = home.path().join("seeds");
        named("import-hdparm")[0].seed(&directory).unwrap();
        named("import-sysbench")[0].seed(&directory).unwrap();
        let (seeds, fixtures) = (fs::read_dir(&directory).unwrap().count(), files("import-sysbench").len());
        assert_eq!(seeds, fixtures, "those of an earlier run are gone");
    }

    #[test]
    fn words_are_those_of_the_format() {
        let words = named("import-hdparm")[0].words().unwrap();
        assert!(words.contains("buffered") && words.contains("MB/sec"), "{words:?}");
        assert!(named("jobfile")[0].words().unwrap().is_empty());
    }
}
