//! What the program says about itself: lists, help, completions, man pages.

use cardiograph_core::{Message, message};
use cardiograph_engine::ENGINES;
use cardiograph_engine::sim::MODELS;
use cardiograph_render::lang::Lang;

use crate::common::{Bench, Outcome};

const SUBCOMMANDS: [&str; 11] =
    ["check", "drive", "shelf", "suites", "engines", "job", "hdparm", "dd", "iozone", "completions", "man"];
const CHECK_FLAGS: [&str; 12] = [
    "--suite",
    "--simulate",
    "--dry-run",
    "--json",
    "--max-time",
    "--label",
    "--require",
    "--buffered",
    "--verbose",
    "--no-keep",
    "--seed",
    "--help",
];

/// The entry of the default suite.
fn default() -> String {
    Lang::EN.text(&message!("list-suites-default", suite = "quick"))
}

fn run(line: &str) -> Outcome {
    Bench::new().run(line)
}

#[test]
fn suites_and_purposes_are_listed() {
    let outcome = run("suites").exits_with(0);
    outcome.says(&[
        &default(),
        "article",
        "os",
        "db-light",
        "db-heavy",
        "containers",
        "nas",
        "sensors",
        "cameras",
        "recording",
    ]);
    assert!(outcome.stdout.lines().count() >= 4 + 1 + 8);
}

#[test]
fn suites_are_listed_by_kind() {
    let listed = run("suites").exits_with(0).stdout;
    let lists: Vec<&str> = listed.split("\n\n").collect();
    assert_eq!(lists.len(), 5, "{listed}");
    let group_title = |group: Message| message!("list-suites", group = group);
    let kinds = [
        (group_title(message!("suite-group.checkup")), "quick"),
        (group_title(message!("suite-group.standard")), "sd-class"),
        (group_title(message!("suite-group.published")), "dramble"),
        (message!("list-suites-apps"), "sqlite-wal"),
        (message!("list-suites-purposes"), "db-light"),
    ];
    for (list, (title, one)) in lists.iter().zip(kinds) {
        assert_eq!(list.lines().next(), Some(Lang::EN.text(&title).as_str()));
        assert!(list.contains(&format!("\n  {one}")), "{list}");
    }
    for suite in cardiograph_suites::SUITES {
        let name = suite.name();
        let entry = format!("\n  {name} ").replace("quick", &default());
        assert_eq!(listed.matches(&entry).count(), 1, "{name}");
    }
}

#[test]
fn engines_and_models_are_listed() {
    let outcome = run("engines").exits_with(0);
    for entry in ENGINES {
        outcome.says(&[entry.name, &Lang::EN.text(entry.summary)]);
        if let Err(unavailable) = (entry.probe)() {
            outcome.says(&["@list-engines-missing", &Lang::EN.text(&unavailable)]);
        }
    }
    for (name, _) in MODELS {
        outcome.says(&[name]);
    }
}

#[test]
fn lists_fit_80_columns() {
    for line in ["suites", "engines", "--help", "check --help", "job --help"] {
        let outcome = run(line).exits_with(0);
        for shown in outcome.stdout.lines() {
            assert!(shown.chars().count() <= 80, "{line}: {shown}");
        }
    }
}

#[test]
fn help_names_every_subcommand_and_flag() {
    let outcome = run("--help").exits_with(0);
    outcome.says(&SUBCOMMANDS).says(&["cardiograph check --simulate", "--version"]);
    let check = run("check --help").exits_with(0);
    check.says(&CHECK_FLAGS).says(&["[PATH|DEVICE]"]);
    for code in ["0", "1", "2", "3", "4", "129, 130, 143"] {
        let has_line = |line: &str| line.trim_start().starts_with(code) && line.starts_with("  ");
        assert!(check.stdout.lines().any(has_line), "{code}");
    }
    run("job --help").exits_with(0).says(&["NAME=VALUE", "--json", "rw=randread"]);
    run("completions --help").exits_with(0).says(&["bash", "zsh", "fish"]);
    run("man --help").exits_with(0).says(&["<DIRECTORY>"]);
    for subcommand in SUBCOMMANDS {
        let outcome = run(&format!("{subcommand} --help")).exits_with(0);
        assert!(outcome.stdout.contains(&format!("cardiograph {subcommand}")) && outcome.stderr.is_empty());
    }
}

#[test]
fn short_help_is_help() {
    run("-h").exits_with(0).says(&["check", "suites"]);
    run("check -h").exits_with(0).says(&["--suite"]);
}

#[test]
fn the_version_is_that_of_the_package() {
    let outcome = run("--version").exits_with(0);
    assert_eq!(outcome.stdout, format!("cardiograph {}\n", env!("CARGO_PKG_VERSION")));
    assert_eq!(run("-V").exits_with(0).stdout, outcome.stdout);
}

#[test]
fn unknown_arguments_are_usage_errors() {
    let cases = [
        ("", "@manual-usage"),
        ("chek", "check"),
        ("check --suit article", "--suite"),
        ("check --seed many", "many"),
        ("check --max-time 0", "--max-time"),
        ("check a b", "@errors-cli-unknown-argument"),
        ("check --simulate sandisk-ultra-64 --buffered", "@errors-cli-conflict"),
        ("suites quick", "@errors-cli-unknown-argument"),
        ("completions tcl", "zsh"),
        ("man", "DIRECTORY"),
        ("job", "NAME=VALUE"),
    ];
    for (line, word) in cases {
        let outcome = run(line).exits_with(2);
        assert!(outcome.stdout.is_empty(), "{line}: {}", outcome.stdout);
        outcome.complains(&[word]);
    }
}

#[test]
fn completions_know_every_flag() {
    for shell in ["bash", "zsh", "fish"] {
        let outcome = run(&format!("completions {shell}")).exits_with(0);
        for flag in CHECK_FLAGS {
            // fish lists them without dashes.
            let name = if shell == "fish" { flag.trim_start_matches('-') } else { flag };
            assert!(outcome.stdout.contains(name), "{shell}: {flag}");
        }
        outcome.says(&SUBCOMMANDS);
        outcome.says(&["sd-class", "bad-card", "db-light", "latency_p99", "iozone", "binary"]);
    }
}

#[test]
fn bash_takes_the_completions() {
    let bench = Bench::new();
    let script = bench.run("completions bash").exits_with(0).stdout;
    bench.file("completions", &script);
    let line = "source ./completions && complete -p cardiograph";
    if std::process::Command::new("bash").arg("--version").output().is_err() {
        return cardiograph_testing::skip("completions in bash", "bash is not installed");
    }
    crate::common::run(bench.command("bash", ["-c", line])).exits_with(0).says(&["cardiograph"]);
}

#[test]
fn every_subcommand_has_a_man_page() {
    let bench = Bench::new();
    std::fs::create_dir(bench.work().join("man")).unwrap();
    bench.run("man man").exits_with(0).says(&["man"]);
    let pages = crate::common::entries(&bench.work().join("man"));
    assert!(pages.contains(&"cardiograph.1".to_string()), "{pages:?}");
    for subcommand in SUBCOMMANDS {
        assert!(pages.contains(&format!("cardiograph-{subcommand}.1")), "{pages:?}");
    }
    let check = std::fs::read_to_string(bench.work().join("man/cardiograph-check.1")).unwrap();
    for flag in CHECK_FLAGS {
        assert!(check.replace('\\', "").contains(flag), "{flag}");
    }
    bench.run("man missing").exits_with(2).complains(&["missing"]);
}

#[test]
fn a_job_is_described_by_fios_option_names() {
    let line = "job rw=randread bs=4k size=1M ioengine=null number=1";
    run(line).exits_with(2).complains(&["number"]);
    run("job rw=randread bs=4k size=1x").exits_with(2).complains(&["size", "1x"]);
    run("job rw=read size=1M ioengine=warp").exits_with(2).complains(&["unknown engine 'warp'", "psync"]);
    for option in ["write_lat_log=x", "write_iolog=x", "error_dump"] {
        let line = format!("job rw=read size=1M ioengine=null {option}");
        run(&line).exits_with(2).complains(&[option, "cardiograph fio"]);
    }
    run("job rw=read size=1M ioengine=sim").exits_with(2).complains(&["--simulate"]);
    run("job rw=randread bs=4k size=16M ioengine=null").exits_with(0).says(&["read", "IOPS", "p99"]);
    let bench = Bench::new();
    let outcome =
        bench.run("job rw=randrw bs=4k size=4M direct=1 ioengine=io_uring iodepth=8 --json").exits_with(0);
    let result: cardiograph_core::RunResult = serde_json::from_str(&outcome.stdout).unwrap();
    let ios: u64 = [result.merged(|_| true)].iter().map(|all| all.read.ios + all.write.ios).sum();
    assert_eq!(ios, 1_024);
    assert!(bench.entries().is_empty());
}

#[test]
fn options_of_earlier_versions_are_refused_with_what_replaced_them() {
    for (line, new) in [
        ("check --json out.json", "--export-json out.json"),
        ("check --json=out.json", "--export-json FILE"),
        ("--lang ja drive --json -", "--export-json -"),
        ("run job.fio --json out.json", "--export-json out.json"),
        ("check --html a.html", "--export-html FILE"),
        ("show x --markdown", "--export-markdown FILE"),
        ("compare a b --csv", "--export-csv FILE"),
        ("plot x --svg a.svg", "--export-svg FILE"),
        ("plot x --png a.png", "--export-png FILE"),
        ("check --allow-destroy x", "--allow-erase"),
        ("fio --allow-destroy=x --name=a", "--allow-erase"),
    ] {
        let outcome = run(line);
        assert!([1, 2].contains(&outcome.status.code().unwrap_or(0)), "{line}");
        outcome.complains(&[new]);
    }
}

#[test]
fn options_of_all_commands_are_explained_once() {
    let all = run("--help").exits_with(0).stdout;
    let of_check = run("check --help").exits_with(0).stdout;
    for option in ["--store", "--lang", "--units", "--color"] {
        let explained =
            |help: &str| help.lines().any(|line| line.trim_start().starts_with(&format!("{option} <")));
        assert!(explained(&all) && !explained(&of_check) && of_check.contains(option), "{option}");
    }
}
