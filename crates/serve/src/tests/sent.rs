//! Reports that machines send.

use super::*;

#[test]
fn a_report_is_taken_once_and_only_from_its_sender() {
    let bench = Bench::new();
    let (one, other) = (bench.token("one", Role::Sender), bench.token("other", Role::Sender));
    let mut report = cardiograph_testing::reports::finished("20260101-000000-abcdef", 2, 3);
    let text = json::to_json(&report);
    let taken = bench.report(&one, &[], text.as_str());
    assert_eq!(
        (taken.status, value(&taken)["saved"].as_str()),
        (StatusCode::CREATED, Some("new")),
        "{}",
        taken.text
    );
    assert_eq!(value(&taken)["page"], "/checkups/20260101-000000-abcdef");
    assert_eq!(bench.store().load(&report.id).unwrap(), report);
    // Sent twice is once, in whatever form.
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut packed, json::to_json_line(&report).as_bytes()).unwrap();
    let packed = packed.finish().unwrap();
    let again = bench.report(&one, &[("content-encoding", "gzip")], packed);
    assert_eq!(
        (again.status, value(&again)["saved"].as_str()),
        (StatusCode::OK, Some("same")),
        "{}",
        again.text
    );
    report.label = Some("mine".to_string());
    let changed = json::to_json(&report);
    assert_eq!(bench.report(&other, &[], changed.as_str()).status, StatusCode::CONFLICT);
    assert_eq!(value(&bench.report(&one, &[], changed.as_str()))["saved"], "replaced");
    // Nobody sent what was saved here.
    let local = cardiograph_testing::reports::report("20260102-000000-abcdef", 2);
    bench.save(&local);
    assert_eq!(bench.report(&one, &[], json::to_json(&local)).status, StatusCode::CONFLICT);
    assert_eq!(bench.server.feed.after(bench.server.feed.last() - 2).unwrap().len(), 2);
    assert_eq!(bench.store().find(&Query::default()).unwrap().len(), 2);
}

#[test]
fn what_is_not_a_report_is_refused_by_its_status() {
    let bench = Bench::new();
    let bearer = bench.token("one", Role::Sender);
    let report = json::to_json(&cardiograph_testing::reports::report("20260101-000000-abcdef", 2));
    let version = format!("\"report_version\": {}", cardiograph_core::report::REPORT_VERSION);
    assert!(report.contains(&version));
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let long = format!("{{\"more\": \"{}\"", "x".repeat(2 << 20));
    for (body, headers, status) in [
        ("", &[][..], StatusCode::BAD_REQUEST),
        ("{}", &[], StatusCode::BAD_REQUEST),
        (&deep, &[], StatusCode::BAD_REQUEST),
        (&report[..report.len() / 2], &[], StatusCode::BAD_REQUEST),
        (&report.replacen('{', &format!("{{\"more\": {deep},"), 1), &[], StatusCode::UNPROCESSABLE_ENTITY),
        (&report.replacen('{', &format!("{long},"), 1), &[], StatusCode::UNPROCESSABLE_ENTITY),
        (
            &report.replace("20260101-000000-abcdef", "../../etc/passwd"),
            &[],
            StatusCode::UNPROCESSABLE_ENTITY,
        ),
        (&report.replace(&version, "\"report_version\": 999"), &[], StatusCode::UNPROCESSABLE_ENTITY),
        (&report, &[("content-type", "text/plain")], StatusCode::UNSUPPORTED_MEDIA_TYPE),
        (&report, &[("content-encoding", "br")], StatusCode::UNSUPPORTED_MEDIA_TYPE),
        (&report, &[("content-encoding", "gzip")], StatusCode::BAD_REQUEST),
        (&" ".repeat(17 << 20), &[], StatusCode::PAYLOAD_TOO_LARGE),
    ] {
        let refused = bench.report(&bearer, headers, body);
        assert_eq!(refused.status, status, "{} {headers:?}: {}", &body[..body.len().min(80)], refused.text);
        assert!(!value(&refused)["error"].as_str().unwrap().is_empty());
    }
    assert!(bench.store().find(&Query::default()).unwrap().is_empty());
}

/// A sender of the version before lacks fields, and one of the version after has more.
#[test]
fn versions_one_apart_understand_each_other() {
    let bench = Bench::new();
    let bearer = bench.token("one", Role::Sender);
    let report = cardiograph_testing::reports::finished("20260101-000000-abcdef", 2, 1);
    let mut newer: serde_json::Value = serde_json::from_str(&json::to_json(&report)).unwrap();
    newer["later"] = serde_json::json!({ "id": 7, "list": [1.5, "x"] });
    newer["drive"]["later"] = true.into();
    newer["steps"][0]["later"] = "x".into();
    assert_eq!(bench.report(&bearer, &[], newer.to_string()).status, StatusCode::CREATED);
    assert_eq!(bench.store().load(&report.id).unwrap(), report);
    // An earlier program had no list of traps, and knew fewer facts of a drive.
    let mut older: serde_json::Value = serde_json::from_str(&json::to_json(&report)).unwrap();
    older["id"] = "20250101-000000-abcdef".into();
    assert!(older.as_object_mut().unwrap().remove("traps").is_some());
    let taken = bench.report(&bearer, &[], older.to_string());
    assert_eq!(taken.status, StatusCode::CREATED, "{}", taken.text);
}

#[test]
fn a_full_disk_is_said_politely_and_loses_nothing() {
    let mount = match LoopMount::new(&["mkfs.ext4", "-q"], 16 << 20, "") {
        Ok(mount) => mount,
        Err(why) => return skip("a full disk under a server", &why),
    };
    let mut bench = Bench::new();
    let store = mount.path().join("drives.db");
    bench.server = Server::new(
        bench.server.settings.clone(),
        cardiograph_store::open(&store).unwrap(),
        Box::new(|_| {}),
    );
    let bearer = bench.token("one", Role::Sender);
    // The bench's token is in the store beside; the server's needs it, too.
    let (hash, others) = (crate::sessions::hash(&bearer["Bearer ".len()..]), bench.store());
    let token = others.access().tokens().unwrap().remove(0);
    cardiograph_store::open(&store).unwrap().access().add_token(&token, &hash).unwrap();
    let send = |number: usize| {
        let id = format!("20260101-{number:06}-abcdef");
        let report = cardiograph_testing::reports::finished(&id, 2 + number as u64, 3);
        (bench.report(&bearer, &[], json::to_json(&report)), id)
    };
    let (first, mut kept) = (send(0), Vec::new());
    assert_eq!(first.0.status, StatusCode::CREATED);
    kept.push(first.1);
    let filler = mount.path().join("filler");
    let mut file = std::fs::File::create(&filler).unwrap();
    while std::io::Write::write_all(&mut file, &[1; 4_096]).is_ok() {}
    drop(file);
    let refused = (1..50).find_map(|number| match send(number) {
        (answer, id) if answer.status == StatusCode::CREATED => {
            kept.push(id);
            None
        }
        (answer, id) => Some((answer, id)),
    });
    let (answer, id) = refused.expect("the disk is full");
    assert_eq!(
        (answer.status, answer.retry.as_str()),
        (StatusCode::SERVICE_UNAVAILABLE, "30"),
        "{}",
        answer.text
    );
    let readers = [("authorization", bearer.as_str())];
    assert_eq!(bench.send(Method::GET, "/api/v1/me", &readers, "").status, StatusCode::OK);
    mount.remove(&filler);
    let number: usize = id[9..15].parse().unwrap();
    assert_eq!(send(number).0.status, StatusCode::CREATED);
    kept.push(id);
    let found = cardiograph_store::open(&store).unwrap().find(&Query::default()).unwrap();
    let found: BTreeSet<String> = found.iter().map(|run| run.id.to_string()).collect();
    assert_eq!(found, kept.into_iter().collect());
}
