//! A running `cardiograph serve`, and connections to it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// An address with a port that the system chooses.
pub const ANY: &str = "127.0.0.1:0";
/// Time limit for an answer.
const ANSWER_MAX: Duration = Duration::from_secs(30);

/// A server, killed when dropped.
pub struct Served {
    child: Child,
    /// The host and port that it says.
    pub host: String,
    /// The cookie of a signed-in browser.
    pub cookie: String,
}

impl Served {
    /// Starts a server on `store` that listens on this address, and signs in.
    ///
    /// # Errors
    /// When it does not start.
    pub fn start(program: &Path, store: &Path, listen: &str) -> Result<Self, String> {
        let mut command = Command::new(program);
        command.arg("--store").arg(store).args(["serve", "--listen", listen]);
        Self::run(command)
    }

    /// Runs the command of a server, and signs in if it prints a token.
    ///
    /// # Errors
    /// When it does not start.
    pub fn run(mut command: Command) -> Result<Self, String> {
        let mut child = command
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("the server does not start: {error}"))?;
        let said = child.stdout.take().map(BufReader::new).ok_or("no standard output")?;
        let mut served = Self { child, host: String::new(), cookie: String::new() };
        let (host, path) = address(said)?;
        served.host = host;
        if path.contains("token=") {
            let answer = served.connect()?.get(&format!("/{path}"))?;
            served.cookie = answer.cookie.ok_or("the address does not sign in")?;
        }
        Ok(served)
    }

    /// A connection of the signed-in browser.
    ///
    /// # Errors
    /// When it is refused.
    pub fn connect(&self) -> Result<Connection, String> {
        Connection::open(&self.host, &format!("cookie: {}\r\norigin: http://{}\r\n", self.cookie, self.host))
    }

    /// Its process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }
}

/// The host and the path of the address that a server says, which may stand on a line of its own. What it says later is read,
/// too: it would wait, or end.
fn address(said: BufReader<ChildStdout>) -> Result<(String, String), String> {
    let (tell, told) = mpsc::channel();
    std::thread::spawn(move || said.lines().map_while(Result::ok).for_each(|line| drop(tell.send(line))));
    loop {
        let line = told.recv_timeout(ANSWER_MAX).map_err(|error| match error {
            RecvTimeoutError::Timeout => "the server says no address",
            RecvTimeoutError::Disconnected => "the server ended without an address; its output is above",
        })?;
        // Of https:// behind a proxy, which only people use.
        let address = line.split_whitespace().find_map(|word| word.split_once("://"));
        if let Some((host, path)) = address.and_then(|(_, address)| address.split_once('/')) {
            return Ok((host.to_string(), path.to_string()));
        }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A connection that is used again and again.
pub struct Connection {
    stream: BufReader<TcpStream>,
    host: String,
    /// Further header lines of each request.
    headers: String,
}

/// An answer.
pub struct Answer {
    /// Its status.
    pub status: u16,
    /// The cookie that it sets.
    pub cookie: Option<String>,
    /// Its body.
    pub body: Vec<u8>,
}

impl Connection {
    /// Connects to `host`; each request has these header lines.
    ///
    /// # Errors
    /// When it is refused.
    pub fn open(host: &str, headers: &str) -> Result<Self, String> {
        let stream = TcpStream::connect(host).map_err(|error| format!("{host}: {error}"))?;
        let io = |error: std::io::Error| error.to_string();
        stream.set_nodelay(true).and_then(|()| stream.set_read_timeout(Some(ANSWER_MAX))).map_err(io)?;
        Ok(Self { stream: BufReader::new(stream), host: host.to_string(), headers: headers.to_string() })
    }

    /// Asks for a path.
    ///
    /// # Errors
    /// When there is no answer.
    pub fn get(&mut self, path: &str) -> Result<Answer, String> {
        self.send("GET", path, "", &[])
    }

    /// Sends a request with a body.
    ///
    /// # Errors
    /// When there is no answer.
    pub fn send(&mut self, method: &str, path: &str, headers: &str, body: &[u8]) -> Result<Answer, String> {
        self.write(method, path, headers, body)?;
        self.read().map_err(|error| format!("{method} {path}: {error}"))
    }

    fn write(&mut self, method: &str, path: &str, headers: &str, body: &[u8]) -> Result<(), String> {
        let Self { stream, host, headers: own } = self;
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: {host}\r\n{own}{headers}content-length: {}\r\n\r\n",
            body.len()
        );
        let written = stream.get_mut().write_all(&[head.as_bytes(), body].concat());
        written.map_err(|error| format!("{method} {path}: {error}"))
    }

    fn read(&mut self) -> Result<Answer, String> {
        let mut answer = Answer { status: self.status()?, cookie: None, body: Vec::new() };
        let mut len_bytes = Some(0);
        loop {
            let line = self.line()?;
            let Some((name, value)) = line.split_once(':') else { break };
            let value = value.trim();
            match name.to_ascii_lowercase().as_str() {
                "content-length" => len_bytes = value.parse().ok(),
                "transfer-encoding" => len_bytes = None,
                "set-cookie" => answer.cookie = value.split(';').next().map(str::to_string),
                _ => {}
            }
        }
        answer.body = vec![0; len_bytes.ok_or("an answer without a length")?];
        self.stream.read_exact(&mut answer.body).map_err(|error| error.to_string())?;
        Ok(answer)
    }

    fn status(&mut self) -> Result<u16, String> {
        let line = self.line()?;
        line.split(' ').nth(1).and_then(|code| code.parse().ok()).ok_or(format!("no answer: {line}"))
    }

    /// Asks for a stream of events, of which [`Connection::line`] reads the lines.
    ///
    /// # Errors
    /// When it is refused.
    pub fn follow(&mut self, path: &str) -> Result<(), String> {
        self.write("GET", path, "accept: text/event-stream\r\n", &[])?;
        match self.status()? {
            200 => Ok(()),
            status => Err(format!("GET {path}: {status}")),
        }
    }

    /// A line, without its end.
    ///
    /// # Errors
    /// When the connection ends.
    pub fn line(&mut self) -> Result<String, String> {
        let mut line = String::new();
        match self.stream.read_line(&mut line) {
            Ok(0) => Err("the connection ended".to_string()),
            Ok(_) => Ok(line.trim_end().to_string()),
            Err(error) => Err(error.to_string()),
        }
    }
}
