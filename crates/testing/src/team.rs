//! A team's server and an HTTP proxy that do what a test says, one connection at a time.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned, crypto::ring};

use crate::run;

/// What a server does with a request. Afterwards it closes the connection.
#[derive(Debug, Clone)]
pub enum Answer {
    /// It answers: status, further headers as lines, and body.
    Say(u16, &'static str, String),
    /// It has the Report, whose id it takes from the body: `new`, `same` or `replaced`.
    Take(u16, &'static str),
    /// It reads the request and closes the connection.
    Drop,
    /// It reads the request and does nothing for a while.
    Stall(Duration),
}

/// A request that came.
#[derive(Debug, Clone)]
pub struct Request {
    /// Method and path.
    pub line: String,
    /// Names in lower case, and values.
    pub headers: Vec<(String, String)>,
    /// The body, unpacked.
    pub body: Vec<u8>,
}

impl Request {
    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

#[derive(Debug, Default)]
struct State {
    answers: VecDeque<Answer>,
    requests: Vec<Request>,
}

/// A server that takes the token of [`TOKEN`]: it answers to `me`, and takes all Reports for which no other answer was
/// given. It listens until the test program ends.
#[derive(Debug, Clone)]
pub struct Team {
    /// Its address.
    pub address: String,
    state: Arc<Mutex<State>>,
}

/// The token of its user.
pub const TOKEN: &str = "cg_5ec2e7005ec2e7005ec2e7005ec2e7005ec2e7005ec2e7005ec2e7005ec2e700";

impl Team {
    /// Starts one, on any port.
    ///
    /// # Panics
    /// When there is no loopback interface.
    pub fn start() -> Self {
        Self::at("127.0.0.1:0")
    }

    /// Starts one here.
    ///
    /// # Panics
    /// When somebody else listens here.
    pub fn at(address: &str) -> Self {
        Self::listen(address, None)
    }

    /// Starts one that has the certificate in a directory made by [`certificate`].
    ///
    /// # Panics
    /// When that is not one.
    pub fn with_tls(directory: &Path) -> Self {
        let chain =
            CertificateDer::pem_file_iter(directory.join("cert.pem")).expect("there is a certificate");
        let chain: Result<Vec<_>, _> = chain.collect();
        let key = PrivateKeyDer::from_pem_file(directory.join("key.pem")).expect("there is a key");
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .expect("the provider has them")
            .with_no_client_auth()
            .with_single_cert(chain.expect("it is one"), key)
            .expect("they belong together");
        Self::listen("127.0.0.1:0", Some(Arc::new(config)))
    }

    fn listen(address: &str, tls: Option<Arc<ServerConfig>>) -> Self {
        let listener = TcpListener::bind(address).expect("the loopback interface has free ports");
        let address = listener.local_addr().expect("it is bound");
        let scheme = if tls.is_some() { "https" } else { "http" };
        let team = Self { address: format!("{scheme}://{address}"), state: Arc::default() };
        let state = team.state.clone();
        thread::spawn(move || {
            for socket in listener.incoming().map_while(Result::ok) {
                // What a client breaks is the client's.
                let _ = match &tls {
                    Some(tls) => ServerConnection::new(tls.clone())
                        .map_err(io::Error::other)
                        .and_then(|connection| serve(StreamOwned::new(connection, socket), &state)),
                    None => serve(socket, &state),
                };
            }
        });
        team
    }

    /// Answers the next requests for Reports so.
    pub fn answer(&self, answers: impl IntoIterator<Item = Answer>) {
        self.state().answers = answers.into_iter().collect();
    }

    /// The requests since the last call.
    pub fn requests(&self) -> Vec<Request> {
        std::mem::take(&mut self.state().requests)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads a request and answers it.
fn serve(stream: impl Read + Write, state: &Mutex<State>) -> io::Result<()> {
    let mut stream = BufReader::new(stream);
    let (line, headers) = head(&mut stream)?;
    let mut request = Request { line, headers, body: Vec::new() };
    let len: u64 = request.header("content-length").map_or(Ok(0), str::parse).map_err(io::Error::other)?;
    stream.by_ref().take(len).read_to_end(&mut request.body)?;
    if request.header("content-encoding") == Some("gzip") {
        // Without its head and its checksum.
        let packed = request.body.get(10..request.body.len().saturating_sub(8)).unwrap_or_default();
        request.body =
            miniz_oxide::inflate::decompress_to_vec(packed).map_err(|_| io::ErrorKind::InvalidData)?;
    }
    let is_ours = request.header("authorization") == Some(&format!("Bearer {TOKEN}"));
    let is_report = request.line == "POST /api/v1/checkups";
    let answer = {
        let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
        state.requests.push(request.clone());
        match state.answers.pop_front() {
            _ if !is_ours => Answer::Say(401, "", r#"{"error": "unknown token"}"#.to_string()),
            None if is_report => Answer::Take(201, "new"),
            Some(answer) if is_report => answer,
            waiting => {
                waiting.into_iter().for_each(|answer| state.answers.push_front(answer));
                let me = r#"{"name": "pi5", "role": "sender", "version": "0.1.0", "later": 1}"#;
                Answer::Say(200, "", me.to_string())
            }
        }
    };
    let (status, headers, body) = match answer {
        Answer::Say(status, headers, body) => (status, headers, body),
        Answer::Take(status, saved) => {
            let text = String::from_utf8_lossy(&request.body);
            let id =
                text.split("\"id\": \"").nth(1).and_then(|rest| rest.split('"').next()).unwrap_or_default();
            (status, "", format!(r#"{{"id": "{id}", "saved": "{saved}", "page": "/checkups/{id}"}}"#))
        }
        Answer::Drop => return Ok(()),
        Answer::Stall(time) => {
            thread::sleep(time);
            return Ok(());
        }
    };
    let stream = stream.get_mut();
    let len = body.len();
    write!(
        stream,
        "HTTP/1.1 {status} X\r\n{headers}Content-Length: {len}\r\nConnection: close\r\n\r\n{body}"
    )?;
    stream.flush()
}

/// The first line without the version, and the headers.
fn head(stream: &mut impl BufRead) -> io::Result<(String, Vec<(String, String)>)> {
    let mut lines = stream.lines();
    let first = lines.next().unwrap_or(Err(io::ErrorKind::UnexpectedEof.into()))?;
    let mut headers = Vec::new();
    for line in lines {
        let line = line?;
        let Some((name, value)) = line.split_once(':') else { break };
        headers.push((name.to_ascii_lowercase(), value.trim().to_string()));
    }
    Ok((first.trim_end_matches(" HTTP/1.1").to_string(), headers))
}

/// A proxy that connects to one place whatever it is asked for, or answers a status. It listens until the test program
/// ends.
#[derive(Debug, Clone)]
pub struct Proxy {
    /// Its address.
    pub address: String,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl Proxy {
    /// Starts one that leads to an address, or answers so.
    ///
    /// # Panics
    /// When there is no loopback interface.
    pub fn start(leads: Result<String, u16>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("the loopback interface has free ports");
        let address = format!("http://{}", listener.local_addr().expect("it is bound"));
        let proxy = Self { address, requests: Arc::default() };
        let requests = proxy.requests.clone();
        thread::spawn(move || {
            for socket in listener.incoming().map_while(Result::ok) {
                let _ = pass(socket, &leads, &requests);
            }
        });
        proxy
    }

    /// The requests since the last call.
    pub fn requests(&self) -> Vec<Request> {
        std::mem::take(&mut self.requests.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn pass(
    mut socket: TcpStream,
    leads: &Result<String, u16>,
    requests: &Mutex<Vec<Request>>,
) -> io::Result<()> {
    let (line, headers) = head(&mut BufReader::new(socket.try_clone()?))?;
    let request = Request { line, headers, body: Vec::new() };
    requests.lock().unwrap_or_else(PoisonError::into_inner).push(request);
    let place = match leads {
        Ok(place) => place,
        Err(status) => return write!(socket, "HTTP/1.1 {status} No\r\nContent-Length: 0\r\n\r\n"),
    };
    let mut other = TcpStream::connect(place)?;
    socket.write_all(b"HTTP/1.1 200 OK\r\n\r\n")?;
    let (mut back, mut forth) = (other.try_clone()?, socket.try_clone()?);
    thread::spawn(move || io::copy(&mut back, &mut forth));
    io::copy(&mut socket, &mut other)?;
    other.shutdown(std::net::Shutdown::Write)
}

/// Makes a certificate for these names, such as `DNS:team.test,IP:127.0.0.1`: `cert.pem` and `key.pem` in a directory.
///
/// # Errors
/// When there is no openssl.
pub fn certificate(directory: &Path, names: &str) -> Result<PathBuf, String> {
    let file = directory.join("cert.pem");
    let names = format!("subjectAltName={names}");
    let mut openssl = Command::new("openssl");
    openssl
        .args([
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:P-256",
            "-nodes",
            "-days",
            "9",
        ])
        .args(["-subj", "/CN=test", "-addext", "basicConstraints=critical,CA:FALSE", "-addext", &names])
        .arg("-keyout")
        .arg(directory.join("key.pem"))
        .arg("-out")
        .arg(&file);
    run(&mut openssl).map(|()| file)
}
