//! Pages for people.

use super::*;

#[test]
fn what_a_report_says_is_text() {
    let bench = Bench::new();
    let evil = "\"><script>alert(1)</script>&amp;";
    let mut report = cardiograph_testing::reports::report("20260101-000000-abcdef", 2);
    report.label = Some(evil.to_string());
    report.host.name = Some(evil.to_string());
    report.tags.insert(evil.to_string(), evil.to_string());
    report.drive.path = evil.to_string();
    report.drive.leaves = vec![Default::default()];
    report.drive.leaves[0].model = Some(evil.to_string());
    report.drive.leaves[0].serial = Some(evil.to_string());
    report.suite = evil.to_string();
    bench.save(&report);
    report.id = "20260102-000000-abcdef".to_string();
    report.started_unix_ms += 86_400_000;
    report.host.kernel = Some(evil.to_string());
    report.drive.capacity_bytes = Some(1);
    bench.save(&report);
    let key = bench.drives()[0].key.clone();
    let encoded = "%22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E";
    for path in [
        "/".to_string(),
        "/checkups".to_string(),
        format!("/checkups/{}", report.id),
        format!("/drives/{key}"),
        format!("/?text={encoded}&order={encoded}"),
        format!("/drives/{encoded}"),
        format!("/examples/{encoded}"),
        format!("/shelf?source={encoded}"),
        format!("/checkups?drive={encoded}"),
        format!("/compare?of=drive:{key}&of=drive:{key}"),
        format!("/compare?of={encoded}&of={encoded}"),
        format!("/checkups/{encoded}"),
        format!("/live/{encoded}"),
        "/live/a%0D%0Ab".to_string(),
        "/%3Cscript%3E".to_string(),
    ] {
        let answer = bench.get(&path, Role::Admin);
        // The page's own script and words are the only ones.
        let scripts = if answer.status.is_redirection() { 0 } else { 2 };
        assert_eq!(answer.text.matches("<script").count(), scripts, "{path}: {}", answer.text);
        assert_ne!(answer.status, StatusCode::INTERNAL_SERVER_ERROR, "{path}");
    }
    assert!(bench.get("/checkups", Role::Viewer).text.contains("&lt;script&gt;alert(1)"));
}

#[test]
fn an_empty_store_shows_examples_that_are_not_kept() {
    let bench = Bench::new();
    let home = bench.get("/", Role::Viewer);
    assert!(
        home.status == StatusCode::OK && home.text.contains("href=\"/examples/bad-card\""),
        "{}",
        home.text
    );
    assert!(home.text.contains("data-count=\"0\""));
    let example = bench.get("/examples/bad-card", Role::Viewer);
    assert!(example.status == StatusCode::OK && example.text.contains("id=\"verdicts\""));
    assert_eq!(bench.get("/examples/none", Role::Viewer).status, StatusCode::NOT_FOUND);
    assert!(bench.drives().is_empty());
}

/// Checkups of a drive, one a day, with its figures times each of `factors`.
fn days(bench: &Bench, serial: &str, factors: &[f64]) {
    for (day, factor) in factors.iter().enumerate() {
        let mut report = cardiograph_testing::reports::report(&format!("2026010{day}-000000-{serial}"), 2);
        report.started_unix_ms = 1_767_225_600_000 + 86_400_000 * day as u64;
        report.state = ReportState::Finished;
        report.steps = vec![cardiograph_testing::reports::step(0, day as u64, 20)];
        report.host.kernel = Some(if day < 3 { "6.1" } else { "6.12" }.to_string());
        let leaf =
            Leaf { model: Some("SD64G".to_string()), serial: Some(serial.to_string()), ..Leaf::default() };
        report.drive.leaves = vec![leaf];
        let measured =
            |value, doubt| Measured { estimate: Estimate::exact(value), step: String::new(), doubt };
        let doubt = (day == 1).then_some(Doubt::AboveLink);
        report.measurements.insert(Metric::RandomReadIops, measured(1_000.0 * factor, doubt));
        report.measurements.insert(Metric::RandomWriteIops, measured(400.0 * factor, None));
        bench.save(&report);
    }
}

#[test]
fn a_drive_has_its_figures_over_time_and_what_changed_around_it() {
    let bench = Bench::new();
    days(&bench, "aa", &[1.0, 1.01, 0.99, 1.0, 0.5]);
    days(&bench, "bb", &[1.0]);
    let key = bench.drives().into_iter().find(|drive| drive.drive_ids == "aa").unwrap().key;
    let home = bench.get("/", Role::Viewer).text;
    assert!(home.contains(&format!("/drives/{key}")) && home.contains("data-count=\"2\""));
    assert!(home.contains("random write 50 % lower"), "it fell by more than chance: {home}");
    assert!(bench.get("/?text=BB", Role::Viewer).text.contains("data-count=\"1\""));

    let drive = bench.get(&format!("/drives/{key}"), Role::Viewer).text;
    let chart = format!("/api/v1/drives/{key}/trend?suite=quick&amp;metric=random_read_iops");
    assert!(drive.contains(&chart) && drive.contains("6.12"), "{drive}");
    assert!(!drive.contains("/join"), "a viewer changes nothing");
    let chart = bench.get(&chart.replace("amp;", ""), Role::Viewer).text;
    let chart: serde_json::Value = serde_json::from_str(&chart).unwrap();
    let series = &chart["series"][0];
    assert_eq!(series["y"], serde_json::json!([1_000.0, null, 990.0, 1_000.0, 500.0]));
    assert!(series["why"][1].is_string() && series["why"][0].is_null());
    assert_eq!(chart["events"].as_array().unwrap().len(), 1);
}

#[test]
fn a_card_is_made_once_and_again_when_its_drive_was_checked() {
    let bench = Bench::new();
    days(&bench, "aa", &[1.0]);
    let home = || {
        bench.server.cards.forget();
        bench.get("/", Role::Viewer).text
    };
    let first = home();
    assert_eq!(home(), first, "from the store it looks the same");
    let key = bench.drives()[0].key.clone();
    let mut kept = bench.store().access().cards(&[&key]).unwrap();
    assert!(!kept.is_empty());
    kept[0].json = br#"{"answer":[],"figures":[],"is_simulated":true}"#.to_vec();
    bench.store().access().keep_cards(&kept).unwrap();
    assert_ne!(home(), first, "it is read, not made");
    for (made_of, json) in [("0.0.0 1 x", kept[0].json.clone()), (&*kept[0].made_of.clone(), b"{".to_vec())] {
        let card = KeptCard { drive: key.clone(), made_of: made_of.to_string(), json };
        bench.store().access().keep_cards(&[card]).unwrap();
        assert_eq!(home(), first, "another program's, or one that cannot be read, is made again");
    }
    bench.store().access().keep_cards(&kept).unwrap();
    days(&bench, "aa", &[1.0, 0.5]);
    assert!(home().contains("200 IOPS"));
}

#[test]
fn two_entries_of_one_drive_are_joined_and_separated() {
    let bench = Bench::new();
    days(&bench, "aa", &[1.0]);
    days(&bench, "bb", &[1.0]);
    let keys: Vec<String> = bench.drives().into_iter().map(|drive| drive.key).collect();
    let joined =
        bench.post(&format!("/drives/{}/join", keys[0]), Role::Operator, &format!("key={}", keys[1]));
    assert_eq!(joined.location, format!("/drives/{}", keys[1]));
    assert_eq!(bench.drives()[0].checkups, 2);
    // The old address leads to the same drive.
    let page = bench.get(&format!("/drives/{}", keys[0]), Role::Operator);
    assert!(page.status == StatusCode::OK && page.text.contains("/separate"));
    bench.post(&format!("/drives/{}/separate", keys[1]), Role::Operator, &format!("key={}", keys[0]));
    assert_eq!(bench.drives().len(), 2);
    let lost = bench.post(&format!("/drives/{}/join", keys[0]), Role::Operator, "key=0");
    assert_eq!(lost.status, StatusCode::NOT_FOUND);
}

#[test]
fn a_comparison_can_be_taken_along() {
    let bench = Bench::new();
    days(&bench, "aa", &[1.0]);
    days(&bench, "bb", &[0.5]);
    for (form, begin) in [("markdown", "|"), ("csv", "test"), ("png", "<svg")] {
        let answer = bench.get(&format!("/compare?of=drive:aa&of=drive:bb&as={form}"), Role::Viewer);
        assert!(answer.status == StatusCode::OK && answer.text.contains(begin), "{form}: {}", answer.text);
    }
}

#[test]
fn a_simulated_checkup_is_planned_started_and_kept() {
    let bench = Bench::new();
    let fields = "simulate=sandisk-ultra-64&suite=quick&label=mine";
    let planned = bench.post("/start", Role::Operator, &format!("{fields}&plan=yes"));
    assert_eq!(planned.status, StatusCode::OK);
    assert!(planned.text.contains("fio --name=") && bench.server.live.list().is_empty());

    let started = bench.post("/start", Role::Operator, fields);
    let id = started.location.strip_prefix("/live/").expect("it leads there").to_string();
    bench.server.stop();
    let shown = bench.get(&format!("/checkups/{id}"), Role::Viewer);
    assert!(shown.status == StatusCode::OK && shown.text.contains("mine"));
    assert_eq!(bench.get(&format!("/live/{id}"), Role::Viewer).location, format!("/checkups/{id}"));
}

/// Without real drives: an Agent is this program once more, which here would run the tests.
#[test]
fn a_task_gets_no_more_than_the_server_allows() {
    let bench = Bench::new();
    for (fields, status) in [
        ("simulate=%2Fetc%2Fpasswd", StatusCode::UNPROCESSABLE_ENTITY),
        ("path=relative", StatusCode::UNPROCESSABLE_ENTITY),
        ("simulate=fake-card&consent=sda", StatusCode::UNPROCESSABLE_ENTITY),
        ("simulate=fake-card&settings=noline", StatusCode::UNPROCESSABLE_ENTITY),
        ("simulate=fake-card&suite=nosuch", StatusCode::UNPROCESSABLE_ENTITY),
    ] {
        let answer = bench.post("/start", Role::Admin, fields);
        assert_eq!(answer.status, status, "{fields}");
        assert!(answer.text.contains("role=\"alert\""), "{fields}");
    }
    let body = r#"{"task": {"simulate": "fake-card", "consents": ["sda"]}}"#;
    assert_eq!(bench.post("/api/v1/start", Role::Admin, body).status, StatusCode::FORBIDDEN);
    assert!(bench.server.live.list().is_empty());
}

#[test]
fn a_language_is_kept_and_leads_back_to_our_pages_only() {
    let bench = Bench::new();
    for (back, location) in [
        ("/checkups%3Fskip%3D50", "/checkups?skip=50"),
        ("https://evil.example", "/"),
        ("//evil.example", "/"),
        ("/%5Cevil.example", "/"),
    ] {
        let answer = bench.post("/language", Role::Viewer, &format!("code=ja&back={back}"));
        assert_eq!(answer.location, location, "{back}");
    }
}
