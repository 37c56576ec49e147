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
fn others_cannot_be_let_in_yet() {
    let bench = Bench::new();
    let refused = bench.run("serve --listen 0.0.0.0:0").exits_with(2);
    refused.complains(&["@serve-not-alone", "0.0.0.0:0"]);
}
