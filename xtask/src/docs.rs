//! `cargo xtask docs`: writes `docs/fio.md` from the option table and the man pages from the command line,
//! and checks that the tests named by the former exist.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, ExitCode};

use cardiograph_catalogue::{Language, english};
use cardiograph_jobs::options::{
    ENGINES, OPTIONS, OptionDef, SPELLING_CLASSES, Status, WordStatus, status_of,
};

use crate::workspace;

/// Path of the page in the workspace.
const PAGE: &str = "docs/fio.md";
/// The handwritten part after the tables.
const DIFFERENCES: &str = include_str!("docs/differences.md");
/// Directories searched for tests.
const SOURCES: [&str; 4] = ["crates", "src", "tests", "xtask"];

const INTRODUCTION: &str = "\
# fio's options in cardiograph

`cardiograph fio` takes fio's command lines and job files. This page lists every option and engine of fio, and its
status here:

- **works**: as in fio. The named test checks its effect on the I/O or on the output.
- **hint**: accepted with a note. It changes nothing that is measured, for the given reason.
- **no**: refused by name, for the given reason.

Nothing that changes the workload is ever ignored. An option's default value is always accepted. Names
after a comma are aliases; engines in parentheses are those that have the option. `[read,write,trim]` means
up to three values separated by commas, of which a missing one repeats the one before, and an empty one leaves the
default.

`cargo xtask docs` generates the tables from the one that the parser, the help and the messages use.
";

const OPTION_COLUMNS: &str = "\
| option | what it does | value | default | here | shown by, or why |
|--|--|--|--|--|--|
";

const SPELLINGS: &str = "
### How values are spelled

A number is read as fio reads it, as far as it goes: `10M/s` is 10M, `60.0` and `60/s` are 60, `runtime=1.5` is 1 s,
`size=100%%` is all, `bs=4k-8k` reads 4k and writes 8k, `percentile_list=50,99` is 50, a separator at the end is nothing. Where
the value is not plain, a note says how it was read. `crates/jobs/src/options/spellings.tsv` lists how fio 3.33 reads some
800 spellings; all are read the same way here except these:

| class | as in | fio | here | why |
|--|--|--|--|--|
";

/// Directory of a language's man pages in the workspace.
fn man_directory(language: Language) -> String {
    match language {
        Language::EN => "docs/man/man1".to_string(),
        other => format!("docs/man/{}/man1", other.code()),
    }
}

/// Writes the pages, or with `--check` compares `docs/fio.md` and looks for the tests it names. A test of the
/// program compares the man pages.
pub fn run(arguments: &[&str]) -> Result<ExitCode, String> {
    let path = workspace::root().join(PAGE);
    match arguments {
        [] => {
            std::fs::write(&path, page()).map_err(|error| format!("{}: {error}", path.display()))?;
            println!("wrote {}", path.display());
            man_pages().map(|()| ExitCode::SUCCESS)
        }
        ["--check"] => check(&path),
        _ => Err("usage: cargo xtask docs [--check]".to_string()),
    }
}

/// Replaces the man pages with those written by the program.
fn man_pages() -> Result<(), String> {
    let mut build = workspace::cargo();
    build.arg("build");
    let program = workspace::build_with(build)?;
    for language in Language::ALL {
        let path = workspace::root().join(man_directory(language));
        workspace::empty_directory(&path)?;
        workspace::empty_directory(&path.with_file_name("man7"))?;
        workspace::stdout_of(Command::new(&program).arg("man").arg(&path).args(["--lang", language.code()]))?;
        println!("wrote {}", path.display());
    }
    Ok(())
}

fn check(path: &Path) -> Result<ExitCode, String> {
    let is_current = std::fs::read_to_string(path).is_ok_and(|text| text == page());
    if !is_current {
        println!("{PAGE} does not match the option table: run `cargo xtask docs`");
    }
    let tests = workspace_tests(workspace::root())?;
    let missing: Vec<&str> = named_tests().into_iter().filter(|name| !tests.contains(*name)).collect();
    for name in &missing {
        println!("{PAGE} names the test {name}, which does not exist");
    }
    Ok(if is_current && missing.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The tests named by rows, each once, in the order of the tables.
fn named_tests() -> Vec<&'static str> {
    let row_tests = OPTIONS.iter().flat_map(|def| {
        std::iter::once(def.status).chain(def.words.iter().map(|own: &WordStatus| own.status))
    });
    let all = row_tests.chain(ENGINES.iter().map(|engine| engine.status));
    let mut seen = HashSet::new();
    all.filter_map(|status| match status {
        Status::Works { test } => Some(test),
        _ => None,
    })
    .filter(|test| seen.insert(*test))
    .collect()
}

/// The names of all tests in the workspace's sources.
fn workspace_tests(root: &Path) -> Result<HashSet<String>, String> {
    let mut names = HashSet::new();
    let mut directories: Vec<_> = SOURCES.iter().map(|name| root.join(name)).collect();
    while let Some(directory) = directories.pop() {
        let with_path = |error: std::io::Error| format!("{}: {error}", directory.display());
        for entry in std::fs::read_dir(&directory).map_err(with_path)? {
            let path = entry.map_err(with_path)?.path();
            if path.is_dir() {
                directories.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let source =
                    std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
                names.extend(tests_in(&source).map(str::to_string));
            }
        }
    }
    Ok(names)
}

/// The names of the functions with the attribute `#[test]`.
fn tests_in(source: &str) -> impl Iterator<Item = &str> {
    let mut is_test = false;
    source.lines().map(str::trim).filter_map(move |line| {
        if line == "#[test]" {
            is_test = true;
            return None;
        }
        let function = line.strip_prefix("fn ")?;
        let name = function.split(['(', '<']).next()?;
        std::mem::take(&mut is_test).then_some(name)
    })
}

/// The whole page.
fn page() -> String {
    let mut page = INTRODUCTION.to_string();
    let mut group: Option<&str> = None;
    count_line(&mut page);
    engines(&mut page);
    for def in OPTIONS.iter() {
        if group != Some(def.group) {
            group = Some(def.group);
            let _ = write!(page, "\n## {}\n\n{OPTION_COLUMNS}", def.group);
        }
        row(&mut page, def);
    }
    page.push('\n');
    page.push_str(DIFFERENCES);
    page.push_str(SPELLINGS);
    for class in SPELLING_CLASSES.lines() {
        let _ = writeln!(page, "| {} |", class.replace('\t', " | "));
    }
    page
}

fn count_line(page: &mut String) {
    let count = |wanted: &str| OPTIONS.iter().filter(|def| here(def.status) == wanted).count();
    let (works, hint, no) = (count("works"), count("hint"), count("no"));
    let _ = write!(
        page,
        "\n{} rows: {works} work, {hint} are hints, {no} are refused (most of them\n\
         options of engines that are not here).\n",
        OPTIONS.len()
    );
}

fn engines(page: &mut String) {
    page.push_str(
        "\n## Values of ioengine\n\n| engine | what it is | here | shown by, or why |\n|--|--|--|--|\n",
    );
    for engine in ENGINES {
        let cells = [
            code(engine.name),
            english(engine.summary),
            here(engine.status).to_string(),
            reason(engine.status),
        ];
        table_row(page, &cells);
    }
}

fn row(page: &mut String, def: &OptionDef) {
    let names: Vec<String> = def.names().map(code).collect();
    let engines = match def.engines {
        [] => String::new(),
        engines => format!(" ({})", engines.join(", ")),
    };
    // The engines have a separate table.
    let kind =
        if def.name == "ioengine" { "one of the engines above".to_string() } else { def.kind.to_string() };
    let default = if def.default.is_empty() { String::new() } else { code(def.default) };
    let mut why = reason(def.status);
    for own in def.words {
        let words: Vec<String> = own.words.iter().map(|word| code(word)).collect();
        let status = own.words.first().map_or(own.status, |word| status_of(def, word));
        let _ = write!(why, "; {}: {}", words.join(", "), here(status));
        if let Status::Refused { why: reason } | Status::Hint { why: reason } = status {
            let _ = write!(why, " ({})", english(reason));
        }
    }
    let cells = [
        format!("{}{engines}", names.join(", ")),
        def.help.to_string(),
        kind,
        default,
        here(def.status).to_string(),
        why,
    ];
    table_row(page, &cells);
}

fn table_row(page: &mut String, cells: &[String]) {
    for cell in cells {
        let _ = write!(page, "| {} ", cell.replace('|', "\\|"));
    }
    page.push_str("|\n");
}

fn code(text: &str) -> String {
    format!("`{text}`")
}

fn here(status: Status) -> &'static str {
    match status {
        Status::Works { .. } => "works",
        Status::Hint { .. } => "hint",
        Status::Refused { .. } => "no",
    }
}

fn reason(status: Status) -> String {
    match status {
        Status::Works { test } => code(test),
        Status::Hint { why } | Status::Refused { why } => english(why),
    }
}

#[cfg(test)]
mod tests {
    use cardiograph_jobs::options::{OptionKind, find, find_for};

    use super::*;

    #[test]
    fn the_page_is_up_to_date() {
        let path = workspace::root().join(PAGE);
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(&path, page()).unwrap();
            return;
        }
        let written = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(written == page(), "{PAGE} is out of date: run `cargo xtask docs`");
    }

    #[test]
    fn every_table_row_has_the_cells_of_its_heading() {
        let cells = |line: &str| line.replace("\\|", "").matches('|').count();
        let mut heading = 0;
        let page = page();
        let mut before = "";
        for line in page.lines() {
            if line.starts_with('|') {
                if !before.starts_with('|') {
                    heading = cells(line);
                }
                assert_eq!(cells(line), heading, "{line}");
            }
            before = line;
        }
        assert!(page.lines().filter(|line| line.starts_with('|')).count() > OPTIONS.len() + ENGINES.len());
    }

    #[test]
    fn tests_are_distinguished_from_other_functions() {
        let source = "#[test]\nfn a() {}\nfn b() {}\n    #[test]\n    /// c\n    fn c<T>() {}\n// fn d()\n";
        assert_eq!(tests_in(source).collect::<Vec<_>>(), ["a", "c"]);
    }

    /// fio's help for one option: each part on a line, the values on several.
    struct FioHelp {
        name: String,
        engine: Option<String>,
        alias: Option<String>,
        kind: String,
        default: String,
        range: Option<String>,
        words: Vec<String>,
    }

    fn fio(argument: &str) -> Option<String> {
        let output = Command::new("fio").arg(argument).output().ok()?;
        Some(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    fn help(argument: &str, name: &str, engine: Option<&str>) -> FioHelp {
        let text = fio(argument).unwrap_or_default();
        let pairs = || text.lines().filter_map(|line| line.split_once(':'));
        let line = |wanted: &str| {
            pairs().find(|(key, _)| key.trim() == wanted).map(|(_, value)| value.trim().to_string())
        };
        let is_word = |key: &str| key.trim() == "valid values" || key.trim().is_empty();
        let words =
            pairs().filter(|(key, _)| is_word(key)).filter_map(|(_, value)| value.split_whitespace().next());
        FioHelp {
            name: name.to_string(),
            engine: engine.map(str::to_string),
            alias: line("alias"),
            kind: line("type").unwrap_or_default(),
            default: line("default").unwrap_or_default(),
            range: line("range"),
            words: words.map(str::to_string).collect(),
        }
    }

    /// The names in one of fio's lists: the text before the first colon of each line.
    fn names(list: &str) -> Vec<String> {
        let lines = list.lines().filter_map(|line| line.split_once(':'));
        lines.map(|(name, _)| name.trim().to_string()).filter(|name| !name.contains(' ')).collect()
    }

    /// All options of the installed fio; `None` if there is none.
    fn fio_options() -> Option<Vec<FioHelp>> {
        let common = |name: &String| (format!("--cmdhelp={name}"), name.clone(), None);
        let mut wanted: Vec<_> = names(&fio("--cmdhelp=all")?).iter().map(common).collect();
        // Options missing from fio's list.
        let unlisted = ["softrandommap", "bs_is_seq_rand", "verify_async_cpus", "iomem_align"];
        wanted.extend(unlisted.map(str::to_string).iter().map(common));
        for engine in fio("--enghelp")?.lines().skip(1).map(str::trim) {
            for name in names(&fio(&format!("--enghelp={engine}"))?) {
                wanted.push((format!("--enghelp={engine},{name}"), name, Some(engine.to_string())));
            }
        }
        // Starting fio takes most of the time: only a fifth is queried.
        let wanted: Vec<_> = wanted.into_iter().step_by(cardiograph_testing::part_or_all(5, 1)).collect();
        let ask = |part: &[(String, String, Option<String>)]| -> Vec<FioHelp> {
            part.iter().map(|(argument, name, engine)| help(argument, name, engine.as_deref())).collect()
        };
        let part_len = wanted.len().div_ceil(8).max(1);
        Some(std::thread::scope(|scope| {
            let threads: Vec<_> =
                wanted.chunks(part_len).map(|part| scope.spawn(move || ask(part))).collect();
            threads.into_iter().flat_map(|thread| thread.join().expect("asking does not panic")).collect()
        }))
    }

    /// Whether fio's kind of value matches this kind.
    fn fits(fio_kind: &str, kind: OptionKind) -> bool {
        match fio_kind {
            "boolean value (opt=1)" => matches!(kind, OptionKind::Switch | OptionKind::Word(_)),
            "empty or boolean value ([0|1])" => kind == OptionKind::Flag,
            "one to three ranges (opt=1k-4k[,4k-8k[,1k-8k]])" => kind == OptionKind::BytesRangePerDirection,
            "string with time postfix (opt=10s)" => {
                matches!(kind, OptionKind::Duration { .. } | OptionKind::DurationRange { .. })
            }
            "list of floating point values separated by ':' (opt=5.9:7.8)" => {
                matches!(kind, OptionKind::Float { .. } | OptionKind::Floats | OptionKind::Percentiles)
            }
            // fio's integers are counts, sizes, times and shares, possibly one for each direction. Some are
            // codes, which allow only certain numbers.
            "integer value (opt=100)" => match kind {
                OptionKind::Word(words) => words.iter().all(|word| word.parse::<u64>().is_ok()),
                kind => !matches!(
                    kind,
                    OptionKind::Text | OptionKind::List | OptionKind::Float { .. } | OptionKind::Flag
                ),
            },
            // Strings are all values with their own parser in fio.
            _ => !matches!(kind, OptionKind::Flag | OptionKind::Switch),
        }
    }

    /// Options without a default in fio, which are off unless set.
    fn same_default(def: &OptionDef, fio_default: &str) -> bool {
        match fio_default {
            "no default" => ["", "0", "shared", "avg", "none"].contains(&def.default),
            "100,100,100" => def.default == "100",
            text => def.default == text,
        }
    }

    /// Whether a range such as `min=0, max=100` is the kind's; fio writes -1 for no maximum.
    fn same_range(def: &OptionDef, range: &str) -> bool {
        let own = match def.kind {
            OptionKind::Count { min, max } | OptionKind::CountPerDirection { min, max } => {
                format!("min={min}, max={}", if max == u64::MAX { "-1".to_string() } else { max.to_string() })
            }
            OptionKind::SignedCount { min, max } => format!("min={min}, max={max}"),
            _ => return true,
        };
        // fio hides some limits (4096 jobs, coarseness up to 6) or fails later (a depth of millions).
        own == range || ["iodepth", "numjobs", "log_hist_coarseness"].contains(&def.name)
    }

    #[test]
    fn all_options_of_the_installed_fio_are_known() {
        let Some(options) = fio_options() else {
            return cardiograph_testing::skip("the option table against fio", "fio is not installed");
        };
        assert!(
            options.len() > cardiograph_testing::part_or_all(50, 250),
            "only {} options are listed",
            options.len()
        );
        let mut wrong = Vec::new();
        for fio in &options {
            let found = match &fio.engine {
                Some(engine) => find_for(&fio.name, engine),
                None => find(&fio.name),
            };
            let Some(def) = found else {
                wrong.push(format!("{} ({:?}) is unknown", fio.name, fio.engine));
                continue;
            };
            if let Some(alias) = fio.alias.as_deref().filter(|alias| !def.names().any(|name| name == *alias))
            {
                wrong.push(format!("{} has no alias {alias}", fio.name));
            }
            if !fits(&fio.kind, def.kind) {
                wrong.push(format!("{}: '{}' does not match '{}'", fio.name, def.kind, fio.kind));
            }
            if def.name == fio.name && !same_default(def, &fio.default) {
                wrong.push(format!("{}: default '{}' is not '{}'", fio.name, def.default, fio.default));
            }
            if let Some(range) = fio.range.as_deref().filter(|range| !same_range(def, range)) {
                wrong.push(format!("{}: '{}' is not '{range}'", fio.name, def.kind));
            }
            if let OptionKind::Word(words) | OptionKind::WordWithArguments(words) = def.kind {
                let unknown = fio.words.iter().filter(|word| !words.contains(&word.as_str()));
                wrong.extend(unknown.map(|word| format!("{}={word} is unknown", fio.name)));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn all_engines_of_the_installed_fio_are_known() {
        let Some(list) = fio("--enghelp") else {
            return cardiograph_testing::skip("the engines against fio", "fio is not installed");
        };
        for engine in list.lines().skip(1).map(str::trim) {
            assert!(ENGINES.iter().any(|known| known.name == engine), "{engine}");
        }
    }
}
