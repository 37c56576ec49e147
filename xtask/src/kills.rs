//! `cargo xtask kills`: ends a server under 20 senders again and again: the server killed, its PostgreSQL restarted, its network cut.
//!
//! At the end each Report that the server said to have must be in the store, as it was sent, and none twice. Senders send until
//! they are told so: what was cut off is sent again.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use cardiograph_core::Report;
use cardiograph_core::rng::Rng;
use cardiograph_store::{Query, open};
use cardiograph_testing::postgres;

use crate::served::{Connection, Served};
use crate::workspace;

const USAGE: &str = "Usage: cargo xtask kills [--rounds N] [--seed N] [--program FILE]";
const ROUNDS: u64 = 200;
const SENDERS: u64 = 20;
/// A server lives this long, in milliseconds.
const LIFE_MS: std::ops::Range<u64> = 150..900;
/// How long the database is away, and the network.
const CUT: Duration = Duration::from_secs(2);
/// Pause of a sender that was not answered.
const PAUSE: Duration = Duration::from_millis(50);
/// All senders must be done this long after the last round.
const END_MAX: Duration = Duration::from_secs(60);

/// What happens to the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Blow {
    /// It is killed, and started again.
    Kill,
    /// Its database is restarted.
    Restart,
    /// Its network is cut for a while.
    Cut,
}

/// Runs all blows.
pub fn run(words: &[&str]) -> Result<ExitCode, String> {
    let (mut rounds, mut seed, mut program) = (ROUNDS, 1, None);
    let mut words = words.iter();
    while let Some(&word) = words.next() {
        let value = words.next().ok_or(USAGE)?;
        let number = || value.parse::<u64>().map_err(|_| format!("{word} needs a number\n{USAGE}"));
        match word {
            "--rounds" => rounds = number()?,
            "--seed" => seed = number()?,
            "--program" => program = Some(PathBuf::from(value)),
            _ => return Err(USAGE.to_string()),
        }
    }
    let program = program.map_or_else(workspace::build_program, Ok)?;
    let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
    let file = directory.path().join("drives.db");
    let few = rounds.div_ceil(20);
    let nothing = || Ok(());
    let blows = Blows { program: &program, place: &file, name: "SQLite", blow: Blow::Kill, rounds, seed };
    blows.strike_here(&nothing)?;
    match postgres::Database::new() {
        Ok(database) => {
            let place = PathBuf::from(&database.url);
            let restart = || {
                database.server.control("stop")?;
                std::thread::sleep(CUT);
                database.server.control("start")
            };
            let blows = Blows { place: &place, name: "PostgreSQL", ..blows };
            blows.strike_here(&nothing)?;
            Blows { blow: Blow::Restart, rounds: few, ..blows }.strike_here(&restart)?;
        }
        Err(reason) => println!("PostgreSQL is left out: {reason}"),
    }
    match Network::new() {
        Ok(network) => {
            workspace::token(&program, &file, "admin", "admin")?;
            let cut = Blows { blow: Blow::Cut, rounds: few, ..blows };
            cut.strike(&network.listen(), &|| network.start(&program, &file), &|| network.cut())?;
        }
        Err(reason) => println!("the network is left out: {reason}"),
    }
    Ok(ExitCode::SUCCESS)
}

/// One kind of blows to a server.
#[derive(Clone, Copy)]
struct Blows<'b> {
    program: &'b Path,
    place: &'b Path,
    name: &'static str,
    blow: Blow,
    rounds: u64,
    seed: u64,
}

impl Blows<'_> {
    /// Strikes a server on this host.
    fn strike_here(&self, restart: &dyn Fn() -> Result<(), String>) -> Result<(), String> {
        let listen = free_address()?;
        self.strike(&listen, &|| Served::start(self.program, self.place, &listen), restart)
    }

    /// Strikes while senders send, and compares what the server kept with what it said to have.
    fn strike(
        &self,
        listen: &str,
        start: &dyn Fn() -> Result<Served, String>,
        restart: &dyn Fn() -> Result<(), String>,
    ) -> Result<(), String> {
        let &Self { program, place, name, blow, rounds, seed } = self;
        let sample = workspace::simulated_report(program, "sandisk-ultra-64")?;
        let shared = Shared::default();
        let mut rng = Rng::new(seed);
        let tokens: Vec<String> = (0..SENDERS)
            .map(|number| workspace::token(program, place, &format!("{blow:?}-{number}"), "sender"))
            .collect::<Result<_, _>>()?;
        let ended = std::thread::scope(|scope| {
            for (number, token) in tokens.iter().enumerate() {
                let (shared, sample) = (&shared, &sample);
                let sender = blow as u64 * SENDERS + number as u64;
                scope.spawn(move || send(shared, sample, listen, sender, token));
            }
            let ended = (|| {
                let mut served = start()?;
                for _ in 0..rounds {
                    let life_ms = LIFE_MS.start + rng.below(LIFE_MS.end - LIFE_MS.start);
                    std::thread::sleep(Duration::from_millis(life_ms));
                    match blow {
                        Blow::Kill => {
                            drop(served);
                            served = start()?;
                        }
                        Blow::Restart | Blow::Cut => restart()?,
                    }
                }
                // What is under way ends before the server does.
                shared.is_over.store(true, Ordering::Relaxed);
                let begun = Instant::now();
                while shared.sending.load(Ordering::Relaxed) > 0 {
                    if begun.elapsed() > END_MAX {
                        return Err("a sender is not answered".to_string());
                    }
                    std::thread::sleep(PAUSE);
                }
                Ok(())
            })();
            shared.is_over.store(true, Ordering::Relaxed);
            shared.is_given_up.store(true, Ordering::Relaxed);
            ended
        });
        ended?;
        let sent = shared.accepted.into_inner().unwrap_or_else(PoisonError::into_inner);
        let again = shared.again.load(Ordering::Relaxed);
        compare(place, &sample, &sent)?;
        println!(
            "{name}, {blow:?}: {rounds} rounds, {} Reports sent, {again} of them again: none missing, none twice",
            sent.len()
        );
        Ok(())
    }
}

/// What senders share.
#[derive(Default)]
struct Shared {
    is_over: AtomicBool,
    is_given_up: AtomicBool,
    sending: AtomicU64,
    again: AtomicU64,
    /// Ids of Reports that the server said to have.
    accepted: Mutex<BTreeSet<String>>,
}

/// Sends Reports, each until the server says to have it.
fn send(shared: &Shared, sample: &Report, host: &str, sender: u64, token: &str) {
    let headers = format!("authorization: Bearer {token}\r\n");
    let mut connection = None;
    shared.sending.fetch_add(1, Ordering::Relaxed);
    for number in 0.. {
        if shared.is_over.load(Ordering::Relaxed) {
            break;
        }
        let report = Report { id: id(sender, number), ..sample.clone() };
        let body = serde_json::to_vec(&report).expect("a Report has a form in JSON");
        let mut tries = 0_u64;
        while !shared.is_given_up.load(Ordering::Relaxed) {
            if connection.is_none() {
                connection = Connection::open(host, &headers).ok();
            }
            let answer = connection.as_mut().map(|connection| {
                connection.send("POST", "/api/v1/checkups", "content-type: application/json\r\n", &body)
            });
            match answer {
                Some(Ok(answer)) if matches!(answer.status, 200 | 201) => {
                    let mut accepted = shared.accepted.lock().unwrap_or_else(PoisonError::into_inner);
                    accepted.insert(report.id.clone());
                    break;
                }
                Some(Ok(_)) => {}
                _ => connection = None,
            }
            tries += 1;
            std::thread::sleep(PAUSE);
        }
        shared.again.fetch_add(u64::from(tries > 0), Ordering::Relaxed);
    }
    shared.sending.fetch_sub(1, Ordering::Relaxed);
}

fn id(sender: u64, number: u64) -> String {
    format!("20260101-{sender:06}-{number:06x}")
}

/// An address that is free now: the server has the same one each time.
fn free_address() -> Result<String, String> {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").map_err(|error| error.to_string())?;
    listener.local_addr().map(|address| address.to_string()).map_err(|error| error.to_string())
}

/// Compares the store with what the server said to have.
fn compare(place: &Path, sample: &Report, sent: &BTreeSet<String>) -> Result<(), String> {
    let store = open(place).map_err(|error| format!("{error:?}"))?;
    let kept = store.find(&Query::default()).map_err(|error| format!("{error:?}"))?;
    let ids: BTreeSet<String> = kept.iter().map(|run| run.id.to_string()).collect();
    if ids.len() != kept.len() {
        return Err(format!("{} Reports have {} ids", kept.len(), ids.len()));
    }
    if let Some(missing) = sent.difference(&ids).next() {
        return Err(format!("{missing} was accepted and is not there"));
    }
    for id in sent {
        let report = store.load(id).map_err(|error| format!("{id}: {error:?}"))?;
        if report != (Report { id: id.clone(), ..sample.clone() }) {
            return Err(format!("{id} is not what was sent"));
        }
    }
    Ok(())
}

/// A network of its own for a server, reached by a pair of virtual links.
struct Network;

/// The network, the link on our side, the other one, and addresses that nobody has (RFC 5737).
const NETWORK: &str = "cardiograph";
const LINK: &str = "cardiograph0";
const OTHER: &str = "cardiograph1";
const OURS: &str = "198.51.100.1/30";
const THEIRS: &str = "198.51.100.2";

impl Network {
    /// Makes it, if this user may.
    fn new() -> Result<Self, String> {
        // What a run that was killed has left.
        Self::remove();
        let network = Self;
        ip(&["netns", "add", NETWORK])?;
        ip(&["link", "add", LINK, "type", "veth", "peer", "name", OTHER, "netns", NETWORK])?;
        ip(&["address", "add", OURS, "dev", LINK])?;
        ip(&["link", "set", LINK, "up"])?;
        ip(&["-n", NETWORK, "address", "add", &format!("{THEIRS}/30"), "dev", OTHER])?;
        ip(&["-n", NETWORK, "link", "set", OTHER, "up"])?;
        Ok(network)
    }

    fn listen(&self) -> String {
        format!("{THEIRS}:7878")
    }

    fn start(&self, program: &Path, place: &Path) -> Result<Served, String> {
        let mut command = Command::new("ip");
        command.args(["netns", "exec", NETWORK]).arg(program).arg("--store").arg(place);
        command.args(["serve", "--behind-proxy", "--listen", &self.listen(), "--host", THEIRS]);
        Served::run(command)
    }

    fn remove() {
        let _ = ip(&["netns", "delete", NETWORK]);
        let _ = ip(&["link", "delete", LINK]);
    }

    fn cut(&self) -> Result<(), String> {
        ip(&["link", "set", LINK, "down"])?;
        std::thread::sleep(CUT);
        ip(&["link", "set", LINK, "up"])
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        Self::remove();
    }
}

fn ip(words: &[&str]) -> Result<(), String> {
    workspace::stdout_of(Command::new("ip").args(words)).map(drop)
}
