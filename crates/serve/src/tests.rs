//! Requests to the router, as a browser and as others send them.

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::http::{Method, Request, StatusCode, header};
use cardiograph_catalogue::Language;
use cardiograph_core::drive::Leaf;
use cardiograph_core::metric::{Measured, Metric};
use cardiograph_core::report::ReportState;
use cardiograph_core::{Doubt, Estimate, Report};
use cardiograph_store::{DriveQuery, DriveSummary};
use tower::ServiceExt as _;

use crate::role::{Needs, Role};
use crate::routes::{router, routes};
use crate::server::{Server, Settings};
use crate::sessions::Person;

const LISTEN: &str = "127.0.0.1:7878";

struct Bench {
    server: Arc<Server>,
    directory: tempfile::TempDir,
}

/// An answer: its status, where it leads, and its text.
struct Answer {
    status: StatusCode,
    location: String,
    text: String,
}

impl Bench {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let settings = Settings {
            listen: LISTEN.parse().unwrap(),
            hosts: BTreeSet::from(["drives.example".to_string()]),
            allows_erase: false,
            language: Language::EN,
            png: |svg| Ok(svg.into()),
        };
        let store = cardiograph_store::open(&directory.path().join("drives.db")).unwrap();
        Self { server: Server::new(settings, store, Box::new(|_| {})), directory }
    }

    fn save(&self, report: &Report) {
        cardiograph_store::open(&self.directory.path().join("drives.db")).unwrap().save(report).unwrap();
    }

    fn drives(&self) -> Vec<DriveSummary> {
        let store = cardiograph_store::open(&self.directory.path().join("drives.db")).unwrap();
        store.drives(&DriveQuery::default()).unwrap()
    }

    fn cookie(&self, role: Role) -> String {
        let secret = self.server.sessions.sign_in(Person { name: "test".to_string(), role });
        format!("cardiograph-7878={secret}")
    }

    /// Sends a request with these headers.
    fn send(&self, method: Method, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let mut request = Request::builder().method(method).uri(path);
        if !headers.iter().any(|(name, _)| *name == "host") {
            request = request.header(header::HOST, LISTEN);
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(Body::from(body.to_string())).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let response = router(&self.server).oneshot(request).await.unwrap();
            let policy = response.headers().get(header::CONTENT_SECURITY_POLICY);
            assert!(policy.is_some_and(|policy| !policy.to_str().unwrap().contains("script")), "{path}");
            let location =
                response.headers().get(header::LOCATION).map(|to| to.to_str().unwrap().to_string());
            let status = response.status();
            let is_stream =
                response.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind == "text/event-stream");
            let bytes = if is_stream {
                Default::default()
            } else {
                to_bytes(response.into_body(), 64 << 20).await.unwrap()
            };
            let text = String::from_utf8(bytes.to_vec()).unwrap();
            Answer { status, location: location.unwrap_or_default(), text }
        })
    }

    fn get(&self, path: &str, role: Role) -> Answer {
        self.send(Method::GET, path, &[("cookie", &self.cookie(role))], "")
    }

    fn post(&self, path: &str, role: Role, body: &str) -> Answer {
        let kind =
            if body.starts_with('{') { "application/json" } else { "application/x-www-form-urlencoded" };
        let cookie = self.cookie(role);
        let headers = [("cookie", &*cookie), ("origin", "http://127.0.0.1:7878"), ("content-type", kind)];
        self.send(Method::POST, path, &headers, body)
    }
}

#[test]
fn each_route_asks_for_its_role() {
    let bench = Bench::new();
    for route in routes() {
        let path = ["{id}", "{name}", "{key}"]
            .iter()
            .fold(route.path.to_string(), |path, part| path.replace(part, "none"));
        for method in [Method::GET, Method::POST] {
            for role in std::iter::once(None).chain(Role::ALL.map(Some)) {
                let mut headers = vec![("origin", "http://127.0.0.1:7878".to_string())];
                headers.extend(role.map(|role| ("cookie", bench.cookie(role))));
                let headers: Vec<(&str, &str)> =
                    headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
                let answer = bench.send(method.clone(), &path, &headers, "");
                let is_refused = matches!(answer.status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN)
                    || answer.location == "/sign-in";
                let may = route.needs == Needs::Nothing || role.is_some_and(|role| role.may(route.needs));
                // Home leads to the page for signing in, where everybody may be; so does signing out.
                if answer.status != StatusCode::METHOD_NOT_ALLOWED
                    && !["/", "/sign-out"].contains(&route.path)
                {
                    assert_eq!(is_refused, !may, "{method} {path} {role:?}: {}", answer.status);
                }
            }
        }
    }
}

#[test]
fn only_our_own_names_and_pages_are_answered() {
    let bench = Bench::new();
    let cookie = bench.cookie(Role::Admin);
    for (host, status) in [
        ("127.0.0.1:7878", StatusCode::OK),
        ("127.0.0.1", StatusCode::OK),
        ("localhost:7878", StatusCode::OK),
        ("LOCALHOST:1", StatusCode::OK),
        ("[::1]:7878", StatusCode::OK),
        ("drives.example", StatusCode::OK),
        ("evil.example", StatusCode::MISDIRECTED_REQUEST),
        ("localhost.evil.example:7878", StatusCode::MISDIRECTED_REQUEST),
        ("192.0.2.1:7878", StatusCode::MISDIRECTED_REQUEST),
        ("", StatusCode::MISDIRECTED_REQUEST),
    ] {
        let answer = bench.send(Method::GET, "/checkups", &[("host", host), ("cookie", &cookie)], "");
        assert_eq!(answer.status, status, "{host}");
    }
    for (headers, is_refused) in [
        (&[("origin", "http://127.0.0.1:7878")][..], false),
        (&[("origin", "http://localhost:7878"), ("sec-fetch-site", "same-origin")], false),
        (&[("origin", "https://drives.example")], false),
        (&[("origin", "http://evil.example")], true),
        (&[("origin", "null")], true),
        (&[("origin", "http://127.0.0.1:7878"), ("sec-fetch-site", "cross-site")], true),
        // A browser with a cookie names the origin.
        (&[], true),
    ] {
        let all: Vec<_> = headers.iter().copied().chain([("cookie", cookie.as_str())]).collect();
        let answer = bench.send(Method::POST, "/live/none/stop", &all, "");
        assert_eq!(answer.status == StatusCode::FORBIDDEN, is_refused, "{headers:?}: {}", answer.status);
    }
}

#[test]
fn the_printed_address_signs_one_browser_in() {
    let bench = Bench::new();
    let address = bench.server.address();
    let path = address.split_once(LISTEN).unwrap().1;
    let first = bench.send(Method::GET, path, &[], "");
    assert_eq!((first.status, first.location.as_str()), (StatusCode::SEE_OTHER, "/"));
    assert_eq!(bench.send(Method::GET, path, &[], "").location, "/sign-in");
}

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
        let doubt = (day == 1).then_some(Doubt::MemoryFileSystem);
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
