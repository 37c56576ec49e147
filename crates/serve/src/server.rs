//! What all requests share.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::http::StatusCode;
use cardiograph_catalogue::Language;
use cardiograph_checkup::checkup::unix_ms;
use cardiograph_core::{Message, message};
use cardiograph_store::{AuditEntry, Deed, Store, StoreError};
use tokio::sync::Semaphore;

use crate::cards::Cards;
use crate::counts::Counts;
use crate::examples::Examples;
use crate::feed::Feed;
use crate::intake::Intake;
use crate::live::Live;
use crate::problem::Problem;
use crate::sessions::{Hash, Person, Sessions};
use crate::tokens::{self, Tokens};

/// Questions to the store that are answered at once: more would only wait for each other, and hold memory.
const QUESTIONS_MAX: usize = 8;

/// How browsers reach a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// Plainly, from this host alone: whoever reads its terminal is its administrator.
    Plain,
    /// By TLS.
    Tls,
    /// Through a proxy that does TLS.
    Proxy,
}

/// Which checkups are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retention {
    /// All that are not older, in milliseconds.
    pub age_ms: u64,
    /// And the newest ones of each drive, however old.
    pub newest_per_drive: u64,
}

/// The port of addresses that have none.
const HTTPS_PORT: u16 = 443;

/// How a server is started.
#[derive(Debug, Clone)]
pub struct Settings {
    /// How browsers reach it. Unless plainly, everybody needs a token.
    pub way: Way,
    /// Where it listens, with its port.
    pub listen: SocketAddr,
    /// Names by which it is called, besides its address: of requests for other names it knows nothing, so that a web
    /// site cannot have its own name lead here (DNS rebinding).
    pub hosts: BTreeSet<String>,
    /// Which checkups are kept; `None`: all.
    pub retention: Option<Retention>,
    /// Whether a page may ask to erase a device.
    pub allows_erase: bool,
    /// The language of who asks for none.
    pub language: Language,
    /// Makes a PNG of an SVG, in this host's fonts.
    pub png: fn(&str) -> Result<Vec<u8>, Message>,
}

/// Says something on a terminal.
pub type Say = Box<dyn Fn(&Message) + Send + Sync>;

/// A server.
pub struct Server {
    /// How it was started.
    pub settings: Settings,
    /// The browsers that are signed in.
    pub(crate) sessions: Sessions,
    /// The tokens that were brought a moment ago.
    pub(crate) tokens: Tokens,
    /// The checkups that are running.
    pub(crate) live: Live,
    /// The cards of drives.
    pub(crate) cards: Cards,
    /// Simulated drives for a store that has none.
    pub(crate) examples: Examples,
    /// What was saved.
    pub(crate) feed: Arc<Feed>,
    /// What senders may use.
    pub(crate) intake: Intake,
    /// What it did so far.
    pub(crate) counts: Counts,
    /// Says something on the terminal of the server.
    say: Say,
    store: Arc<dyn Store>,
    questions: Semaphore,
}

impl Server {
    /// A server for the checkups in `store`, which says on its terminal how to open it. It does not listen yet.
    pub fn new(settings: Settings, store: Box<dyn Store>, say: Say) -> Arc<Self> {
        let store: Arc<dyn Store> = store.into();
        let feed = Arc::new(Feed::starting_at(unix_ms()));
        Arc::new(Self {
            settings,
            sessions: Sessions::default(),
            cards: Cards::default(),
            examples: Examples::default(),
            tokens: Tokens::default(),
            live: Live::new(store.clone(), feed.clone()),
            feed,
            intake: Intake::default(),
            counts: Counts::default(),
            say,
            store,
            questions: Semaphore::new(QUESTIONS_MAX),
        })
    }

    /// The address that signs the next browser in, once; where everybody needs a token, it is without one, and has a
    /// name by which the server is called.
    pub fn address(&self) -> String {
        let Settings { listen, way, hosts, .. } = &self.settings;
        match (way, hosts.first()) {
            (Way::Plain, _) => format!("http://{listen}/?token={}", self.sessions.new_first_token()),
            (Way::Tls, Some(host)) if listen.port() == HTTPS_PORT => format!("https://{host}/"),
            (Way::Tls, Some(host)) => format!("https://{host}:{}/", listen.port()),
            (Way::Tls, None) => format!("https://{listen}/"),
            (Way::Proxy, Some(host)) => format!("https://{host}/"),
            (Way::Proxy, None) => format!("http://{listen}/"),
        }
    }

    /// The address was used: says the next one.
    pub(crate) fn say_next_address(&self) {
        (self.say)(&message!("serve-listening.again", address = self.address()));
    }

    /// The name of the cookie of a signed-in browser. Servers of one host share its cookies, so that the port tells them
    /// apart.
    pub(crate) fn cookie_name(&self) -> String {
        format!("cardiograph-{}", self.settings.listen.port())
    }

    /// Who brings the token with this hash; `None` if it has ended or never was.
    ///
    /// # Errors
    /// When the store cannot be asked.
    pub(crate) async fn owner(&self, hash: Hash) -> Result<Option<Person>, Problem> {
        if let Some(owner) = self.tokens.known(&hash) {
            return Ok(owner);
        }
        let owner = self.ask(move |store| tokens::owner_in(store.access(), hash)).await?;
        self.tokens.learn(hash, owner.clone());
        Ok(owner)
    }

    /// Ends the checkups that are running, and waits until each has restored the drive and is saved.
    pub fn stop(&self) {
        self.live.stop_all();
    }

    /// Adds an entry to the audit list. A store that is full keeps nobody from reading; the terminal says so.
    pub(crate) async fn note(&self, who: &str, deed: Deed, subject: &str) {
        let entry = AuditEntry::now(who, deed, subject);
        if let Err(problem) = self.ask(move |store| store.access().note(&entry)).await {
            problem.messages.iter().for_each(|message| self.say(message));
        }
    }

    /// Says something on the terminal.
    pub(crate) fn say(&self, message: &Message) {
        (self.say)(message);
    }

    /// Asks the store, on a thread that may wait.
    pub(crate) async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&dyn Store) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, Problem> {
        let answer = self.work(|store| question(store).map_err(Problem::from)).await;
        if answer.as_ref().is_err_and(|problem| problem.status == StatusCode::SERVICE_UNAVAILABLE) {
            self.counts.store_errors.fetch_add(1, Ordering::Relaxed);
        }
        answer
    }

    /// The same with other problems than the store's.
    pub(crate) async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce(&dyn Store) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let _turn = self.questions.acquire().await.expect("it is never closed");
        let store = self.store.clone();
        tokio::task::spawn_blocking(move || work(store.as_ref()))
            .await
            .unwrap_or_else(|failed| Err(Problem::internal(&failed)))
    }
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Server").field("settings", &self.settings).finish_non_exhaustive()
    }
}
