//! `cardiograph serve`: the real server, its real Agent, over a real socket.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use cardiograph_core::report::ReportState;

use crate::common::{Bench, PROGRAM};

/// The limit for anything to happen.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server, and a browser that is signed in.
struct Server {
    process: Child,
    host: String,
    cookie: String,
}

/// An answer: its status, head and body.
struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Server {
    fn start(bench: &Bench) -> Self {
        let mut command: Command = bench.command(PROGRAM, ["serve", "--listen", "127.0.0.1:0"]);
        let mut process = command.stdout(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let address = lines
            .map_while(Result::ok)
            .find_map(|line| Some(line.split_once("http://")?.1.trim_end().to_string()));
        let address = address.expect("it prints its address");
        let (host, path) = address.split_once('/').unwrap();
        let mut server = Self { process, host: host.to_string(), cookie: String::new() };
        let signed_in = server.ask("GET", &format!("/{path}"), "");
        let cookie = signed_in.header("set-cookie");
        server.cookie = cookie.split(';').next().unwrap().to_string();
        server
    }

    fn ask(&self, method: &str, path: &str, body: &str) -> Answer {
        let Self { host, cookie, .. } = self;
        let mut socket = TcpStream::connect(host).unwrap();
        socket.set_read_timeout(Some(PATIENCE)).unwrap();
        let kind = "application/x-www-form-urlencoded";
        write!(
            socket,
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nCookie: {cookie}\r\nConnection: close\r\n\
             Content-Type: {kind}\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        )
        .unwrap();
        let mut text = String::new();
        socket.read_to_string(&mut text).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Answer { status, head: head.to_string(), body: body.to_string() }
    }

    /// Starts a checkup; returns its id.
    fn start_checkup(&self, fields: &str) -> String {
        let started = self.ask("POST", "/start", fields);
        assert_eq!(started.status, 303, "{}", started.body);
        started.header("location").strip_prefix("/live/").unwrap().to_string()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Answer {
    fn header(&self, name: &str) -> &str {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map_or("", |(_, value)| value)
    }
}

fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < PATIENCE, "{what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_real_checkup_is_watched_and_stopped() {
    let bench = Bench::new();
    let server = Server::start(&bench);
    let place = bench.work().display().to_string();
    let refused = server.ask("POST", "/start", "path=%2Fnowhere%2Fat%2Fall");
    assert!(refused.status == 422 && refused.body.contains("/nowhere/at/all"), "{}", refused.body);

    let id = server.start_checkup(&format!("path={place}&suite=quick&label=mine"));
    let busy = server.ask("POST", "/start", &format!("path={place}"));
    assert!(busy.status == 422 && busy.body.contains("role=\"alert\""), "{}", busy.body);
    wait_until("a step has ended", || bench.saved().iter().any(|report| !report.steps.is_empty()));
    assert_eq!(server.ask("GET", &format!("/checkups/{id}"), "").header("location"), format!("/live/{id}"));
    assert_eq!(server.ask("POST", &format!("/api/v1/live/{id}/stop"), "").status, 204);
    // The stream ends with the checkup.
    let events = server.ask("GET", &format!("/api/v1/live/{id}/events"), "").body;
    let order: Vec<Option<usize>> =
        ["subject", "stage", "doing", "ended"].map(|kind| events.find(&format!("event: {kind}\n"))).to_vec();
    assert!(order.iter().all(Option::is_some) && order.last() == order.iter().max(), "{events}");

    let report = bench.saved_report();
    assert_eq!((report.id.as_str(), report.label.as_deref()), (&*id, Some("mine")));
    assert_eq!(report.state, ReportState::Interrupted);
    assert!(bench.entries().is_empty(), "no test files are left: {:?}", bench.entries());
    assert!(server.ask("GET", &format!("/checkups/{id}"), "").body.contains("mine"));
}

#[test]
fn the_end_of_the_server_ends_a_checkup_in_an_orderly_way() {
    let bench = Bench::new();
    let mut server = Server::start(&bench);
    server.start_checkup(&format!("path={}", bench.work().display()));
    wait_until("a step has ended", || bench.saved().iter().any(|report| !report.steps.is_empty()));
    let kill = Command::new("kill").args(["-TERM", &server.process.id().to_string()]).status().unwrap();
    assert!(kill.success());
    assert!(server.process.wait().unwrap().success());
    assert_eq!(bench.saved_report().state, ReportState::Interrupted);
    assert!(bench.entries().is_empty(), "no test files are left: {:?}", bench.entries());
}

#[test]
fn others_are_let_in_by_tls_and_token_only() {
    let bench = Bench::new();
    let refused = bench.run("serve --listen 0.0.0.0:0").exits_with(2);
    refused.complains(&["@serve-not-alone", "0.0.0.0:0"]);
    let proxy = "serve --listen 127.0.0.1:0 --behind-proxy --host drives.example";
    bench.run(proxy).exits_with(2).complains(&["@serve-no-admin", "cardiograph token add NAME --role admin"]);
    bench.run("token add viewer --role viewer").exits_with(0);
    bench.run(proxy).exits_with(2).complains(&["@serve-no-admin"]);
    for line in
        ["serve --behind-proxy", "serve --tls-cert c.pem", "serve --keep 365d", "serve --keep-newest 2"]
    {
        bench.run(line).exits_with(2);
    }
}

#[test]
fn a_token_is_printed_once_and_alone() {
    let bench = Bench::new();
    let made = bench.run("token add ann --role admin --expires 90d").exits_with(0);
    let secret = made.stdout.trim_end().to_string();
    assert!(secret.starts_with("cg_") && secret.len() == 67 && !secret.contains('\n'), "{secret}");
    bench.run("token add ann --role viewer").exits_with(2).complains(&["@store-token-exists", "ann"]);
    bench.run("token revoke an").exits_with(2).complains(&["@token-unknown", "ann"]);
    let other = bench.run("token replace ann").exits_with(0).stdout.trim_end().to_string();
    assert_ne!(other, secret);
    let list = || {
        let shown = bench.run("token list --json").exits_with(0).stdout;
        assert!(!shown.contains(&secret) && !shown.contains(&other));
        serde_json::from_str::<serde_json::Value>(&shown).unwrap()
    };
    assert_eq!((&list()[0]["name"], &list()[0]["role"]), (&"ann".into(), &"admin".into()));
    assert!(list()[0]["expires_unix_ms"].is_u64() && list()[0]["revoked_unix_ms"].is_null());
    bench.run("token revoke ann").exits_with(0);
    assert!(list()[0]["revoked_unix_ms"].is_u64());
    bench.run("token revoke ann").exits_with(2).complains(&["@token-revoked-before"]);
}
