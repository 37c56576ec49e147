//! `history` and `show`: saved checkups are found and shown.

use cardiograph_core::Report;
use serde_json::Value;

use crate::common::{Bench, Made, PROGRAM, has_message};

/// Three checkups of simulated drives.
fn bench() -> Bench {
    static MADE: Made = Made::new();
    Bench::made_once(&MADE, make)
}

fn make(bench: &Bench) {
    for (seed, words) in [
        (1, "--simulate sandisk-ultra-64 --label microsd --tag board=Pi-5 --tag price=980JPY"),
        (2, "--simulate kioxia-sata-960 --label ssd --tag board=Pi-5"),
        (3, "--simulate sandisk-ultra-64 --label microsd --suite dramble"),
    ] {
        bench.run(&format!("check {words} --seed {seed} --max-time 20s")).exits_with(0);
    }
}

fn ids(bench: &Bench, more: &str) -> Vec<String> {
    let outcome = bench.run(&format!("history --json {more}")).exits_with(0);
    let list: Value = serde_json::from_str(&outcome.stdout).unwrap();
    list.as_array().unwrap().iter().map(|run| run["id"].as_str().unwrap().to_string()).collect()
}

#[test]
fn saved_checkups_are_filtered() {
    let bench = bench();
    assert_eq!(ids(&bench, "").len(), 3);
    for (more, count) in [
        ("--suite dramble", 1),
        ("--tag board=Pi-5", 2),
        ("--tag board=Pi-5 --tag price=980JPY", 1),
        ("--suite quick --tag board=Pi-5", 2),
        // Simulated checkups have no date.
        ("--since 2026-01-01", 0),
    ] {
        assert_eq!(ids(&bench, more).len(), count, "{more}");
    }
    let outcome = bench.run("history").exits_with(0);
    outcome.says(&["microsd: ", "board=Pi-5, price=980JPY", "@history-next"]);
    bench.run("history --suite cliff").exits_with(0).says(&["@history-none"]);
    for (wrong, why) in [
        ("--since soon", "@errors-value-since"),
        ("--since 2026-02-30", "@errors-value-date"),
        ("--since 22/11/2026", "@errors-value-date"),
        ("--limit 0", "@errors-value-number-from"),
    ] {
        bench.run(&format!("history {wrong}")).exits_with(2).complains(&[why]);
    }
}

#[test]
fn simulated_checkups_of_something_else_are_others() {
    let bench = Bench::new();
    const MODEL: &str = include_str!("../../crates/engine/src/sim/models/bad-card.toml");
    bench.file("mine.toml", MODEL);
    bench.file("other.toml", &MODEL.replacen("capacity_bytes = ", "capacity_bytes = 1", 1));
    for (words, kept) in [
        ("dramble --simulate bad-card --tag price=980JPY", 1),
        ("dramble --simulate bad-card --tag price=1280JPY", 2),
        // The same checkup replaces itself.
        ("dramble --simulate bad-card --tag price=980JPY", 2),
        ("dramble --simulate bad-card", 3),
        ("dramble --simulate bad-card --max-time 30s", 4),
        // A model file with the same content is the same drive.
        ("dramble --simulate mine.toml", 4),
        ("dramble --simulate other.toml", 5),
        ("sweep --simulate bad-card --set bs=4k", 6),
        ("sweep --simulate bad-card --set bs=64k", 7),
    ] {
        bench.run(&format!("check --suite {words}"));
        assert_eq!(ids(&bench, "").len(), kept, "{words}");
    }
}

#[test]
fn a_checkup_is_shown_as_it_was() {
    let bench = Bench::new();
    let first = bench
        .run("check --simulate sandisk-ultra-64 --suite dramble -v --export-json out.json")
        .exits_with(0);
    let id = ids(&bench, "").remove(0);
    for selector in ["@last", &id, &id[..id.len() - 1], "out.json"] {
        let again = bench.run(&format!("show {selector} -v")).exits_with(0);
        assert!(first.stdout.contains(again.stdout.trim_end()), "{selector}: {}", again.stdout);
    }
    let shown: Report = serde_json::from_str(&bench.run("show @last --json").exits_with(0).stdout).unwrap();
    assert_eq!(shown, bench.saved_report());
    bench.run("show @last --verbose").exits_with(0).says(&["fio --name="]);
    bench.file("torn.json", "{\"id\": 3");
    for (selector, words) in [
        ("nothing", "@select-nothing.word"),
        ("@last~1", "@select-nothing.few"),
        ("label:x", "@select-nothing.label"),
        ("torn.json", "torn.json: line 1"),
    ] {
        bench.run(&format!("show {selector}")).exits_with(2).complains(&[words]);
    }
    bench.file("other", "");
    let empty = Bench::new();
    empty.run("show @last").exits_with(2).complains(&["@select-empty"]);
}

#[test]
fn a_selector_names_a_set_of_which_one_command_takes_the_newest() {
    let bench = bench();
    for command in ["show MicroSD", "show tag:BOARD=pi-5", "show sim-"] {
        bench.run(command).exits_with(0).complains(&["@select-newest"]);
    }
    bench.run("remove sim-").exits_with(2).says(&["microsd", "ssd"]).complains(&["@remove-no-terminal"]);
    // The newest is the one run last, though none of them has a date.
    assert_eq!(bench.saved()[0].suite, "dramble");
    assert_eq!(ids(&bench, "--limit 2").len(), 2);
}

/// Commands with an unknown name, and what they say: the nearest known one.
const MISSPELT: [(&str, &str); 15] = [
    ("check --simulate bad-cart", "'bad-card'"),
    ("check --suite Qick", "'quick'"),
    ("check --suite cliff --set idel=1m --simulate bad-card", "'idle'"),
    ("check --require db-ligt --simulate bad-card", "'db-light'"),
    ("check --require claim:v31 --simulate bad-card", "'v30'"),
    ("history --suite qick", "'quick'"),
    ("history --tag board=Pi-4", "'board=Pi-5'"),
    ("show micros", "'microsd'"),
    ("show label:micros", "'microsd'"),
    ("compare microsd sds", "'ssd'"),
    ("compare microsd ssd --metric bandwith", "'bandwidth'"),
    ("compare --by boart", "'board'"),
    ("plot ssd --export-svg a.svg --step randon-read", "'random-read'"),
    ("import x --as fio-jsn", "'fio-json'"),
    ("explain latenzy", "'latency'"),
];

#[test]
fn an_unknown_name_gets_the_nearest_known_one() {
    let bench = bench();
    for (command, meant) in MISSPELT {
        bench.run(command).exits_with(2).complains(&["@name-meant", meant]);
    }
    // A suite of this program is known, whether or not a checkup was made.
    bench.run("history --suite CLIFF").exits_with(0).says(&["@history-none"]);
}

/// A report as a file, of a real drive with an id, started on a day of October 2026 and with this rate of random writes.
fn dated(report: &Value, day: u64, iops: f64) -> String {
    let mut report = report.clone();
    report["id"] = format!("202610{day:02}-120000-abcdef").into();
    report["started_unix_ms"] = (1_790_812_800_000 + (day - 1) * 86_400_000).into();
    report["drive"]["simulated"] = false.into();
    report["drive"]["leaves"][0]["serial"] = "0xabc".into();
    for (bound, factor) in [("low", 0.97), ("value", 1.0), ("high", 1.03)] {
        report["measurements"]["random_write_iops"]["estimate"][bound] = (factor * iops).into();
    }
    report.to_string()
}

#[test]
fn figures_of_a_drive_are_shown_over_time() {
    let bench = Bench::new();
    bench.run("history").exits_with(0).says(&["@history-first", "cardiograph check --simulate bad-card"]);
    bench.run("check --simulate sandisk-ultra-64 --max-time 20s --export-json one.json").exits_with(0);
    let one: Value =
        serde_json::from_str(&std::fs::read_to_string(bench.work().join("one.json")).unwrap()).unwrap();
    let values = [390.0, 395.0, 388.0, 392.0, 230.0, 225.0, 219.0, 214.0, 208.0, 203.0];
    let lines: Vec<String> = values.iter().zip(1..).map(|(iops, day)| dated(&one, day, *iops)).collect();
    bench.file("all.jsonl", &lines.join("\n"));
    bench.run("store import all.jsonl").exits_with(0).says(&["@store-imported", "10"]);
    let outcome = bench.run("history --drive 0xABC --limit 10").exits_with(0);
    outcome.says(&[
        "@history-drive",
        "@history-change.fell",
        "41.2 %",
        "2026-10-05",
        "down 11.9 % since 2026-10-05",
        "█",
    ]);
    let wide = outcome.stdout.lines().find(|line| line.chars().count() > 80);
    assert_eq!(wide, None);
}

#[test]
fn a_store_is_copied_to_a_server_and_back() {
    let bench = self::bench();
    let database = match cardiograph_testing::postgres::Database::new() {
        Ok(database) => database,
        Err(reason) => return cardiograph_testing::skip("store copy to PostgreSQL", &reason),
    };
    let url = &database.url;
    bench.run("store export all.jsonl").exits_with(0);
    bench.run("store import all.jsonl --store own.db").exits_with(0);
    let copy = |from: &str, to: &str| bench.run(&format!("store copy {from} {to}"));
    copy("own.db", url).exits_with(0).says(&[
        "@store-copied",
        "3 copied",
        "0 already",
        "@store-copy-compared",
    ]);
    copy("own.db", url).exits_with(0).says(&["@store-copied", "0 copied", "3 already"]);
    // What was changed is copied again.
    bench.run(&format!("label tag:board=Pi-5 moved --store {url}")).exits_with(0);
    copy(url, "back.db").exits_with(0).says(&["@store-copied", "3 copied"]);
    copy("own.db", url).exits_with(0).says(&["@store-copied", "2 copied", "1 already"]);
    copy(url, "back.db").exits_with(0).says(&["@store-copied", "2 copied", "1 already"]);
    let exported =
        |store: &str| bench.run(&format!("store export - --store {store}")).exits_with(0).stdout.clone();
    assert_eq!(exported("back.db"), exported("own.db"));
    assert_eq!(exported(url), exported("own.db"));
    copy("own.db", "sqlite:own.db").exits_with(2).complains(&["@store-copy-same"]);
    copy("nosuch.db", "other.db").exits_with(2).complains(&["@store-missing"]);
    bench
        .run(&format!("store repair --store {url}"))
        .exits_with(3)
        .complains(&["@store-server-repair", "pg_dump"]);
}

#[test]
fn checkups_are_labelled_tagged_exported_and_imported() {
    let bench = self::bench();
    bench.run("label tag:board=Pi-5 card-A").exits_with(0).says(&["@edit-done", "2"]);
    bench.run("tag label:card-A reader=usb board=").exits_with(0).says(&["reader=usb", "@edit-done", "2"]);
    assert_eq!(ids(&bench, "--tag reader=USB").len(), 2);
    bench.run("tag @last price=cheap").exits_with(2).complains(&["@errors-value-price"]);
    bench.run("label nothing x").exits_with(2).complains(&["@select-nothing.word"]);
    let exported = bench.run("store export -").exits_with(0).stdout;
    bench.run("store export all.jsonl").exits_with(0).says(&["@store-exported", "3"]);
    assert_eq!(std::fs::read_to_string(bench.work().join("all.jsonl")).unwrap(), exported);
    // Those that are there are left alone, and one bad line does not keep the others out.
    bench.run("store import all.jsonl").exits_with(0).says(&["@store-imported", "0 new, 3 already"]);
    let (first, rest) = exported.split_once('\n').unwrap();
    bench.file("torn.jsonl", &format!("{first}\n{{\"id\": 3\n{rest}"));
    let torn = bench.run("store import torn.jsonl --store other.db").exits_with(2);
    torn.says(&["3 new"]).complains(&["@store-import-line", "line 2"]);
    assert_eq!(bench.run("store export - --store other.db").exits_with(0).stdout, exported);
    bench.file("notes.txt", "hello\n");
    bench
        .run("store import notes.txt")
        .exits_with(2)
        .complains(&["@store-not-an-export", "cardiograph import"]);
}

#[test]
fn another_store_is_used_and_a_damaged_one_repaired() {
    let bench = Bench::new();
    let check = "check --simulate sandisk-ultra-64 --max-time 5s --store mine/drives.db";
    bench.run(check).exits_with(0).says(&["cardiograph show sim-", "--store mine/drives.db"]);
    assert!(bench.saved().is_empty());
    bench.run("show @last --store mine/drives.db").exits_with(0).says(&["quick · "]);
    // A file named by mistake is left unchanged.
    let text = "not a database, and long enough to look at it";
    std::fs::write(bench.work().join("notes.txt"), text).unwrap();
    for command in ["history", "show @last", "check --simulate sandisk-ultra-64 --max-time 5s"] {
        let outcome = bench.run(&format!("{command} --store notes.txt"));
        outcome.complains(&["notes.txt", "@store-foreign"]);
        assert_eq!(std::fs::read_to_string(bench.work().join("notes.txt")).unwrap(), text);
    }
    // In the default location the file can only be a damaged store.
    bench.run("check --simulate sandisk-ultra-64 --max-time 5s").exits_with(0);
    std::fs::write(bench.store_file(), text).unwrap();
    bench.run("history").exits_with(3).complains(&["@store-damaged", "cardiograph store repair"]);
    // Before anything is measured.
    let outcome = bench.run("check --simulate sandisk-ultra-64 --max-time 5s").exits_with(2);
    outcome.complains(&["@store-damaged", "cardiograph store repair", "--no-keep"]);
    assert!(!has_message(&outcome.stdout, "step-read"), "{}", outcome.stdout);
    assert_eq!(std::fs::read_to_string(bench.store_file()).unwrap(), text);
    bench.run("store repair").exits_with(0).says(&["@repair-done", "0 ", ".damaged-1"]);
    bench.run("store repair").exits_with(0).says(&["@repair-undamaged"]);
    bench.run("check --simulate sandisk-ultra-64 --max-time 5s").exits_with(0);
    bench.run("show @last").exits_with(0);
}

#[test]
fn a_label_may_look_like_a_file_and_names_its_own_checkup() {
    let bench = Bench::new();
    for label in ["card/A", "b.json", "plain"] {
        bench
            .run(&format!("check --simulate sandisk-ultra-64 --max-time 5s --tag raid=1/0 --label {label}"))
            .exits_with(0);
    }
    assert_eq!(bench.saved().len(), 3, "the same drive under another name is another checkup");
    for selector in ["card/A", "label:card/A", "b.json", "label:b.json"] {
        bench.run(&format!("show {selector}")).exits_with(0).says(&["quick · "]);
    }
    bench.run("compare card/A tag:raid=1/0").exits_with(2).complains(&["@errors-compare-twice"]);
    bench.run("show nowhere/b.json").exits_with(2).complains(&["@select-no-file"]);
    bench.run("show /tmp").exits_with(2).complains(&["/tmp ", "@select-no-file.directory"]);
    bench.run("show label:x/y").exits_with(2).complains(&["@select-nothing.label", "'x/y'"]);
}

#[test]
fn failed_writes_to_standard_output_are_reported() {
    let bench = Bench::new();
    bench.run("check --simulate sandisk-ultra-64 --max-time 5s").exits_with(0);
    for command in
        ["history", "show @last", "shelf", "import --list-formats", "check --simulate bad-card --dry-run"]
    {
        let line = format!("exec '{PROGRAM}' {command} >/dev/full");
        crate::common::run(bench.command("sh", ["-c", &line]))
            .exits_with(3)
            .complains(&["@stdout-failed", "No space left"]);
    }
}

#[test]
fn a_checkup_is_shown_in_other_forms() {
    let bench = Bench::new();
    bench.run("check --simulate sandisk-ultra-64 --label card --max-time 20s").exits_with(0);
    bench.run("show card --export-html card.html").exits_with(0).says(&["HTML: card.html"]);
    let page = std::fs::read_to_string(bench.work().join("card.html")).unwrap();
    assert!(
        page.starts_with("<!DOCTYPE html>\n<html lang=\"en\">") && has_message(&page, "verdicts-heading")
    );
    let japanese = bench.run("show card --export-html - --lang ja").exits_with(0).stdout;
    assert!(japanese.contains("<html lang=\"ja\">") && japanese.contains("用途別の判定"));
    let markdown = bench.run("show card --export-markdown -").exits_with(0).stdout;
    assert!(markdown.starts_with("# card: ") && markdown.contains("\n- **db-light** ("), "{markdown}");
    let csv = bench.run("show card --export-csv -").exits_with(0).stdout;
    assert!(csv.starts_with("run,test,direction,metric,value,unit,n,low,high,doubt\r\n"), "{csv}");
    assert!(csv.contains(",durable-write,sync,latency_p50,"), "{csv}");
    let fio: Value = serde_json::from_str(&bench.run("show card --fio json").exits_with(0).stdout).unwrap();
    let jobs = fio["jobs"].as_array().unwrap();
    let durable = jobs.iter().find(|job| job["jobname"] == "durable-write").unwrap();
    assert!(durable["sync"]["lat_ns"]["N"].as_u64().unwrap() > 100 && durable["job options"]["fsync"] == "1");
    let kept = bench.saved_report();
    let step = kept.steps.iter().find(|step| step.step.id == "durable-write").unwrap();
    let ios = step.figures.as_ref().unwrap().directions[0].ios;
    assert_eq!(durable["write"]["total_ios"].as_u64(), Some(ios));
    // Simulated time has no date, and fio's form adds none.
    assert_eq!((&fio["timestamp"], &fio["timestamp_ms"], &fio["time"]), (&0.into(), &0.into(), &"".into()));
    std::fs::write(bench.work().join("again.json"), fio.to_string()).unwrap();
    bench.run("import again.json --label again").exits_with(0);
    let dated = bench.run("history").exits_with(0).stdout;
    assert!(dated.contains("again: ") && !dated.contains("1970"), "{dated}");
    let with_bins = bench.run("show card --fio json+").exits_with(0).stdout;
    assert!(with_bins.contains("\"bins\"") && with_bins.len() > fio.to_string().len());
    for (arguments, words) in [
        ("show card --export-markdown - --export-csv -", "@export-one-stdout"),
        ("show card --fio json --export-csv -", "@show-fio-or-export"),
        ("show card --fio json --json", "@errors-cli-conflict"),
        ("show card --export-html missing/a.html", "missing/a.html: No such file or directory"),
        (
            "check --simulate sandisk-ultra-64 --export-html missing/a.html",
            "missing/a.html: No such file or directory",
        ),
    ] {
        bench.run(arguments).exits_with(2).complains(&[words]);
    }
}

/// A bit flipped in a word of one row costs no other row, and is reported until it is repaired.
#[test]
fn a_flipped_bit_is_reported_until_it_is_repaired() {
    let bench = bench();
    for (number, (word, command)) in [
        ("finished", "history"),
        ("completion_p99", "compare label:microsd label:ssd"),
        ("{\"tool\":", "compare label:ssd label:microsd"),
        ("board=Pi-5", "history --tag board=Pi-5"),
    ]
    .into_iter()
    .enumerate()
    {
        let before = bench.run(command).exits_with(0).stdout;
        let mut bytes = std::fs::read(bench.store_file()).unwrap();
        // Everywhere: the first place may be the remainder of an earlier row.
        for at in 0..bytes.len() - word.len() {
            bytes[at] ^= u8::from(bytes[at..].starts_with(word.as_bytes()));
        }
        std::fs::write(bench.store_file(), bytes).unwrap();
        bench.run(command).exits_with(3).complains(&["@store-damaged", "cardiograph store repair"]);
        let aside = format!(".damaged-{}", number + 1);
        bench.run("store repair").exits_with(0).says(&["@repair-done", "3 ", &aside]);
        let again = bench.run(command).exits_with(0);
        assert_eq!(
            (again.stdout.as_str(), has_message(&again.stderr, "store-damaged")),
            (before.as_str(), false),
            "{word}"
        );
    }
}

#[test]
fn checkups_are_removed_when_that_is_confirmed() {
    let bench = bench();
    // There is no terminal here.
    let outcome = bench.run("remove label:ssd").exits_with(2);
    outcome.says(&["ssd"]).complains(&["@remove-no-terminal", "--yes"]);
    assert_eq!(ids(&bench, "").len(), 3);
    bench.run("remove label:none --yes").exits_with(2).complains(&["@select-nothing.label", "'none'"]);
    bench.run("remove label:ssd tag:board=Pi-5 --yes").exits_with(0).says(&["@remove-done", "2"]);
    assert_eq!(ids(&bench, "").len(), 1);
    bench.run("show label:ssd").exits_with(2);
    bench.run("remove @last --yes").exits_with(0).says(&["@remove-done", "1"]);
    bench.run("remove @last --yes").exits_with(2).complains(&["@select-empty"]);
}

#[test]
fn a_store_that_cannot_be_written_is_refused_before_anything_is_measured() {
    let bench = Bench::new();
    bench.file("notes.txt", "not a database, and long enough to look at it");
    std::fs::create_dir(bench.work().join("dir")).unwrap();
    let before = bench.entries();
    for (store, why) in [
        ("/dev/full", "@store-not-a-file.device"),
        ("/dev/null", "@store-not-a-file.device"),
        ("notes.txt", "@store-foreign"),
        ("dir", "@store-not-a-file.directory"),
    ] {
        for command in ["check --simulate sandisk-ultra-64 --max-time 5s", "history", "store repair"] {
            let outcome = bench.run(&format!("{command} --store {store}"));
            outcome.complains(&[why]);
            assert!(!has_message(&outcome.stdout, "step-read"), "{command}: {}", outcome.stdout);
        }
        assert_eq!(bench.entries(), before, "{store}: no other file is created");
    }
}
