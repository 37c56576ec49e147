//! Requests to the router, as a browser and as others send them.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::http::{Method, Request, StatusCode, header};
use cardiograph_catalogue::Language;
use cardiograph_core::drive::Leaf;
use cardiograph_core::metric::{Measured, Metric};
use cardiograph_core::report::ReportState;
use cardiograph_core::{Doubt, Estimate, Report, json};
use cardiograph_store::{DriveQuery, DriveSummary, Query, Store, Token};
use cardiograph_testing::{LoopMount, skip};
use futures_util::StreamExt as _;
use tower::ServiceExt as _;

use crate::role::{Needs, Role};
use crate::routes::{router, routes};
use crate::server::{Server, Settings, Way};
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
    cookie: String,
    retry: String,
    text: String,
}

impl Bench {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let settings = Settings {
            listen: LISTEN.parse().unwrap(),
            hosts: BTreeSet::from(["drives.example".to_string()]),
            way: Way::Plain,
            retention: None,
            allows_erase: false,
            language: Language::EN,
            png: |svg| Ok(svg.into()),
        };
        let store = cardiograph_store::open(&directory.path().join("drives.db")).unwrap();
        Self { server: Server::new(settings, store, Box::new(|_| {})), directory }
    }

    fn save(&self, report: &Report) {
        self.store().save(report).unwrap();
    }

    fn drives(&self) -> Vec<DriveSummary> {
        let store = cardiograph_store::open(&self.directory.path().join("drives.db")).unwrap();
        store.drives(&DriveQuery::default()).unwrap()
    }

    fn cookie(&self, role: Role) -> String {
        let secret = self.server.sessions.sign_in(Person { name: "test".to_string(), role, token: None });
        format!("cardiograph-7878={secret}")
    }

    /// Sends a request with these headers.
    fn send(&self, method: Method, path: &str, headers: &[(&str, &str)], body: impl Into<Vec<u8>>) -> Answer {
        let mut request = Request::builder().method(method).uri(path);
        if !headers.iter().any(|(name, _)| *name == "host") {
            request = request.header(header::HOST, LISTEN);
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(Body::from(body.into())).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let response = router(&self.server).oneshot(request).await.unwrap();
            let policy = response.headers().get(header::CONTENT_SECURITY_POLICY);
            assert!(policy.is_some_and(|policy| !policy.to_str().unwrap().contains("script")), "{path}");
            let text = |name| response.headers().get(name).map_or("", |to| to.to_str().unwrap()).to_string();
            let [location, cookie, retry] =
                [header::LOCATION, header::SET_COOKIE, header::RETRY_AFTER].map(text);
            let status = response.status();
            let is_stream =
                response.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind == "text/event-stream");
            let bytes = if is_stream {
                Default::default()
            } else {
                to_bytes(response.into_body(), 64 << 20).await.unwrap()
            };
            let text = String::from_utf8(bytes.to_vec()).unwrap();
            Answer { status, location, cookie, retry, text }
        })
    }

    fn get(&self, path: &str, role: Role) -> Answer {
        self.send(Method::GET, path, &[("cookie", &self.cookie(role))], "")
    }

    /// Makes a token; returns its header.
    fn token(&self, name: &str, role: Role) -> String {
        let (secret, hash) = crate::tokens::new_token();
        let token = Token {
            name: name.to_string(),
            role: role.name().to_string(),
            created_unix_ms: 1,
            expires_unix_ms: None,
            revoked_unix_ms: None,
            used_unix_ms: None,
        };
        self.store().access().add_token(&token, &hash).unwrap();
        format!("Bearer {secret}")
    }

    fn store(&self) -> Box<dyn Store> {
        cardiograph_store::open(&self.directory.path().join("drives.db")).unwrap()
    }

    /// Sends a Report with a token.
    fn report(&self, bearer: &str, headers: &[(&str, &str)], body: impl Into<Vec<u8>>) -> Answer {
        let headers: Vec<_> = [("authorization", bearer), ("content-type", "application/json")]
            .into_iter()
            .filter(|(name, _)| !headers.iter().any(|(other, _)| other == name))
            .chain(headers.iter().copied())
            .collect();
        self.send(Method::POST, "/api/v1/checkups", &headers, body)
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
    let tokens_of: HashMap<Role, String> =
        Role::ALL.into_iter().map(|role| (role, bench.token(role.name(), role))).collect();
    for route in routes() {
        let path = ["{id}", "{name}", "{key}"]
            .iter()
            .fold(route.path.to_string(), |path, part| path.replace(part, "none"));
        for method in route.methods.names {
            // By cookie and by token.
            let tokens = Role::ALL.map(|role| Some((role, "authorization")));
            let cookies = Role::ALL.map(|role| Some((role, "cookie")));
            for way in std::iter::once(None).chain(tokens).chain(cookies) {
                let role = way.map(|(role, _)| role);
                let mut headers = Vec::new();
                match way {
                    Some((role, "authorization")) => {
                        headers.push(("authorization", tokens_of[&role].clone()))
                    }
                    _ => headers.push(("origin", "http://127.0.0.1:7878".to_string())),
                }
                if let Some((role, "cookie")) = way {
                    headers.push(("cookie", bench.cookie(role)));
                }
                let headers: Vec<(&str, &str)> =
                    headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
                let answer = bench.send(method.clone(), &path, &headers, "");
                let is_refused = matches!(answer.status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN)
                    || answer.location == "/sign-in";
                let may = route.needs == Needs::Nothing || role.is_some_and(|role| role.may(route.needs));
                // Home leads to the page for signing in, where everybody may be; so does signing out.
                assert_ne!(answer.status, StatusCode::METHOD_NOT_ALLOWED, "{method} {path}");
                if !["/", "/sign-out"].contains(&route.path) {
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
        (
            &[
                ("origin", "http://localhost:7878"),
                ("host", "LocalHost:7878"),
                ("sec-fetch-site", "same-origin"),
            ],
            false,
        ),
        (&[("origin", "https://drives.example")], false),
        (&[("origin", "http://evil.example")], true),
        (&[("origin", "http://127.0.0.1:8000")], true),
        (&[("origin", "https://drives.example:8443")], true),
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

fn value(answer: &Answer) -> serde_json::Value {
    serde_json::from_str(&answer.text).unwrap_or_else(|error| panic!("{error}: {}", answer.text))
}

#[test]
fn a_token_signs_programs_and_browsers_in_until_it_ends() {
    let bench = Bench::new();
    let bearer = bench.token("ann", Role::Viewer);
    let secret = bearer.strip_prefix("Bearer ").unwrap();
    let me = bench.send(Method::GET, "/api/v1/me", &[("authorization", &bearer)], "");
    assert_eq!((value(&me)["name"].as_str(), value(&me)["role"].as_str()), (Some("ann"), Some("viewer")));
    let used = bench.store().access().tokens().unwrap().remove(0).used_unix_ms;
    assert!(used.is_some());
    for wrong in ["Bearer", "Bearer cg_0", "Basic YTpi", &format!("{}0", &bearer[..bearer.len() - 1])] {
        // A cookie does not help who brings a wrong token.
        let cookie = bench.cookie(Role::Admin);
        let headers = [("authorization", wrong), ("cookie", &*cookie)];
        let refused = bench.send(Method::GET, "/api/v1/me", &headers, "");
        assert_eq!(refused.status == StatusCode::OK, wrong == bearer, "{wrong}");
    }

    let sign_in = |token: &str| {
        let kind = ("content-type", "application/x-www-form-urlencoded");
        bench.send(Method::POST, "/sign-in", &[kind], format!("token={token}"))
    };
    assert_eq!(sign_in("cg_nonsense").status, StatusCode::UNPROCESSABLE_ENTITY);
    let machine = bench.token("pi5", Role::Sender);
    assert_eq!(sign_in(machine.strip_prefix("Bearer ").unwrap()).status, StatusCode::UNPROCESSABLE_ENTITY);
    let signed_in = sign_in(secret);
    assert_eq!((signed_in.status, signed_in.location.as_str()), (StatusCode::SEE_OTHER, "/"));
    let cookie = signed_in.cookie.split(';').next().unwrap().to_string();
    assert!(!signed_in.cookie.contains("Secure") && signed_in.cookie.contains("HttpOnly"));
    let get = || bench.send(Method::GET, "/checkups", &[("cookie", &cookie)], "").status;
    assert_eq!(get(), StatusCode::OK);
    let audit = bench.store().access().audit(None, 9).unwrap();
    assert_eq!((audit[0].who.as_str(), audit[0].what.as_str()), ("ann", "sign-in"));
    let team = bench.get("/team", Role::Admin).text;
    assert!(team.contains("value=\"ann\"") && team.contains("value=\"pi5\""), "{team}");

    assert!(bench.store().access().revoke_token("ann", 2).unwrap());
    assert_eq!(get(), StatusCode::OK, "an answer is believed for some seconds");
    bench.server.tokens.forget();
    assert_eq!(get(), StatusCode::SEE_OTHER, "its sessions end with it");
    let gone = bench.send(Method::GET, "/api/v1/me", &[("authorization", &bearer)], "");
    assert_eq!(gone.status, StatusCode::UNAUTHORIZED);
    assert_eq!(bench.post("/team/revoke", Role::Admin, "name=pi5").location, "/team");
    let gone = bench.send(Method::GET, "/api/v1/me", &[("authorization", &machine)], "");
    assert_eq!(gone.status, StatusCode::UNAUTHORIZED, "at once, where it was revoked");
}

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
    std::fs::remove_file(&filler).unwrap();
    let number: usize = id[9..15].parse().unwrap();
    assert_eq!(send(number).0.status, StatusCode::CREATED);
    kept.push(id);
    let found = cardiograph_store::open(&store).unwrap().find(&Query::default()).unwrap();
    let found: BTreeSet<String> = found.iter().map(|run| run.id.to_string()).collect();
    assert_eq!(found, kept.into_iter().collect());
}

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
        let rule = crate::retention::Retention { age_ms, newest_per_drive };
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
    let dashboard = include_str!("../../../docs/grafana.json");
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
