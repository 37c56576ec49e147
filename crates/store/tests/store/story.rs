//! Behaviour that every store must share.

use std::any::Any;
use std::path::Path;

use cardiograph_core::method::{Method, OF_SEVERAL, TOOL};
use cardiograph_core::report::json::report_line;
use cardiograph_core::report::{ReportState, StepOutcome, TryOf, Work};
use cardiograph_core::summary::RunSummary;
use cardiograph_core::{Message, Report, message};
use cardiograph_judge::record::RunFigures;
use cardiograph_store::{Query, SqliteStore, Store, StoreError};

use cardiograph_testing::{postgres, reports};

/// Each kind of store, empty, with what it is kept in.
pub fn stores() -> Vec<(Box<dyn Any>, Box<dyn Store>)> {
    let directory = tempfile::tempdir().unwrap();
    let sqlite = SqliteStore::new(directory.path().join("made/when/needed/drives.db"));
    let mut stores: Vec<(Box<dyn Any>, Box<dyn Store>)> = vec![(Box::new(directory), Box::new(sqlite))];
    match postgres::Database::new() {
        Ok(database) => {
            let store = cardiograph_store::open(Path::new(&database.url)).unwrap();
            stores.push((Box::new(database), store));
        }
        Err(reason) => cardiograph_testing::skip("a store on PostgreSQL", &reason),
    }
    stores
}

fn ids(store: &dyn Store, query: &Query) -> Vec<String> {
    store.find(query).unwrap().into_iter().map(|run| run.id.to_string()).collect()
}

#[test]
fn a_saved_report_is_found_loaded_and_replaced() {
    for (_directory, store) in stores() {
        let store = store.as_ref();
        assert_eq!(store.find(&Query::default()).unwrap(), []);
        assert!(matches!(store.load("a"), Err(StoreError::NotFound { .. })));
        assert!(!store.place().exists(), "looking makes nothing: {}", store.place().display());

        // A checkup grows step by step; an earlier step may still change.
        let mut report = reports::report("20261122-120000-a", 1_795_348_800_000);
        assert!(matches!(store.load(&report.id), Err(StoreError::NotFound { .. })));
        store.save(&report).unwrap();
        assert_eq!(store.load(&report.id).unwrap().id, report.id);
        for number in 0..5 {
            report.steps.push(reports::step(number, 7 + number as u64, 50));
            store.save(&report).unwrap();
            assert_eq!(store.load(&report.id).unwrap(), report);
        }
        report.steps[1].step.title = Message::verbatim("changed afterwards");
        report.label = Some("microsd".to_string());
        report.tags.insert("board".to_string(), "Pi 5 = best".to_string());
        report.state = ReportState::Finished;
        store.save(&report).unwrap();
        assert_eq!(store.load(&report.id).unwrap(), report);
        assert_eq!(store.find(&Query::default()).unwrap(), [RunSummary::from_report(&report)]);
        let figures = store.figures(&[&report.id]).unwrap();
        assert_eq!(figures, [RunFigures::from_report(&report)]);

        // Resuming drops unfinished steps.
        report.steps.truncate(2);
        report.tags.clear();
        store.save(&report).unwrap();
        assert_eq!(store.load(&report.id).unwrap(), report);
        assert_eq!(store.figures(&[&report.id]).unwrap(), [RunFigures::from_report(&report)]);
        assert_eq!(
            ids(store, &Query { tags: vec![("board".into(), "Pi 5 = best".into())], ..Query::default() })
                .len(),
            0
        );
    }
}

#[test]
fn sentences_are_stored_with_their_english() {
    const ENGLISH: Option<&str> = Some("Step random-read was lost when the store was damaged.");
    let sentence = message!("store-step-lost", step = "random-read");
    for (_directory, store) in stores() {
        let mut report = reports::report("20261122-120000-a", 1_795_348_800_000);
        report.notes = vec![sentence.clone()];
        report.steps.push(reports::step(0, 7, 50));
        report.steps[0].outcome = StepOutcome::Failed { message: sentence.clone() };
        store.save(&report).unwrap();
        let read = store.load(&report.id).unwrap();
        assert_eq!(read, report);
        store.save(&read).unwrap();
        let again = store.load(&report.id).unwrap();
        assert_eq!(report_line(&again), report_line(&read), "what was stored stays");
        let StepOutcome::Failed { message } = &again.steps[0].outcome else { panic!() };
        assert_eq!([message.stored_text(), again.notes[0].stored_text()], [ENGLISH; 2]);
    }
}

fn many() -> Vec<Report> {
    let with = |id: &str, day: u64, label: &str, board: &str, suite: &str| {
        let mut report = reports::finished(id, 1_790_000_000_000 + day * 86_400_000, 1);
        report.label = (!label.is_empty()).then(|| label.to_string());
        report.tags.insert("board".to_string(), board.to_string());
        report.suite = suite.to_string();
        report
    };
    let mut other = with("20261003-b", 3, "ssd", "Pi 5", "quick");
    other.drive.leaves[0].serial = Some("S4EW".to_string());
    other.drive.leaves[0].model = Some("KIOXIA".to_string());
    other.host.name = Some("NAS".to_string());
    vec![
        with("20261001-a", 1, "microsd", "Pi 5", "quick"),
        with("20261002-a", 2, "microsd", "Pi 4", "cliff"),
        other,
        with("20261004-c", 4, "", "Pi 5", "Quick"),
    ]
}

#[test]
fn matching_checkups_are_listed_newest_first() {
    let all = ["20261004-c", "20261003-b", "20261002-a", "20261001-a"];
    let none = Query::default;
    let tag = |value: &str| vec![("board".to_string(), value.to_string())];
    let cases: Vec<(Query, Vec<&str>)> = vec![
        (none(), all.to_vec()),
        (Query { limit: Some(2), ..none() }, all[..2].to_vec()),
        (Query { skip: 1, limit: Some(1), ..none() }, all[1..2].to_vec()),
        (Query { skip: 9, ..none() }, vec![]),
        (Query { label: Some("microsd".into()), ..none() }, all[2..].to_vec()),
        (Query { tags: tag("Pi 5"), ..none() }, vec![all[0], all[1], all[3]]),
        (Query { tags: [tag("Pi 5"), tag("Pi 4")].concat(), ..none() }, vec![]),
        (Query { suite: Some("QUICK".into()), ..none() }, vec![all[0], all[1], all[3]]),
        (Query { drive: Some("s4ew".into()), ..none() }, vec![all[1]]),
        (Query { drive: Some("sd64g".into()), ..none() }, vec![all[0], all[2], all[3]]),
        (Query { host: Some("nas".into()), ..none() }, vec![all[1]]),
        (Query { since_unix_ms: Some(1_790_000_000_000 + 3 * 86_400_000), ..none() }, all[..2].to_vec()),
        (Query { id_begins: Some("202610".into()), suite: Some("cliff".into()), ..none() }, vec![all[2]]),
        (Query { id_begins: Some("2026%".into()), ..none() }, vec![]),
        (Query { label: Some("' OR 1=1 --".into()), ..none() }, vec![]),
    ];
    for (_directory, store) in stores() {
        store.save_all(&many()).unwrap();
        for (query, expected) in &cases {
            assert_eq!(&ids(store.as_ref(), query), expected, "{query:?} in {}", store.place().display());
        }
    }
}

#[test]
fn checkups_without_a_date_are_sorted_by_when_they_were_saved() {
    for (_directory, store) in stores() {
        for id in ["sim-c", "sim-a", "sim-b"] {
            store.save(&reports::report(id, 0)).unwrap();
            std::thread::sleep(std::time::Duration::from_millis(12));
        }
        store.save(&reports::report("2001", 1_000_000_000_000)).unwrap();
        // Saving it again does not make it newer.
        let mut again = store.load("sim-a").unwrap();
        again.notes.push(Message::verbatim("again"));
        store.save(&again).unwrap();
        assert_eq!(ids(store.as_ref(), &Query::default()), ["sim-b", "sim-a", "sim-c", "2001"]);
    }
}

#[test]
fn several_are_saved_all_or_none_and_ids_are_not_paths() {
    for (_directory, store) in stores() {
        let reports = [reports::finished("good", 1, 2), reports::finished("../evil", 2, 2)];
        assert!(matches!(store.save_all(&reports), Err(StoreError::BadId { .. })));
        assert_eq!(ids(store.as_ref(), &Query::default()).len(), 0);
    }
}

#[test]
fn removing_a_checkup_leaves_the_others() {
    for (_directory, store) in stores() {
        let store = store.as_ref();
        let reports = many();
        store.save_all(&reports).unwrap();
        assert!(matches!(store.remove(&["20261001-a", "none"]), Err(StoreError::NotFound { .. })));
        assert_eq!(ids(store, &Query::default()).len(), 4, "all or none");
        store.remove(&["20261001-a", "20261003-b"]).unwrap();
        assert_eq!(ids(store, &Query::default()), ["20261004-c", "20261002-a"]);
        assert!(matches!(store.load("20261001-a"), Err(StoreError::NotFound { .. })));
        assert!(matches!(store.figures(&["20261003-b"]), Err(StoreError::NotFound { .. })));
        for kept in [&reports[1], &reports[3]] {
            assert_eq!(store.load(&kept.id).unwrap(), *kept);
            assert_eq!(store.figures(&[&kept.id]).unwrap(), [RunFigures::from_report(kept)]);
        }
        // The id can be saved again.
        store.save(&reports[0]).unwrap();
        assert_eq!(store.load("20261001-a").unwrap(), reports[0]);
    }
}

/// More than are read at once, in arbitrary order, one of them twice.
#[test]
fn figures_of_many_come_in_the_order_of_ids() {
    let report = |number: u64| {
        let mut report = reports::report(&format!("2026-{number:04}"), 1_790_000_000_000 + number);
        report.steps = (0..number as usize % 3).map(|at| reports::step(at, number + at as u64, 0)).collect();
        report.tags.insert("raid".to_string(), format!("WB {}", number % 5));
        report
    };
    let reports: Vec<Report> = (0..300).map(report).collect();
    for (_directory, store) in stores() {
        assert_eq!(store.figures(&[]).unwrap(), []);
        assert!(
            matches!(store.figures(&["2026-0000"]), Err(StoreError::NotFound { id, .. }) if id == "2026-0000")
        );
        store.save_all(&reports).unwrap();
        for count in [0, 1, 2, 16, 17, 300] {
            let mut wanted: Vec<&Report> = (0..count).map(|at| &reports[at * 7 % 300]).collect();
            wanted.extend(wanted.first().copied());
            let ids: Vec<&str> = wanted.iter().map(|report| report.id.as_str()).collect();
            let expected: Vec<RunFigures> = wanted.into_iter().map(RunFigures::from_report).collect();
            assert!(store.figures(&ids).unwrap() == expected, "{count} of {}", store.place().display());
        }
        let missing = store.figures(&["2026-0001", "2026-9999", "2026-0002"]);
        assert!(matches!(missing, Err(StoreError::NotFound { id, .. }) if id == "2026-9999"));
    }
}

#[test]
fn numbers_keep_every_bit_in_figures_too() {
    for (_directory, store) in stores() {
        let mut report = reports::finished("a", 1, 1);
        let imported = report.steps[0].imported.as_mut().unwrap();
        for (figure, value) in imported.figures.iter_mut().zip([0.1 + 0.2, f64::MIN_POSITIVE, 1e300]) {
            figure.estimate.value = value;
        }
        report.drive.capacity_bytes = Some(u64::MAX);
        store.save(&report).unwrap();
        assert_eq!(store.load("a").unwrap(), report);
        assert_eq!(store.figures(&["a"]).unwrap()[0].tests, RunFigures::from_report(&report).tests);
    }
}

#[test]
fn repeats_of_a_test_are_combined() {
    for (_directory, store) in stores() {
        let mut report = reports::report("a", 1);
        for nth in 0..3 {
            let mut tried = reports::step(nth, nth as u64, 40);
            let try_of = TryOf {
                test: "read".to_string(),
                title: Message::verbatim("Read"),
                tries: 3,
                ends_early: false,
            };
            let mut method = Method { tool: TOOL.to_string(), ..Method::default() };
            method.others.insert(OF_SEVERAL.to_string(), try_of.value_in_words());
            (tried.step.work, tried.step.try_of) = (Work::Imported(method), Some(try_of));
            report.steps.push(tried);
            store.save(&report).unwrap();
            // A later repeat changes the combined result.
            let found = store.figures(&["a"]).unwrap();
            assert_eq!(found, [RunFigures::from_report(&report)]);
            let [test] = &found[0].tests[..] else { panic!("{found:?}") };
            assert_eq!((test.test.as_str(), test.title.as_verbatim()), ("read", Some("Read")));
            assert_eq!(test.method.others[OF_SEVERAL], format!("mean of {}", nth + 1));
        }
        // An interrupted repeat does not count.
        report.steps[2].outcome = StepOutcome::Interrupted;
        store.save(&report).unwrap();
        let found = store.figures(&["a"]).unwrap();
        assert_eq!(found, [RunFigures::from_report(&report)]);
        assert_eq!(found[0].tests[0].method.others[OF_SEVERAL], "mean of 2");
    }
}
