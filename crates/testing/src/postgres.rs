//! A real PostgreSQL server for tests, of the newest version that Debian's packages installed.

use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use crate::run;

/// A server, stopped when dropped. It listens on a socket in its directory,
/// and where its options say.
#[derive(Debug)]
pub struct Server {
    directory: tempfile::TempDir,
    programs: PathBuf,
    options: String,
    databases: AtomicUsize,
}

/// An empty database on a server, and what keeps that running.
#[derive(Debug)]
pub struct Database {
    /// Its server.
    pub server: Arc<Server>,
    /// Its address.
    pub url: String,
}

/// The server of the tests that are running in this process: to make one takes seconds.
static SHARED: Mutex<Weak<Server>> = Mutex::new(Weak::new());

impl Database {
    /// A database on a server that tests share.
    ///
    /// # Errors
    /// Why there is none here.
    pub fn new() -> Result<Self, String> {
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        let server = match shared.upgrade() {
            Some(server) => server,
            None => Arc::new(Server::start("-c listen_addresses=")?),
        };
        *shared = Arc::downgrade(&server);
        drop(shared);
        Self::on(server)
    }

    /// A database on this server.
    ///
    /// # Errors
    /// What the server says.
    pub fn on(server: Arc<Server>) -> Result<Self, String> {
        let name = format!("db{}", server.databases.fetch_add(1, Ordering::Relaxed));
        server.psql("postgres", &["-c", &format!("CREATE DATABASE {name}")])?;
        Ok(Self { url: server.url(&name), server })
    }
}

impl Server {
    /// Starts a server with these options of `postgres`.
    ///
    /// # Errors
    /// Why there is none here.
    pub fn start(options: &str) -> Result<Self, String> {
        let versions = std::fs::read_dir("/usr/lib/postgresql").map_err(|_| "PostgreSQL is not installed")?;
        let newest = versions.filter_map(|entry| Some(entry.ok()?.path().join("bin"))).max();
        let programs = newest.ok_or("PostgreSQL is not installed")?;
        let directory = tempfile::Builder::new().prefix("pg").tempdir_in("/tmp");
        let directory = directory.map_err(|error| error.to_string())?;
        let options = format!("-k {} {options}", directory.path().display());
        let server = Self { directory, programs, options, databases: AtomicUsize::new(0) };
        if rustix::process::geteuid().is_root() {
            run(Command::new("chown").arg("postgres").arg(server.directory.path()))?;
        }
        server.run("initdb", &["-D", "data", "-U", "postgres", "-A", "trust", "-N", "-E", "UTF8"])?;
        server.control("start")?;
        Ok(server)
    }

    /// The address of a database, through the socket.
    pub fn url(&self, database: &str) -> String {
        format!("postgresql://postgres@/{database}?host={}", self.directory.path().display())
    }

    /// The directory, with the socket in it.
    pub fn directory(&self) -> &std::path::Path {
        self.directory.path()
    }

    /// Starts, stops or restarts it at once.
    ///
    /// # Errors
    /// What `pg_ctl` says.
    pub fn control(&self, what: &str) -> Result<(), String> {
        let mut words = vec!["-D", "data", "-w", "-l", "log", "-o", &self.options];
        if what != "start" {
            words.extend(["-m", "fast"]);
        }
        words.push(what);
        self.run("pg_ctl", &words)
    }

    /// Runs `psql` in a database.
    ///
    /// # Errors
    /// What it says.
    pub fn psql(&self, database: &str, words: &[&str]) -> Result<(), String> {
        let socket = self.directory.path().display().to_string();
        let words_before = ["-h", &socket, "-U", "postgres", "-d", database, "-q", "-v", "ON_ERROR_STOP=1"];
        self.run("psql", &[&words_before, words].concat())
    }

    /// Runs one of PostgreSQL's programs in the server's directory. It refuses to run as root.
    ///
    /// # Errors
    /// What it says.
    pub fn run(&self, program: &str, words: &[&str]) -> Result<(), String> {
        let program = self.programs.join(program);
        let mut command = match rustix::process::geteuid().is_root() {
            true => Command::new("runuser"),
            false => Command::new(&program),
        };
        if rustix::process::geteuid().is_root() {
            command.args(["-u", "postgres", "--"]).arg(&program);
        }
        run(command.args(words).current_dir(self.directory.path()))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.run("pg_ctl", &["-D", "data", "-m", "immediate", "stop"]);
    }
}
