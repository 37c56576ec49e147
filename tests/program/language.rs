//! The language of the program: `--lang`, the environment, help and man pages.

use std::path::Path;

use cardiograph_catalogue::Language;
use unicode_width::UnicodeWidthStr;

use crate::common::{Bench, Outcome, PROGRAM, entries, run};

/// Commands with help.
const COMMANDS: [&str; 23] = [
    "",
    "check",
    "drive",
    "history",
    "show",
    "label",
    "tag",
    "remove",
    "store",
    "store repair",
    "store export",
    "store import",
    "send",
    "shelf",
    "import",
    "compare",
    "plot",
    "suites",
    "engines",
    "job",
    "run",
    "completions",
    "man",
];

/// Runs the program in an environment with some variables.
fn run_with(variables: &[(&str, &str)], line: &str) -> Outcome {
    let bench = Bench::new();
    let mut command = bench.command(PROGRAM, line.split_whitespace());
    command.envs(variables.iter().copied());
    run(command)
}

/// Compares a text with the file at a path below the workspace, which `UPDATE_GOLDEN=1` writes.
fn is_golden(path: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(expected == text, "{}: UPDATE_GOLDEN=1 updates it; look at the difference", path.display());
}

#[test]
fn the_first_that_names_a_language_decides() {
    type Case<'a> = (&'a [(&'a str, &'a str)], &'a str, Language);
    let cases: [Case; 11] = [
        (&[], "suites --help", Language::EN),
        (&[], "suites --help --lang ja", Language::JA),
        (&[], "suites --lang ja --help", Language::JA),
        (&[], "--lang=ja suites --help", Language::JA),
        (&[("LANG", "ja_JP.UTF-8")], "suites --help", Language::JA),
        (&[("LANG", "ja_JP.UTF-8")], "suites --lang en --help", Language::EN),
        (&[("LANG", "ja_JP.UTF-8"), ("LC_ALL", "C")], "suites --help", Language::EN),
        (&[("LANG", "ja_JP.UTF-8"), ("LC_MESSAGES", "en_US.UTF-8")], "suites --help", Language::EN),
        (&[("LANG", "en_US.UTF-8"), ("LC_ALL", "ja_JP.UTF-8")], "suites --help", Language::JA),
        (&[("LANG", "de_DE.UTF-8")], "suites --help", Language::EN),
        (&[("LANG", "xx")], "suites --help", Language::EN),
    ];
    for (variables, line, expected) in cases {
        let usage = expected.text_of("manual-usage").unwrap();
        run_with(variables, line).exits_with(0).says(&[&usage]);
    }
}

#[test]
fn an_unknown_language_is_refused_with_those_that_are_known() {
    for line in ["suites --lang fr", "--lang fr suites", "--lang=JA suites", "--lang= suites"] {
        run_with(&[], line).exits_with(2).complains(&["--lang", "en"]);
    }
    run_with(&[("LANG", "ja_JP.UTF-8")], "suites --lang fr").exits_with(2).complains(&["--lang", "en、ja"]);
}

#[test]
fn files_are_in_the_language_of_the_environment() {
    let bench = Bench::new();
    bench.run("check --simulate sandisk-ultra-64 --label card --max-time 20s").exits_with(0);
    for (variables, code) in [(&[("LANG", "ja_JP.UTF-8")][..], "ja"), (&[], "en")] {
        let mut command = bench.command(PROGRAM, ["show", "card", "--export-html", "-"]);
        command.envs(variables.iter().copied());
        let page = run(command).exits_with(0).stdout;
        assert!(page.contains(&format!("<html lang=\"{code}\">")), "{code}");
    }
}

#[test]
fn errors_are_in_the_language_of_the_environment() {
    let outcome = run_with(&[("LANG", "ja_JP.UTF-8")], "check --suit quick").exits_with(2);
    outcome.complains(&["'--suit'", "'--suite'", &Language::JA.text_of("manual-usage").unwrap()]);
    let outcome = run_with(&[("LANG", "ja_JP.UTF-8")], "check --suit quick --lang en").exits_with(2);
    outcome.complains(&[
        "@errors-cli-unknown-argument",
        "'--suit'",
        "@errors-cli-tip-similar",
        "'--suite'",
        "@manual-usage",
    ]);
}

#[test]
fn commands_that_replace_other_programs_are_english() {
    let japanese = [("LANG", "ja_JP.UTF-8")];
    for line in [
        "fio --help",
        "fio --zzz",
        "fio --name=a --rw=read --size=1M --ioengine=null",
        "hdparm --zzz",
        "dd if=x",
        "iozone --zzz",
    ] {
        let outcome = run_with(&japanese, line);
        assert!(!(outcome.stdout.is_empty() && outcome.stderr.is_empty()), "{line}");
        assert!(outcome.stdout.is_ascii() && outcome.stderr.is_ascii(), "{line}: {}", outcome.stdout);
    }
    let bench = Bench::new();
    let mut fio = bench.called_fio(["--help"]);
    fio.envs(japanese);
    assert!(run(fio).exits_with(0).stdout.is_ascii());
}

#[test]
fn help_of_emulated_tools_is_in_the_users_language() {
    for tool in ["hdparm", "dd", "iozone"] {
        for (line, usage) in [
            (format!("{tool} --help"), "使い方:"),
            (format!("{tool} --help --lang=en"), "Usage:"),
            (format!("--lang en {tool} --help"), "Usage:"),
        ] {
            let help = run_with(&[("LANG", "ja_JP.UTF-8")], &line).exits_with(0).stdout;
            assert!(help.contains(usage), "{line}: {help}");
            let wide: Vec<&str> = help.lines().filter(|line| line.width() > 80).collect();
            assert_eq!(wide, [""; 0], "{line}");
        }
    }
}

#[test]
fn help_is_whole_and_fits_80_columns() {
    let bench = Bench::new();
    for language in Language::ALL.map(Language::code) {
        let mut all = String::new();
        for command in COMMANDS {
            let help = bench.run(&format!("{command} --help --lang {language}")).exits_with(0);
            assert_eq!(help.stderr, "");
            assert_eq!(bench.run(&format!("{command} -h --lang {language}")).stdout, help.stdout);
            let wide: Vec<&str> = help.stdout.lines().filter(|line| line.width() > 80).collect();
            assert_eq!(wide, [""; 0], "{command} {language}");
            let words = ["$ cardiograph", command, "--help"].into_iter().filter(|words| !words.is_empty());
            all += &format!("{}\n{}\n", words.collect::<Vec<_>>().join(" "), help.stdout);
        }
        is_golden(&format!("tests/program/help/{language}.txt"), &all);
    }
}

fn man_directory(language: Language) -> String {
    match language {
        Language::EN => "docs/man/man1".to_string(),
        other => format!("docs/man/{}/man1", other.code()),
    }
}

#[test]
fn man_pages_are_those_in_docs() {
    for language in Language::ALL {
        let (bench, directory) = (Bench::new(), man_directory(language));
        bench.run(&format!("man . --lang {}", language.code())).exits_with(0);
        let commands = Path::new(env!("CARGO_MANIFEST_DIR")).join(&directory);
        let topics = commands.with_file_name("man7");
        let mut written = [entries(&commands), entries(&topics)].concat();
        written.sort();
        assert_eq!(written, bench.entries(), "`cargo xtask docs` updates {directory}");
        for name in bench.entries() {
            let page = std::fs::read_to_string(bench.work().join(&name)).unwrap();
            let in_docs = if name.ends_with(".7") { &topics } else { &commands };
            let expected = std::fs::read_to_string(in_docs.join(&name)).unwrap();
            assert!(page == expected, "`cargo xtask docs` updates {directory}/{name}");
        }
    }
}

#[test]
fn man_pages_are_read_without_warnings() {
    if std::process::Command::new("groff").arg("--version").output().is_err() {
        return cardiograph_testing::skip("man pages in groff", "groff is not installed");
    }
    for language in Language::ALL {
        let commands = Path::new(env!("CARGO_MANIFEST_DIR")).join(man_directory(language));
        let pages = [commands.with_file_name("man7"), commands];
        for path in
            pages.iter().flat_map(|directory| entries(directory).into_iter().map(|name| directory.join(name)))
        {
            let mut groff = std::process::Command::new("groff");
            let output = groff.args(["-man", "-Kutf8", "-Tutf8", "-ww", "-z"]).arg(&path).output().unwrap();
            assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{}", path.display());
        }
    }
}
