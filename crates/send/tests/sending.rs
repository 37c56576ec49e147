//! What becomes of a Report for each answer of a server, and the ways to it.

use std::collections::BTreeMap;
use std::net::TcpListener;
use std::path::{Path, PathBuf};

use cardiograph_catalogue::Language;
use cardiograph_core::json;
use cardiograph_send::{Client, Failed, Fate, Server, send_all};
use cardiograph_store::{SqliteStore, Store};
use cardiograph_testing::team::{Answer, Proxy, TOKEN, Team, certificate};
use cardiograph_testing::{reports, skip, soon};

/// A store with checkups.
struct Bench {
    _directory: tempfile::TempDir,
    store: SqliteStore,
}

impl Bench {
    fn new(ids: &[&str]) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let store = SqliteStore::new(directory.path().join("drives.db"));
        let reports: Vec<_> = ids.iter().zip(1..).map(|(id, day)| reports::finished(id, day, 2)).collect();
        store.save_all(&reports).unwrap();
        Self { _directory: directory, store }
    }

    /// Sends; returns what came of each, and how many were not tried.
    fn send(&self, client: &Client, ids: &[&str]) -> (BTreeMap<String, Result<String, Failed>>, usize) {
        let mut found = BTreeMap::new();
        let untried = send_all(client, &self.store, ids, &mut |id, sent| {
            found.insert(id.to_string(), sent);
        });
        (found, untried.unwrap())
    }

    fn outbox(&self) -> Vec<String> {
        self.store.access().outbox().unwrap().into_iter().map(|unsent| unsent.id).collect()
    }
}

fn server(address: &str) -> Server {
    Server { address: address.parse().unwrap(), token: TOKEN.parse().unwrap(), ca: None, proxy: None }
}

fn client(server: &Server) -> Client {
    Client::new(server, Language::JA, |_| None).unwrap()
}

fn say(status: u16, body: &str) -> Answer {
    Answer::Say(status, "", body.to_string())
}

const RETRY_SOON: &str = "Retry-After: 1\r\n";

/// Answers of a server, and what comes of them: the page's address, or why and what is done with the Report.
type Case = (Vec<Answer>, Result<String, (&'static str, Fate)>);

#[test]
fn each_answer_has_its_consequence() {
    use Fate::{AllKept, Kept, Refused};
    let error = r#"{"error": "the reason"}"#;
    let sent = |page: &str| Ok(page.to_string());
    let cases: Vec<Case> = vec![
        (vec![Answer::Take(201, "new")], sent("/checkups/a")),
        (vec![Answer::Take(200, "same")], sent("/checkups/a")),
        (vec![Answer::Take(200, "replaced")], sent("/checkups/a")),
        // No server of ours: a portal that wants to be paid, another program.
        (vec![Answer::Take(202, "new")], Err(("send-answer.status", Kept))),
        (vec![Answer::Take(200, "seen")], Err(("send-stranger", AllKept))),
        (vec![say(200, "<html>Welcome</html>")], Err(("send-stranger", AllKept))),
        (
            vec![say(200, r#"{"id": "b", "saved": "new", "page": "/checkups/b"}"#)],
            Err(("send-stranger", AllKept)),
        ),
        (vec![say(200, r#"{"id": "a", "saved": "new", "page": "//evil"}"#)], Err(("send-stranger", AllKept))),
        (vec![say(200, &"x".repeat(100_000))], Err(("send-stranger", AllKept))),
        (vec![say(404, "")], Err(("send-stranger", AllKept))),
        (
            vec![Answer::Say(302, "Location: http://evil/\r\n", String::new())],
            Err(("send-answer.redirect", AllKept)),
        ),
        (vec![Answer::Say(307, "Location: /x\r\n", String::new())], Err(("send-answer.redirect", AllKept))),
        (vec![say(400, error)], Err(("send-answer", Refused))),
        (vec![say(400, "")], Err(("send-answer.status", Refused))),
        (vec![say(401, error)], Err(("send-answer.token", AllKept))),
        (vec![say(403, error)], Err(("send-answer.role", AllKept))),
        (vec![say(407, "")], Err(("send-unreachable.proxy", AllKept))),
        (vec![say(409, error)], Err(("send-answer", Refused))),
        (vec![say(413, error)], Err(("send-answer", Refused))),
        (vec![say(422, error)], Err(("send-answer", Refused))),
        (vec![say(429, error)], Err(("send-answer", AllKept))),
        (vec![say(500, error)], Err(("send-answer", Kept))),
        (vec![say(503, error)], Err(("send-answer", AllKept))),
        (vec![Answer::Drop], Err(("send-unreachable", AllKept))),
        // A little patience is had, much is not.
        (
            vec![Answer::Say(429, RETRY_SOON, error.to_string()), Answer::Take(201, "new")],
            sent("/checkups/a"),
        ),
        (
            vec![Answer::Say(503, RETRY_SOON, error.to_string()), say(422, error)],
            Err(("send-answer", Refused)),
        ),
        (vec![Answer::Say(429, "Retry-After: 11\r\n", error.to_string())], Err(("send-answer", AllKept))),
        (
            vec![Answer::Say(503, "Retry-After: 18446744073709551615\r\n", error.to_string())],
            Err(("send-answer", AllKept)),
        ),
        (vec![Answer::Say(429, "Retry-After: soon\r\n", error.to_string())], Err(("send-answer", AllKept))),
        (vec![Answer::Say(429, "Retry-After: 0\r\n", error.to_string()); 40], Err(("send-answer", AllKept))),
    ];
    let team = Team::start();
    let client = client(&server(&team.address));
    for (answers, expected) in cases {
        let bench = Bench::new(&["a", "b"]);
        team.answer(answers.clone());
        let (mut found, untried) = bench.send(&client, &["a"]);
        let found = found.remove("a").unwrap();
        let expected = expected.map(|page| format!("{}{page}", team.address));
        let known = found.as_ref().map_err(|failed| (failed.why.id(), failed.fate));
        assert_eq!(known, expected.as_ref().map_err(|known| *known), "{answers:?}: {found:?}");
        assert_eq!(untried, 0);
        let is_kept = matches!(expected, Err((_, AllKept | Kept)));
        assert_eq!(bench.outbox(), if is_kept { vec!["a"] } else { vec![] }, "{answers:?}");
        if let Err((id @ "send-answer", _)) = expected {
            assert_eq!(found.unwrap_err().why.parameter("said").unwrap().to_string(), "the reason", "{id}");
        }
    }
}

#[test]
fn a_request_has_the_token_and_the_whole_report() {
    let (team, bench) = (Team::start(), Bench::new(&["a"]));
    let client = client(&server(&team.address));
    let me = client.me().unwrap();
    assert_eq!((me.name.as_str(), me.role.as_str(), me.cannot_send()), ("pi5", "sender", false));
    bench.send(&client, &["a"]).0["a"].as_ref().unwrap();
    let requests = team.requests();
    let lines: Vec<&str> = requests.iter().map(|request| request.line.as_str()).collect();
    assert_eq!(lines, ["GET /api/v1/me", "POST /api/v1/checkups"]);
    for request in &requests {
        assert_eq!(request.header("authorization"), Some(format!("Bearer {TOKEN}").as_str()));
        assert_eq!(request.header("accept-language"), Some("ja"));
    }
    assert_eq!(requests[1].header("content-type"), Some("application/json"));
    assert_eq!(requests[1].header("content-encoding"), Some("gzip"));
    assert_eq!(json::from_json(&requests[1].body).unwrap(), bench.store.load("a").unwrap());
}

#[test]
fn a_wrong_token_is_noticed() {
    let team = Team::start();
    let other = format!("cg_{}", "0".repeat(64)).parse().unwrap();
    let refused = client(&Server { token: other, ..server(&team.address) }).me().unwrap_err();
    assert_eq!((refused.why.id(), refused.fate), ("send-answer.token", Fate::AllKept));
}

#[test]
fn an_answer_that_has_the_token_does_not_show_it() {
    let (team, bench) = (Team::start(), Bench::new(&["a"]));
    team.answer([say(422, &format!(r#"{{"error": "you said Bearer {TOKEN}"}}"#))]);
    let (found, _) = bench.send(&client(&server(&team.address)), &["a"]);
    let shown = format!("{:?} {}", found["a"], found["a"].as_ref().unwrap_err().why);
    assert!(shown.contains("you said Bearer cg_") && !shown.contains(&TOKEN[3..]), "{shown}");
}

/// What is refused or fails alone does not hold up the others; what no other could pass does.
#[test]
fn a_server_that_is_away_and_comes_back_gets_all() {
    let bench = Bench::new(&["a", "b", "c"]);
    let place = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let client = client(&server(&format!("http://{place}")));
    let (found, untried) = bench.send(&client, &["a", "b", "c"]);
    assert_eq!((found["a"].as_ref().unwrap_err().why.id(), untried), ("send-unreachable", 2));
    assert_eq!(bench.outbox(), ["a", "b", "c"], "noted together, sorted by id");

    // The port was free a moment ago.
    let team = soon(|| std::panic::catch_unwind(|| Team::at(&place)).ok());
    team.answer([say(500, ""), say(422, ""), Answer::Take(200, "same")]);
    let (found, untried) = bench.send(&client, &["a", "b", "c"]);
    assert_eq!(found.values().map(Result::is_ok).collect::<Vec<_>>(), [false, false, true]);
    assert_eq!((bench.outbox(), untried), (vec!["a".to_string()], 0));
    bench.store.remove(&["b"]).unwrap();
    let (found, _) = bench.send(&client, &["a", "b"]);
    assert_eq!(found.keys().collect::<Vec<_>>(), ["a"], "what was removed is not sent");
    assert!(found["a"].is_ok() && bench.outbox().is_empty());
}

#[test]
fn own_certificates_are_trusted_where_they_are_named() {
    let directory = tempfile::tempdir().unwrap();
    let ca = match certificate(directory.path(), "DNS:team.test,IP:127.0.0.1") {
        Ok(ca) => ca,
        Err(reason) => return skip("sending over TLS", &reason),
    };
    let team = Team::with_tls(directory.path());
    let me = |address: &str, ca: Option<&Path>| {
        client(&Server { ca: ca.map(PathBuf::from), ..server(address) }).me().map_err(|failed| {
            assert_eq!(failed.fate, Fate::AllKept);
            failed.why.id().to_string()
        })
    };
    assert_eq!(me(&team.address, Some(&ca)).unwrap().name, "pi5");
    assert_eq!(me(&team.address, None).unwrap_err(), "send-unreachable.certificate");
    // A certificate of another name.
    let by_name = team.address.replace("127.0.0.1", "localhost");
    assert_eq!(me(&by_name, Some(&ca)).unwrap_err(), "send-unreachable.certificate");
    let bench = Bench::new(&["a"]);
    let trusting = client(&Server { ca: Some(ca.clone()), ..server(&team.address) });
    assert_eq!(bench.send(&trusting, &["a"]).0["a"], Ok(format!("{}/checkups/a", team.address)));

    let wrong = |ca: &Path| {
        let server = Server { ca: Some(ca.to_path_buf()), ..server(&team.address) };
        Client::new(&server, Language::EN, |_| None).map(drop).unwrap_err().id().to_string()
    };
    assert_eq!(wrong(&directory.path().join("none")), "send-no-ca");
    assert_eq!(wrong(&directory.path().join("key.pem")), "send-no-ca.empty");
}

#[test]
fn a_proxy_is_asked_to_connect_and_sees_no_token() {
    let directory = tempfile::tempdir().unwrap();
    let ca = match certificate(directory.path(), "DNS:team.test") {
        Ok(ca) => ca,
        Err(reason) => return skip("sending through a proxy", &reason),
    };
    let team = Team::with_tls(directory.path());
    let place = team.address.trim_start_matches("https://").to_string();
    let proxy = Proxy::start(Ok(place));
    let far = Server { ca: Some(ca), ..server("https://team.test:8443") };
    let through = |address: &str| {
        let env = |name: &str| (name == "HTTPS_PROXY").then(|| address.to_string());
        Client::new(&far, Language::EN, env).unwrap().me()
    };
    let with_password = proxy.address.replace("http://", "http://ann:pass%20word@");
    assert_eq!(through(&with_password).unwrap().name, "pi5");
    let requests = proxy.requests();
    assert_eq!(requests[0].line, "CONNECT team.test:8443");
    assert_eq!(requests[0].header("proxy-authorization"), Some("Basic YW5uOnBhc3Mgd29yZA=="));
    assert!(!format!("{requests:?}").contains(TOKEN));

    let refusing = Proxy::start(Err(407));
    let refused = through(&refusing.address.replace("http://", "http://ann:password@")).unwrap_err();
    assert_eq!((refused.why.id(), refused.fate), ("send-unreachable.proxy", Fate::AllKept));
    assert!(!format!("{refused:?}").contains("password"), "{refused:?}");
}
