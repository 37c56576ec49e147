//! Drives and what a server keeps, in every store.

use cardiograph_core::Report;
use cardiograph_core::message::Message;
use cardiograph_core::summary::RunSummary;
use cardiograph_store::select::select;
use cardiograph_store::{
    AuditEntry, Deed, DriveOrder, DriveQuery, DriveSummary, KeptCard, Query, Saved, Store, StoreError, Token,
    Unsent, drive_key,
};
use cardiograph_testing::reports;

use crate::story::stores;

const DAY_MS: u64 = 86_400_000;

fn report(id: &str, day: u64, serial: &str, host: &str) -> Report {
    let mut report = reports::finished(id, 1_790_000_000_000 + day * DAY_MS, 1);
    report.drive.leaves[0].serial = (!serial.is_empty()).then(|| serial.to_string());
    report.host.name = Some(host.to_string());
    report
}

fn key(report: &Report) -> String {
    drive_key(&RunSummary::from_report(report))
}

fn ids(store: &dyn Store, query: &Query) -> Vec<String> {
    store.find(query).unwrap().into_iter().map(|run| run.id.to_string()).collect()
}

fn of_drive(store: &dyn Store, key: &str) -> Vec<String> {
    ids(store, &Query { drive_key: Some(key.to_string()), ..Query::default() })
}

/// What the checkups in a store come to, computed anew.
fn check(store: &dyn Store) -> Vec<DriveSummary> {
    let drives = store.drives(&DriveQuery::default()).unwrap();
    assert_eq!(store.count_drives(&DriveQuery::default()).unwrap(), drives.len() as u64);
    let all = store.find(&Query::default()).unwrap();
    assert_eq!(drives.iter().map(|drive| drive.checkups).sum::<u64>(), all.len() as u64);
    for drive in &drives {
        let query = Query { drive_key: Some(drive.key.clone()), ..Query::default() };
        let runs = store.find(&query).unwrap();
        let newest = &runs[0];
        let expected = DriveSummary {
            key: drive.key.clone(),
            models: newest.models.as_str().to_string(),
            drive_ids: newest.drive_ids.as_str().to_string(),
            label: newest.label.as_deref().map(str::to_string),
            host: newest.host.as_deref().map(str::to_string),
            path: newest.path.to_string(),
            capacity_bytes: newest.capacity_bytes,
            checkups: runs.len() as u64,
            first_unix_ms: runs[runs.len() - 1].started_unix_ms,
            last_unix_ms: newest.started_unix_ms,
            newest: newest.id.to_string(),
        };
        assert_eq!(*drive, expected);
    }
    drives
}

#[test]
fn drives_follow_their_checkups() {
    for (_kept_in, store) in stores() {
        let store = store.as_ref();
        assert_eq!(check(store), []);
        let mut a = report("a1", 1, "A", "pi5");
        a.label = Some("Küche 100%".to_string());
        a.tags.insert("board".to_string(), "Pi 5".to_string());
        store.save(&a).unwrap();
        // Saved again with each step, and later ones out of order.
        a.steps.push(reports::step(1, 3, 5));
        store.save_all(&[a.clone(), report("a3", 3, "A", "pi5"), report("a2", 2, "A", "pi4")]).unwrap();
        store
            .save_all(&[report("b1", 2, "B", "nas"), report("c1", 1, "", "nas"), report("c2", 4, "", "pi5")])
            .unwrap();
        let drives = check(store);
        assert_eq!(drives.len(), 4, "without an id, the host tells drives apart");
        assert_eq!(of_drive(store, &key(&a)), ["a3", "a2", "a1"]);
        assert!(drives.iter().all(|drive| drive.key.len() == 16));
        assert_eq!(of_drive(store, "nosuch"), Vec::<String>::new());

        // A checkup that turns out to be of another drive.
        store.save(&report("a3", 3, "B", "pi5")).unwrap();
        assert_eq!(check(store).len(), 4);
        assert_eq!(of_drive(store, &key(&a)), ["a2", "a1"]);
        store.remove(&["a2"]).unwrap();
        let query = |query: DriveQuery| {
            let found = store.drives(&query).unwrap();
            let counted = store.count_drives(&query).unwrap();
            (found.into_iter().map(|drive| drive.newest).collect::<Vec<_>>(), counted)
        };
        let none = DriveQuery::default;
        let text = |text: &str| DriveQuery { text: Some(text.to_string()), ..none() };
        let tag = |value: &str| DriveQuery { tags: vec![("Board".into(), value.to_string())], ..none() };
        for (wanted, expected) in [
            (none(), (vec!["c2", "a3", "c1", "a1"], 4)),
            (DriveQuery { skip: 1, limit: Some(2), ..none() }, (vec!["a3", "c1"], 4)),
            (DriveQuery { order: DriveOrder::Checkups, limit: Some(1), ..none() }, (vec!["a3"], 4)),
            (DriveQuery { host: Some("PI5".into()), ..none() }, (vec!["c2", "a3", "a1"], 3)),
            (DriveQuery { label: Some("Küche 100%".into()), ..none() }, (vec!["a1"], 1)),
            (text("che 100%"), (vec!["a1"], 1)),
            (text("sd64"), (vec!["c2", "a3", "c1", "a1"], 4)),
            (text("100_"), (vec![], 0)),
            (text("!"), (vec![], 0)),
            (tag("pi 5"), (vec!["a1"], 1)),
            (tag("pi 4"), (vec![], 0)),
        ] {
            let expected = (expected.0.iter().map(|id| id.to_string()).collect(), expected.1);
            assert_eq!(query(wanted.clone()), expected, "{wanted:?}");
        }
        let by_name = store.drives(&DriveQuery { order: DriveOrder::Name, ..none() }).unwrap();
        assert_eq!(by_name[0].newest, "a1", "'küche' is before 'sd64g'");

        store.remove(&["a1", "c1", "c2", "a3", "b1"]).unwrap();
        assert_eq!(check(store), []);
    }
}

#[test]
fn joined_drives_are_one_until_they_are_separated() {
    for (_kept_in, store) in stores() {
        let store = store.as_ref();
        let [a, b, c] =
            [("a1", "A"), ("b1", "B"), ("c1", "C")].map(|(id, serial)| report(id, 1, serial, "pi5"));
        store.save_all(&[a.clone(), b.clone(), c.clone()]).unwrap();
        let [a, b, c] = [&a, &b, &c].map(key);
        assert!(matches!(store.join_drives(&a, "nosuch"), Err(StoreError::NoSuchDrive { .. })));
        store.join_drives(&a, &b).unwrap();
        store.join_drives(&a, &b).unwrap();
        store.save(&report("a2", 2, "A", "pi5")).unwrap();
        assert_eq!(check(store).len(), 2);
        assert_eq!(of_drive(store, &b), ["a2", "b1", "a1"]);
        assert_eq!(of_drive(store, &a), ["a2", "b1", "a1"], "under its own key, too");
        store.join_drives(&b, &c).unwrap();
        assert_eq!(store.joined_drives().unwrap(), [(a.clone(), c.clone()), (b.clone(), c.clone())]);
        assert_eq!(check(store).len(), 1);
        assert_eq!(of_drive(store, &a).len(), 4);
        // A circle is nothing new.
        store.join_drives(&c, &a).unwrap();
        assert_eq!(check(store).len(), 1);
        store.separate_drive(&b).unwrap();
        store.separate_drive(&a).unwrap();
        store.separate_drive(&a).unwrap();
        assert_eq!(store.joined_drives().unwrap(), []);
        assert_eq!(check(store).len(), 3);
        assert_eq!(of_drive(store, &a), ["a2", "a1"]);
        // The key stays known while no checkup is there.
        store.join_drives(&a, &b).unwrap();
        store.remove(&["a1", "a2", "b1"]).unwrap();
        store.save(&report("a3", 3, "A", "pi5")).unwrap();
        assert_eq!(of_drive(store, &b), ["a3"]);
        check(store);
    }
}

#[test]
fn arrivals_are_those_first_saved_after_a_number() {
    for (_kept_in, store) in stores() {
        let store = store.as_ref();
        assert_eq!(store.arrivals(None, 9).unwrap(), []);
        store.save_all(&[report("a1", 3, "A", "pi5"), report("b1", 1, "B", "nas")]).unwrap();
        let last = store.arrivals(None, 9).unwrap().remove(0);
        assert_eq!((last.id.as_str(), last.drive.as_str()), ("b1", &*key(&report("b1", 1, "B", "nas"))));
        // One that is saved again has not arrived again.
        store
            .save_all(&[
                report("a1", 3, "A", "pi5"),
                report("c1", 0, "C", "nas"),
                report("a2", 2, "A", "pi5"),
            ])
            .unwrap();
        let later = store.arrivals(Some(last.number), 9).unwrap();
        assert_eq!(later.iter().map(|arrival| arrival.id.as_str()).collect::<Vec<_>>(), ["c1", "a2"]);
        assert_eq!(store.arrivals(Some(last.number), 1).unwrap(), later[..1]);
        assert_eq!(store.arrivals(Some(u64::MAX), 9).unwrap(), []);
        // The drive that a joined one is joined to.
        store.join_drives(&last.drive, &later[0].drive).unwrap();
        assert_eq!(store.drive_of("b1").unwrap().as_ref(), Some(&later[0].drive));
        assert_eq!(store.drive_of("none").unwrap(), None);
    }
}

#[test]
fn lists_continue_where_they_ended() {
    for (_kept_in, store) in stores() {
        let store = store.as_ref();
        // Some began at the same time.
        let reports: Vec<Report> =
            (0..25).map(|number| report(&format!("r{number:02}"), number / 3, "A", "pi5")).collect();
        store.save_all(&reports).unwrap();
        let all = ids(store, &Query::default());
        let mut pages = Vec::new();
        loop {
            let after = pages.last().cloned();
            let page = ids(store, &Query { after, limit: Some(7), ..Query::default() });
            if page.is_empty() {
                break;
            }
            pages.extend(page);
            // What arrives meanwhile is not on later pages.
            store.save(&report(&format!("later{}", pages.len()), 99, "A", "pi5")).unwrap();
        }
        assert_eq!(pages, all);
        let rest = ids(store, &Query { after: Some("r10".to_string()), ..Query::default() });
        assert_eq!(rest, all[all.iter().position(|id| id == "r10").unwrap() + 1..]);
        let gone = store.find(&Query { after: Some("nosuch".to_string()), ..Query::default() });
        assert!(matches!(gone, Err(StoreError::NoSuchPage { .. })));
    }
}

#[test]
fn nobody_replaces_the_report_of_another() {
    for (_kept_in, store) in stores() {
        let access = store.access();
        let mut sent = report("a1", 1, "A", "pi5");
        assert_eq!(access.sender("a1").unwrap(), None);
        assert_eq!(access.save_from(&sent, "pi5").unwrap(), Saved::New);
        assert_eq!(access.save_from(&sent, "pi5").unwrap(), Saved::Same);
        assert_eq!(access.sender("a1").unwrap().as_deref(), Some("pi5"));
        sent.notes.push(Message::verbatim("more"));
        assert!(matches!(access.save_from(&sent, "nas"), Err(StoreError::NotYours { .. })));
        assert_ne!(store.load("a1").unwrap(), sent);
        assert_eq!(access.save_from(&sent, "pi5").unwrap(), Saved::Replaced);
        assert_eq!(store.load("a1").unwrap(), sent);
        store.save(&report("b1", 1, "A", "pi5")).unwrap();
        assert!(matches!(
            access.save_from(&report("b1", 1, "A", "pi5"), "pi5"),
            Err(StoreError::NotYours { .. })
        ));
        // Many send the same at once: it is there once.
        let again = report("c1", 2, "A", "pi5");
        let saved: Vec<Saved> = std::thread::scope(|scope| {
            let all: Vec<_> =
                (0..4).map(|_| scope.spawn(|| access.save_from(&again, "pi5").unwrap())).collect();
            all.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(saved.iter().filter(|saved| **saved == Saved::New).count(), 1, "{saved:?}");
        assert_eq!(saved.iter().filter(|saved| **saved == Saved::Same).count(), 3, "{saved:?}");
        let sent = ids(store.as_ref(), &Query { sender: Some("pi5".to_string()), ..Query::default() });
        assert_eq!(sent, ["c1", "a1"], "not what was saved here");
        assert_eq!(select("sender:pi5", store.as_ref()).unwrap().len(), 2);
        assert!(select("sender:nas", store.as_ref()).is_err());
        check(store.as_ref());
    }
}

#[test]
fn the_outbox_is_kept_in_order() {
    for (_kept_in, store) in stores() {
        let access = store.access();
        let unsent = |server: &str, id: &str| Unsent { server: server.to_string(), id: id.to_string() };
        assert_eq!(access.outbox().unwrap(), []);
        store.save_all(&[report("b", 1, "A", "pi5"), report("a", 2, "A", "pi5")]).unwrap();
        access.add_to_outbox("https://team", &["b"]).unwrap();
        std::thread::sleep(std::time::Duration::from_millis(5));
        // Noted again, it keeps its place.
        access.add_to_outbox("https://team", &["a", "b"]).unwrap();
        access.add_to_outbox("https://other", &["b"]).unwrap();
        let team = [unsent("https://team", "b"), unsent("https://team", "a")];
        let of_team = || {
            let all = access.outbox().unwrap();
            all.into_iter().filter(|unsent| unsent.server == "https://team").collect::<Vec<_>>()
        };
        assert_eq!(of_team(), team);
        assert_eq!(access.outbox().unwrap().len(), 3);
        assert!(matches!(
            access.add_to_outbox("https://team", &["c", "../x"]),
            Err(StoreError::BadId { .. })
        ));
        assert_eq!(of_team(), team, "all or none");
        access.remove_from_outbox(&team[1]).unwrap();
        access.remove_from_outbox(&team[1]).unwrap();
        assert_eq!(of_team(), team[..1]);
        // A checkup that is removed is not sent.
        store.remove(&["b"]).unwrap();
        assert_eq!(access.outbox().unwrap(), []);
    }
}

#[test]
fn a_card_is_kept_until_a_checkup_of_its_drive_changes() {
    for (_kept_in, store) in stores() {
        let access = store.access();
        let [a, b] = ["A", "B"].map(|serial| report(serial, 1, serial, "pi5"));
        store.save_all(&[a.clone(), b.clone()]).unwrap();
        let card = |report: &Report, made_of: &str| KeptCard {
            drive: key(report),
            made_of: made_of.to_string(),
            json: b"{}".to_vec(),
        };
        let keys = [key(&a), key(&b)];
        let kept = || {
            let mut kept = access.cards(&[&keys[0], &keys[1], "0000000000000000"]).unwrap();
            kept.sort_by_key(|card| card.made_of.clone());
            kept
        };
        let keep = || access.keep_cards(&[card(&a, "1"), card(&b, "2")]).unwrap();
        assert_eq!(kept(), []);
        access.keep_cards(&[card(&a, "0")]).unwrap();
        keep();
        assert_eq!(kept(), [card(&a, "1"), card(&b, "2")]);
        store.save(&report("later", 2, "A", "pi5")).unwrap();
        assert_eq!(kept(), [card(&b, "2")]);
        let changes: [&dyn Fn(); 4] = [
            &|| store.save(&Report { label: Some("spare".to_string()), ..a.clone() }).unwrap(),
            &|| store.remove(&["later"]).unwrap(),
            &|| store.join_drives(&keys[0], &keys[1]).unwrap(),
            &|| store.separate_drive(&keys[0]).unwrap(),
        ];
        for change in changes {
            keep();
            change();
            assert!(kept().iter().all(|card| card.drive != keys[0]));
        }
        keep();
        store.remove(&["A", "B"]).unwrap();
        assert_eq!(kept(), [], "no card without a drive");
        assert_eq!(access.cards(&[]).unwrap(), []);
    }
}

#[test]
fn tokens_and_the_audit_list_are_kept() {
    for (_kept_in, store) in stores() {
        let access = store.access();
        assert_eq!(access.tokens().unwrap(), []);
        let token = |name: &str, expires_unix_ms| Token {
            name: name.to_string(),
            role: "sender".to_string(),
            created_unix_ms: 7,
            expires_unix_ms,
            revoked_unix_ms: None,
            used_unix_ms: None,
        };
        let [pi, nas] = [token("pi", Some(99)), token("nas", None)];
        access.add_token(&pi, &[1; 32]).unwrap();
        access.add_token(&nas, &[2; 32]).unwrap();
        assert!(matches!(
            access.add_token(&token("pi", None), &[3; 32]),
            Err(StoreError::TokenExists { .. })
        ));
        assert_eq!(access.token(&[1; 32]).unwrap(), Some(pi.clone()));
        assert_eq!(access.token(&[3; 32]).unwrap(), None);
        access.use_token("pi", 50).unwrap();
        assert!(access.revoke_token("pi", 60).unwrap());
        assert!(!access.revoke_token("pi", 61).unwrap());
        let used = Token { used_unix_ms: Some(50), revoked_unix_ms: Some(60), ..pi };
        assert_eq!(access.tokens().unwrap(), [nas, used.clone()]);
        let replaced = |unix_ms, name: &str| {
            let entry = AuditEntry { unix_ms, ..AuditEntry::now("ann", Deed::TokenReplaced, name) };
            access.replace_token(name, &[4; 32], &entry).unwrap()
        };
        assert!(replaced(70, "pi") && !replaced(71, "none"));
        let renewed = access.token(&[4; 32]).unwrap().unwrap();
        let expected = Token {
            created_unix_ms: 70,
            // For as long as before: 99 - 7.
            expires_unix_ms: Some(162),
            used_unix_ms: None,
            revoked_unix_ms: None,
            ..used
        };
        assert_eq!(renewed, expected);
        assert_eq!(access.token(&[1; 32]).unwrap(), None, "the earlier secret");
        assert_eq!(access.audit(None, 9).unwrap().len(), 1, "what is not done is not noted");
        assert_eq!(access.prune_audit(100).unwrap(), 1);

        let entry = |at: u64| AuditEntry {
            number: 0,
            unix_ms: at,
            who: "pi".to_string(),
            what: "saved".to_string(),
            subject: format!("a{at}"),
        };
        (1..=9).for_each(|at| access.note(&entry(at)).unwrap());
        let subjects = |before, limit| {
            let found = access.audit(before, limit).unwrap();
            (
                found.last().map(|entry| entry.number),
                found.into_iter().map(|entry| entry.subject).collect::<Vec<_>>(),
            )
        };
        let (last, page) = subjects(None, 4);
        assert_eq!(page, ["a9", "a8", "a7", "a6"]);
        assert_eq!(subjects(last, 2).1, ["a5", "a4"]);
        assert_eq!(access.prune_audit(8).unwrap(), 7);
        assert_eq!(subjects(None, 9).1, ["a9", "a8"]);
    }
}

#[test]
fn pruning_keeps_the_newest_of_each_drive() {
    for (_kept_in, store) in stores() {
        for number in 0..12 {
            let serial = ["A", "A", "B"][number % 3];
            store.save(&report(&format!("r{number:02}"), number as u64, serial, "pi5")).unwrap();
        }
        let before = 1_790_000_000_000 + 10 * DAY_MS;
        assert_eq!(store.access().prune(before, 3).unwrap(), 5 + 1);
        assert_eq!(ids(store.as_ref(), &Query::default()), ["r11", "r10", "r09", "r08", "r07", "r05"]);
        assert_eq!(store.access().prune(before, 3).unwrap(), 0);
        assert_eq!(store.access().prune(0, 0).unwrap(), 0);
        assert_eq!(check(store.as_ref()).len(), 2);
    }
}
