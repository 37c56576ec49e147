//! `cardiograph shelf`: published figures.

use cardiograph_import::shelf;

use crate::common::{Bench, flat};

#[test]
fn sources_are_listed_and_shown() {
    let bench = Bench::new();
    let list = bench.run("shelf").exits_with(0);
    list.says(&["microsd-vs-ssd", "server-ssds", "Jeff Geerling", "@shelf-list.next"]);
    for source in shelf::sources() {
        assert!(list.stdout.lines().any(|line| line.starts_with(&source.name)), "{}", source.name);
        let shown = bench.run(&format!("shelf {}", source.name)).exits_with(0);
        assert!(flat(&shown.stdout).contains(&source.title), "{}", shown.stdout);
        assert!(shown.stdout.lines().all(|line| line.chars().count() <= 80), "{}", shown.stdout);
    }
    bench.run("shelf microsd-vs-ssd").exits_with(0).says(&["--fsync=1", "28,967", "28.0"]);
    bench.run("shelf server-ssds").exits_with(0).says(&["3349.2", "147180", "@doubt-controller-cache"]);
    bench.run("shelf dramble-cards").exits_with(0).says(&["Excruciating", "80 MHz", "34.13"]);
}

#[test]
fn a_drive_is_found_in_all_sources() {
    let bench = Bench::new();
    let shown = bench.run("shelf --drive extreme").exits_with(0);
    shown.says(&[
        "SanDisk Extreme 16GB",
        "SanDisk Extreme Pro",
        "SanDisk Extreme PRO 128 GB",
        "app class A2",
    ]);
    assert!(!shown.stdout.contains("Kingston"), "{}", shown.stdout);
    bench.run("shelf --drive floppy").exits_with(2).complains(&["@errors-shelf-drive", "'floppy'"]);
    bench
        .run("shelf iot-cards --drive kioxia")
        .exits_with(2)
        .complains(&["@errors-shelf-drive-in", "iot-cards"]);
    bench.run("shelf nothing").exits_with(2).complains(&[
        "@errors-shelf-source",
        "'nothing'",
        "dramble-cards",
        "server-ssds",
    ]);
}

#[test]
fn programs_get_every_table() {
    let bench = Bench::new();
    let written = bench.run("shelf --json").exits_with(0).stdout;
    let sources: serde_json::Value = serde_json::from_str(&written).unwrap();
    let sources = sources.as_array().unwrap();
    assert_eq!(sources.len(), shelf::sources().len());
    let one = sources.iter().find(|source| source["name"] == "iot-cards").unwrap();
    let table = &one["tables"][0];
    assert_eq!(table["columns"][0]["unit"], "KiB/s");
    assert_eq!(table["columns"][0]["published"], "kB/s");
    assert_eq!(table["rows"][0]["cells"][0]["text"], "249512");
    assert_eq!(table["rows"][0]["cells"][0]["value"], 249_512.0 * 1_024.0);
    assert_eq!(one["tests"]["randwrite4k32"]["method"]["jobs"], 32);
    let part = bench.run("shelf --drive plextor --json").exits_with(0).stdout;
    let part: serde_json::Value = serde_json::from_str(&part).unwrap();
    assert_eq!(part.as_array().unwrap().len(), 2);
}
