//! Who is signed in: secrets, and the cookies that stand for them.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};

use crate::role::Role;

/// A browser stays signed in this long after it was last seen.
pub const IDLE_MAX: Duration = Duration::from_secs(7 * 24 * 3_600);
/// Browsers signed in at once; beyond that, the one not seen for longest is signed out.
const SESSIONS_MAX: usize = 1_000;
/// Bytes of a secret: 256 bits cannot be guessed.
const SECRET_LEN_BYTES: usize = 32;

/// Somebody who is signed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// The name of the token; empty for the one at this host.
    pub name: String,
    /// What they may do.
    pub role: Role,
    /// The hash of the token by which they came, which may end; `None` for the one at this host.
    pub token: Option<Hash>,
}

impl Person {
    /// Their name in the audit list. No token has the one of who is at this host: names have no spaces.
    pub fn who(&self) -> &str {
        if self.token.is_none() && self.name.is_empty() { HERE } else { &self.name }
    }
}

/// The name in the audit list of whoever opened the printed address.
pub const HERE: &str = "this host";

/// The signed-in browsers, and the address that signs the first one in.
#[derive(Debug, Default)]
pub struct Sessions {
    by_hash: Mutex<HashMap<Hash, Session>>,
    first: Mutex<Option<Hash>>,
}

#[derive(Debug)]
struct Session {
    person: Person,
    seen: Instant,
}

/// The SHA-256 of a secret. Only hashes are kept, and they are compared: how long that takes says nothing about a secret.
pub type Hash = [u8; 32];

/// The hash of a secret.
pub fn hash(secret: &str) -> Hash {
    Sha256::digest(secret.as_bytes()).into()
}

/// A new secret, in hexadecimal digits.
pub fn new_secret() -> String {
    let mut bytes = [0; SECRET_LEN_BYTES];
    let mut filled = 0;
    while filled < bytes.len() {
        // The kernel's generator fails only before the system has booted.
        filled += rustix::rand::getrandom(&mut bytes[filled..], rustix::rand::GetRandomFlags::empty())
            .expect("the kernel has random numbers");
    }
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Sessions {
    /// A new one-time token for the address that is printed. An earlier one no longer works.
    pub fn new_first_token(&self) -> String {
        let secret = new_secret();
        *lock(&self.first) = Some(hash(&secret));
        secret
    }

    /// Takes the one-time token: returns the cookie of the browser that brought it.
    pub fn take_first_token(&self, secret: &str) -> Option<String> {
        lock(&self.first).take_if(|first| *first == hash(secret))?;
        Some(self.sign_in(Person { name: String::new(), role: Role::Admin, token: None }))
    }

    /// Signs a browser in. Returns its cookie.
    pub fn sign_in(&self, person: Person) -> String {
        let secret = new_secret();
        let mut sessions = lock(&self.by_hash);
        sessions.retain(|_, session| session.seen.elapsed() < IDLE_MAX);
        if sessions.len() >= SESSIONS_MAX
            && let Some(oldest) =
                sessions.iter().min_by_key(|(_, session)| session.seen).map(|(hash, _)| *hash)
        {
            sessions.remove(&oldest);
        }
        sessions.insert(hash(&secret), Session { person, seen: Instant::now() });
        secret
    }

    /// Who brings this cookie.
    pub fn find(&self, secret: &str) -> Option<Person> {
        let mut sessions = lock(&self.by_hash);
        let session = sessions.get_mut(&hash(secret)).filter(|session| session.seen.elapsed() < IDLE_MAX)?;
        session.seen = Instant::now();
        Some(session.person.clone())
    }

    /// Browsers that are signed in.
    pub fn count(&self) -> usize {
        lock(&self.by_hash).values().filter(|session| session.seen.elapsed() < IDLE_MAX).count()
    }

    /// Signs a browser out.
    pub fn sign_out(&self, secret: &str) {
        lock(&self.by_hash).remove(&hash(secret));
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_token_works_once() {
        let sessions = Sessions::default();
        let token = sessions.new_first_token();
        assert!(sessions.take_first_token(&new_secret()).is_none());
        let cookie = sessions.take_first_token(&token).expect("it is the one");
        assert_eq!(sessions.find(&cookie).map(|person| person.role), Some(Role::Admin));
        assert!(sessions.take_first_token(&token).is_none(), "it was taken");
        assert!(sessions.find(&token).is_none());
        sessions.sign_out(&cookie);
        assert!(sessions.find(&cookie).is_none());
    }

    #[test]
    fn the_browsers_seen_last_stay_signed_in() {
        let sessions = Sessions::default();
        let sign_in = || sessions.sign_in(Person { name: "a".to_string(), role: Role::Viewer, token: None });
        let (first, second) = (sign_in(), sign_in());
        assert!(sessions.find(&first).is_some());
        for _ in 2..=SESSIONS_MAX {
            sign_in();
        }
        assert!(sessions.find(&first).is_some() && sessions.find(&second).is_none());
    }
}
