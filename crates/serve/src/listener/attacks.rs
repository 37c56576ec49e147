//! Raw bytes over real sockets, as attackers and broken programs send them. Each connection is over within a bound, with
//! no other answers than these, and the server answers the next request.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use cardiograph_catalogue::english;
use flate2::{Compression, write::GzEncoder};

use super::{BUFFER_LEN_BYTES, Listener};
use crate::role::Role;
use crate::routes::routes;
use crate::server::Server;
use crate::tests::Bench;

/// The longest that a connection may last: limits are short in tests.
const PATIENCE: Duration = Duration::from_secs(20);

/// Sends bytes, and reads until the server closes the connection: nobody else does.
fn attack(address: SocketAddr, bytes: &[u8]) -> String {
    let began = Instant::now();
    let mut socket = TcpStream::connect(address).unwrap();
    socket.set_read_timeout(Some(PATIENCE)).unwrap();
    socket.set_write_timeout(Some(PATIENCE)).unwrap();
    // The server may have heard enough before the end.
    let _ = socket.write_all(bytes);
    let mut answers = Vec::new();
    let ended = socket.read_to_end(&mut answers).map_err(|error| error.kind());
    assert!(!matches!(ended, Err(std::io::ErrorKind::WouldBlock)), "it is left open");
    assert!(began.elapsed() < PATIENCE, "it lasts too long");
    String::from_utf8_lossy(&answers).into_owned()
}

/// The statuses of all answers.
fn statuses(answers: &str) -> Vec<u16> {
    answers.split("HTTP/1.1 ").skip(1).map(|answer| answer[..3].parse().unwrap()).collect()
}

fn with_server(bench: &Bench, test: impl FnOnce(SocketAddr, &Mutex<Vec<String>>)) {
    let said = Arc::new(Mutex::new(Vec::new()));
    let says = said.clone();
    let say = Box::new(move |message: &_| says.lock().unwrap().push(english(message)));
    let server = Server::new(bench.server.settings.clone(), bench.store(), say);
    let listener = Listener::bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let (address, is_over) = (listener.address, Arc::new(AtomicBool::new(false)));
    let over = is_over.clone();
    std::thread::scope(|scope| {
        let serving = scope.spawn(|| listener.serve(&server, move || over.load(Ordering::Relaxed)));
        let tested = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| test(address, &said)));
        is_over.store(true, Ordering::Relaxed);
        serving.join().unwrap().unwrap();
        tested.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    });
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

#[test]
fn attacks_end_within_a_bound_and_hurt_nobody() {
    let bench = Bench::new();
    let (sender, operator) = (bench.token("one", Role::Sender), bench.token("two", Role::Operator));
    let host = "Host: 127.0.0.1";
    let form = format!("{host}\r\nContent-Type: application/x-www-form-urlencoded");
    let json = |bearer: &str| format!("{host}\r\nAuthorization: {bearer}\r\nContent-Type: application/json");
    let (sends, starts) = (json(&sender), json(&operator));
    let get = |path: &str, more: &str| format!("GET {path} HTTP/1.1\r\n{host}\r\n{more}\r\n");
    let post = |path: &str, head: &str, body: &str| format!("POST {path} HTTP/1.1\r\n{head}\r\n\r\n{body}");
    let odd = |line: &str, body: &str| post("/sign-in", &format!("{form}\r\n{line}"), body);
    let counted = |path: &str, head: &str, body: &str| {
        post(path, &format!("{head}\r\nContent-Length: {}", body.len()), body)
    };
    let chunked = |path: &str, head: &str, body: &str| {
        post(path, &format!("{head}\r\nTransfer-Encoding: chunked"), body)
    };
    let chunks = |count: usize| format!("10000\r\n{}\r\n", "x".repeat(1 << 16)).repeat(count) + "0\r\n\r\n";
    let long = "x".repeat(2 * BUFFER_LEN_BYTES);
    let deep = format!("{{\"task\": {}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    let smuggled = get("/healthz", "");
    let both = format!("0\r\n\r\n{smuggled}");
    let bomb = gzip(&vec![b' '; 100 << 20]);
    let mut packed = counted("/api/v1/checkups", &format!("{sends}\r\nContent-Encoding: gzip"), "");
    packed = packed.replace("Content-Length: 0", &format!("Content-Length: {}", bomb.len()));
    // Each with the statuses of its answers; several are as good.
    let cases: Vec<(&str, Vec<u8>, &str)> = [
        ("nothing", String::new(), ""),
        ("a slow head", format!("GET / HTTP/1.1\r\n{host}"), "|408"),
        ("a slow form", odd("Content-Length: 99", "token="), "400"),
        ("a slow chunk", chunked("/sign-in", &form, "5\r\nto"), "400"),
        ("a slow Report", post("/api/v1/checkups", &format!("{sends}\r\nContent-Length: 99"), "{"), "503"),
        ("a slow body for nobody", get("/healthz", "Content-Length: 99\r\n"), "200"),
        (
            "a slow body of a stranger",
            post("/team/revoke", &format!("{form}\r\nContent-Length: 99"), "x"),
            "303",
        ),
        ("a long line", get("/healthz", &format!("X: {long}\r\n")), "431"),
        ("many lines", get("/healthz", &"X: y\r\n".repeat(1_000)), "431"),
        ("a long path", get(&format!("/{long}"), ""), "414|431"),
        ("a length too short", odd("Content-Length: 3", &long), "422 431"),
        ("a length below 0", odd("Content-Length: -1", "x"), "400"),
        ("a length of 2^64", odd("Content-Length: 18446744073709551616", ""), "400"),
        ("a long form", counted("/sign-in", &form, &"x".repeat(1 << 20)), "413"),
        ("many chunks", chunked("/sign-in", &form, &chunks(16)), "413"),
        ("a Report of many chunks", chunked("/api/v1/checkups", &sends, &chunks(300)), "413"),
        ("a chunk of 2^68", chunked("/sign-in", &form, "FFFFFFFFFFFFFFFFF\r\nx"), "400"),
        ("a long chunk extension", chunked("/sign-in", &form, &format!("1;{long}\r\nx\r\n0\r\n\r\n")), "400"),
        ("deep JSON", counted("/api/v1/start", &starts, &deep), "422"),
        ("two lengths", odd("Content-Length: 0\r\nContent-Length: 9", &smuggled), "400"),
        ("a list of lengths", odd("Content-Length: 0, 9", &smuggled), "400"),
        ("a coding that is none", odd("Transfer-Encoding: xchunked", &smuggled), "400"),
        // The chunks count, and what follows them is not read.
        ("chunks beside a length", odd("Content-Length: 60\r\nTransfer-Encoding: chunked", &both), "422"),
        ("a length beside chunks", odd("Transfer-Encoding: chunked\r\nContent-Length: 60", &both), "422"),
        ("chunked, but not last", odd("Transfer-Encoding: chunked, gzip", &smuggled), "400"),
        ("a blank before the colon", odd("Content-Length : 0", &smuggled), "400"),
        ("chunked in 1.0", chunked("/sign-in", &form, "0\r\n\r\n").replace("HTTP/1.1", "HTTP/1.0"), "400"),
        ("two hosts", get("/healthz", "Host: evil.example\r\n"), "421"),
        ("another host in the path", get("http://evil.example/healthz", ""), "421"),
        ("another protocol", "\x16\x03\x01\x02\x00\x01\x00\x01".to_string(), "400|"),
        ("HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_string(), "400|505|"),
        ("no such method", get("/healthz", "").replace("GET", "BREW"), "405"),
        ("a method in small letters", get("/healthz", "").replace("GET", "get"), "405"),
        ("a method that echoes", get("/healthz", "").replace("GET", "TRACE"), "405"),
        ("a method with NUL", get("/healthz", "").replace("GET", "G\0T"), "400"),
        ("a proxy's method", get("evil.example:80", "").replace("GET", "CONNECT"), "421"),
        ("a path without a slash", get("*", "").replace("GET", "OPTIONS"), "400|404|405"),
    ]
    .into_iter()
    .map(|(what, text, expected)| (what, text.into_bytes(), expected))
    .chain([("a gzip bomb", [packed.as_bytes(), &bomb].concat(), "413")])
    .collect();
    let next = &get("/healthz", "Connection: close\r\n");
    with_server(&bench, |address, _| {
        std::thread::scope(|scope| {
            for (what, bytes, expected) in &cases {
                scope.spawn(move || {
                    let answers = attack(address, bytes);
                    let found: Vec<String> = statuses(&answers).iter().map(u16::to_string).collect();
                    let is_expected = expected.split('|').any(|expected| expected == found.join(" "));
                    assert!(is_expected, "{what}: {found:?}: {answers}");
                    let next = attack(address, next.as_bytes());
                    assert!(next.starts_with("HTTP/1.1 200 ") && next.ends_with("ok\n"), "{what}: {next}");
                });
            }
        });
    });
}

#[test]
fn no_parameter_of_a_path_leads_out_of_the_store() {
    let bench = Bench::new();
    let bearer = bench.token("ann", Role::Admin);
    let evil =
        ["..", "%2e%2e%2f%2e%2e%2fetc%2fpasswd", "..%5c..", "%00", "%ff", "a%0d%0aSet-Cookie:%20a=b", "."];
    with_server(&bench, |address, said| {
        for route in routes().into_iter().filter(|route| route.path.contains('{')) {
            let (begin, rest) = route.path.split_once('{').unwrap();
            let end = rest.split_once('}').unwrap().1;
            for (method, value) in
                route.methods.names.iter().flat_map(|method| evil.map(|value| (method, value)))
            {
                let request = format!(
                    "{method} {begin}{value}{end}?suite=quick&metric=sync_p99 HTTP/1.1\r\nHost: 127.0.0.1\r\n\
                     Authorization: {bearer}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
                );
                let answers = attack(address, request.as_bytes());
                let found = statuses(&answers);
                // Away from the store, a page that has none leads to that of a checkup, which does not exist.
                assert!(matches!(found[..], [303 | 400 | 404 | 415 | 422]), "{request}: {answers}");
                let head = answers.split("\r\n\r\n").next().unwrap().to_ascii_lowercase();
                assert!(!head.contains("\r\nset-cookie"), "{answers}");
            }
        }
        assert!(said.lock().unwrap().is_empty());
    });
}

#[test]
fn a_token_in_an_address_stays_there() {
    let bench = Bench::new();
    let bearer = bench.token("ann", Role::Admin);
    let secret = bearer.strip_prefix("Bearer ").unwrap();
    with_server(&bench, |address, said| {
        for path in
            ["/", "/checkups", "/nothing", "/sign-in", "/api/v1/me", "/api/v1/checkups", "/api/v1/nothing"]
        {
            for bearer in ["", &format!("Authorization: {bearer}\r\n")] {
                let request = format!(
                    "GET {path}?limit=1&token={secret} HTTP/1.1\r\nHost: 127.0.0.1\r\n{bearer}Connection: close\r\n\r\n"
                );
                let answers = attack(address, request.as_bytes());
                assert!(!answers.contains(secret), "{path}: {answers}");
                assert_eq!(statuses(&answers).len(), 1);
            }
        }
        let said = said.lock().unwrap();
        assert!(said.is_empty(), "{said:?}");
    });
}
