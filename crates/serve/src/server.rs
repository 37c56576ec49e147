//! What all requests share.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::sync::Arc;

use cardiograph_catalogue::Language;
use cardiograph_core::{Message, message};
use cardiograph_store::{Store, StoreError};
use tokio::sync::Semaphore;

use crate::cards::Cards;
use crate::examples::Examples;
use crate::live::Live;
use crate::problem::Problem;
use crate::sessions::Sessions;

/// Questions to the store that are answered at once: more would only wait for each other, and hold memory.
const QUESTIONS_MAX: usize = 8;

/// How a server is started.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Where it listens, with its port.
    pub listen: SocketAddr,
    /// Names by which it is called, besides its address: of requests for other names it knows nothing, so that a web
    /// site cannot have its own name lead here (DNS rebinding).
    pub hosts: BTreeSet<String>,
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
    /// The checkups that are running.
    pub(crate) live: Live,
    /// The cards of drives.
    pub(crate) cards: Cards,
    /// Simulated drives for a store that has none.
    pub(crate) examples: Examples,
    /// Says something on the terminal of the server.
    say: Say,
    store: Arc<dyn Store>,
    questions: Semaphore,
}

impl Server {
    /// A server for the checkups in `store`, which says on its terminal how to open it. It does not listen yet.
    pub fn new(settings: Settings, store: Box<dyn Store>, say: Say) -> Arc<Self> {
        let store: Arc<dyn Store> = store.into();
        Arc::new(Self {
            settings,
            sessions: Sessions::default(),
            live: Live::new(store.clone()),
            cards: Cards::default(),
            examples: Examples::default(),
            say,
            store,
            questions: Semaphore::new(QUESTIONS_MAX),
        })
    }

    /// The address that signs the next browser in, once.
    pub fn address(&self) -> String {
        format!("http://{}/?token={}", self.settings.listen, self.sessions.new_first_token())
    }

    /// The address was used: says the next one.
    pub(crate) fn say_next_address(&self) {
        (self.say)(&message!("serve-listening.again", address = self.address()));
    }

    /// Ends the checkups that are running, and waits until each has restored the drive and is saved.
    pub fn stop(&self) {
        self.live.stop_all();
    }

    /// Asks the store, on a thread that may wait.
    pub(crate) async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&dyn Store) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, Problem> {
        self.work(|store| question(store).map_err(Problem::from)).await
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
