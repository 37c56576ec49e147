//! Lists, events and metrics for programs.

use super::*;

/// Waits for the next event of a stream.
async fn next_event(parts: &mut axum::body::BodyDataStream) -> String {
    let part = tokio::time::timeout(Duration::from_secs(30), parts.next()).await.expect("an event comes");
    String::from_utf8(part.expect("it goes on").unwrap().to_vec()).unwrap()
}

#[test]
fn whoever_listens_hears_of_each_report_that_is_saved() {
    let bench = Bench::new();
    let bearer = bench.token("one", Role::Viewer);
    let old = cardiograph_testing::reports::report("20260101-000000-abcdef", 2);
    bench.save(&old);
    let listen = |last: Option<u64>| {
        let mut request = Request::builder().uri("/api/v1/events").header(header::HOST, LISTEN);
        request = request.header(header::AUTHORIZATION, &bearer);
        if let Some(last) = last {
            request = request.header("last-event-id", last.to_string());
        }
        router(&bench.server).oneshot(request.body(Body::empty()).unwrap())
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut parts = listen(None).await.unwrap().into_body().into_data_stream();
        let first = bench.server.feed.last();
        // By another process, and by this one.
        let mut theirs = cardiograph_testing::reports::report("20250101-000000-abcdef", 1);
        theirs.drive.leaves[0].serial = Some("other".to_string());
        bench.save(&theirs);
        let heard = next_event(&mut parts).await;
        let id = format!("id: {}\n", first + 1);
        assert!(
            heard.contains(&id) && heard.contains("event: saved") && heard.contains(&theirs.id),
            "{heard}"
        );
        let drive = bench.store().drive_of(&theirs.id).unwrap().unwrap();
        assert!(heard.contains(&drive), "{heard}");
        bench.server.feed.saved("ours", "d");
        assert!(next_event(&mut parts).await.contains("ours"));
        // Resumed: what was missed; and when that is not known, all has to be looked at again.
        let mut again = listen(Some(first + 1)).await.unwrap().into_body().into_data_stream();
        assert!(next_event(&mut again).await.contains("ours"));
        let mut lost = listen(Some(first - 7)).await.unwrap().into_body().into_data_stream();
        let heard = next_event(&mut lost).await;
        assert!(heard.contains("event: reset") && heard.contains(&format!("id: {}\n", first + 2)), "{heard}");
        assert_eq!(bench.server.counts.streams.load(std::sync::atomic::Ordering::Relaxed), 3);
        drop((parts, again, lost));
        assert_eq!(bench.server.counts.streams.load(std::sync::atomic::Ordering::Relaxed), 0);
    });
}

#[test]
fn lists_continue_where_they_ended_and_admins_remove() {
    let bench = Bench::new();
    for number in 1..=5_u64 {
        let id = format!("2026010{number}-000000-abcdef");
        let mut report = cardiograph_testing::reports::finished(&id, number * 1_000_000, 1);
        report.drive.leaves[0].serial = Some(format!("serial{}", number % 2));
        report.host.name = Some(format!("host{}", number % 2));
        bench.save(&report);
    }
    let (mut ids, mut next) = (Vec::new(), String::new());
    loop {
        let answer = value(&bench.get(&format!("/api/v1/checkups?limit=2{next}"), Role::Viewer));
        ids.extend(answer["checkups"].as_array().unwrap().iter().map(|run| run["id"].to_string()));
        match answer["next"].as_str() {
            Some(id) => next = format!("&after={id}"),
            None => break,
        }
    }
    assert!(ids.len() == 5 && ids.is_sorted_by(|one, other| one > other), "{ids:?}");
    let drives = |asked: &str| value(&bench.get(&format!("/api/v1/drives{asked}"), Role::Viewer));
    let first = drives("?limit=1&order=checkups");
    let (key, after) = (first["drives"][0]["key"].as_str().unwrap(), &first["next"]);
    assert_eq!(first["drives"][0]["checkups"], 3);
    assert_eq!(drives(&format!("?limit=1&order=checkups&after={after}"))["drives"][0]["checkups"], 2);
    assert_eq!(drives("?host=HOST0")["drives"].as_array().unwrap().len(), 1);
    for bad in ["/api/v1/drives?order=x", "/api/v1/checkups?tag=x", "/api/v1/checkups?limt=2"] {
        assert_eq!(bench.get(bad, Role::Viewer).status, StatusCode::BAD_REQUEST, "{bad}");
    }
    let admin = bench.token("ann", Role::Admin);
    let delete = |path: &str| bench.send(Method::DELETE, path, &[("authorization", &admin)], "").status;
    assert_eq!(delete("/api/v1/checkups/20260101-000000-abcdef"), StatusCode::NO_CONTENT);
    assert_eq!(delete("/api/v1/checkups/20260101-000000-abcdef"), StatusCode::NOT_FOUND);
    assert_eq!(delete(&format!("/api/v1/drives/{key}")), StatusCode::NO_CONTENT);
    assert_eq!(delete(&format!("/api/v1/drives/{key}")), StatusCode::NOT_FOUND);
    assert_eq!(bench.store().find(&Query::default()).unwrap().len(), 2);
    let audit = bench.store().access().audit(None, 9).unwrap();
    let audit: Vec<_> = audit.iter().map(|entry| (entry.who.as_str(), entry.what.as_str())).collect();
    assert_eq!(audit, [("ann", "drive-removed"), ("ann", "checkup-removed")]);

    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let prune = |age_ms, newest_per_drive| {
        let rule = crate::server::Retention { age_ms, newest_per_drive };
        runtime.block_on(crate::retention::prune(&bench.server, rule))
    };
    assert_eq!((prune(u64::MAX, 1), prune(1_000, 2), prune(1_000, 1)), (0, 0, 1));
    assert_eq!(bench.store().access().audit(None, 1).unwrap()[0].what, "retention");
}

#[test]
fn metrics_follow_prometheus_and_the_dashboard_them() {
    let bench = Bench::new();
    let mut report = cardiograph_testing::reports::finished("20260101-000000-abcdef", 2, 1);
    report.label = Some("a \"b\"\\\nc".to_string());
    report.measurements = Metric::ALL
        .into_iter()
        .map(|metric| {
            let estimate =
                cardiograph_core::Estimate { value: 2e9, n: 9, n_effective: 9.0, low: None, high: None };
            (metric, cardiograph_core::metric::Measured { estimate, step: "s".to_string(), doubt: None })
        })
        .collect();
    let withheld = report.measurements.get_mut(&Metric::SyncP99).unwrap();
    withheld.doubt = Some(cardiograph_core::Doubt::Contradicted { share: 0.5 });
    bench.save(&report);
    bench.get("/checkups", Role::Viewer);
    let text = bench.get("/metrics", Role::Viewer).text;
    let name_of = |line: &str| line.split(['{', ' ']).next().unwrap().to_string();
    let names: BTreeSet<String> = text.lines().filter(|line| !line.starts_with('#')).map(name_of).collect();
    for metric in Metric::ALL {
        let (name, _) = crate::api::metrics::name_of(metric);
        assert_eq!(names.contains(&name), metric != Metric::SyncP99, "{name}: {text}");
    }
    let value =
        |begin: &str| text.lines().find(|line| line.starts_with(begin)).map(|line| line.rsplit(' ').next());
    assert_eq!(value("cardiograph_sync_p999_seconds{"), Some(Some("2")));
    assert_eq!(value("cardiograph_sequential_read_bytes_per_second{"), Some(Some("2000000000")));
    assert!(value("cardiograph_server_requests_total{status=\"200\"}").is_some());
    assert!(text.contains(r#"label="a \"b\"\\\nc""#), "{text}");
    for line in text.lines().filter(|line| line.starts_with("cardiograph_verdict{")) {
        assert!(line.contains("purpose=\"") && matches!(line.as_bytes().last(), Some(b'0'..=b'2')), "{line}");
    }
    // The dashboard asks for nothing else.
    let dashboard = include_str!("../../../../docs/grafana.json");
    let dashboard: serde_json::Value = serde_json::from_str(dashboard).unwrap();
    let dashboard = dashboard.to_string();
    let is_part = |byte: char| byte.is_ascii_alphanumeric() || byte == '_';
    let asked: BTreeSet<&str> =
        dashboard.split(|byte| !is_part(byte)).filter(|word| word.starts_with("cardiograph_")).collect();
    assert!(asked.len() > 5);
    for name in asked {
        assert!(names.contains(name), "{name}");
    }
}
