//! Tokens: who brings one. The store is asked again after some seconds, so that one that was revoked ends.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use cardiograph_checkup::checkup::unix_ms;
use cardiograph_store::{Access, StoreError, TOKEN_BEGIN, is_token};

use crate::sessions::{Hash, Person, hash, new_secret};

/// How long an answer of the store is believed.
const BELIEVED: Duration = Duration::from_secs(5);
/// Answers that are kept: as many senders as there may be, and some who guess.
const KNOWN_MAX: usize = 2_000;
/// How often the time of a token's last use is noted.
const NOTED_EACH_MS: u64 = 60_000;
/// The longest name of a token, in bytes.
const NAME_LEN_BYTES_MAX: usize = 64;

/// The tokens that were brought a moment ago.
#[derive(Debug, Default)]
pub struct Tokens(Mutex<HashMap<Hash, Known>>);

#[derive(Debug)]
struct Known {
    owner: Option<Person>,
    asked: Instant,
}

/// A new secret of a token, and its hash.
pub fn new_token() -> (String, Hash) {
    let secret = format!("{TOKEN_BEGIN}{}", new_secret());
    let hash = hash(&secret);
    (secret, hash)
}

/// Whether a token may have this name: one that needs no quotes and means nothing else in the audit list.
pub fn is_token_name(name: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    !name.is_empty()
        && name.len() <= NAME_LEN_BYTES_MAX
        && !name.starts_with('-')
        && name.bytes().all(allowed)
}

/// The hash of a text that could be the secret of a token.
pub fn hash_of(secret: &str) -> Option<Hash> {
    is_token(secret).then(|| hash(secret))
}

impl Tokens {
    /// What the store said of a token a moment ago, if it was asked.
    pub fn known(&self, hash: &Hash) -> Option<Option<Person>> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(hash).filter(|known| known.asked.elapsed() < BELIEVED).map(|known| known.owner.clone())
    }

    /// Keeps what the store said.
    pub fn learn(&self, hash: Hash, owner: Option<Person>) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= KNOWN_MAX {
            known.retain(|_, known| known.asked.elapsed() < BELIEVED);
        }
        if known.len() < KNOWN_MAX {
            known.insert(hash, Known { owner, asked: Instant::now() });
        }
    }

    /// Forgets all: one was changed here.
    pub fn forget(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

/// Who brings the token with this hash, in the store; its use is noted.
///
/// # Errors
/// When the store cannot be read.
pub fn owner_in(access: &dyn Access, hash: Hash) -> Result<Option<Person>, StoreError> {
    let now_ms = unix_ms();
    let Some(token) = access.token(&hash)?.filter(|token| token.is_valid_at(now_ms)) else { return Ok(None) };
    if token.used_unix_ms.is_none_or(|used_ms| used_ms + NOTED_EACH_MS <= now_ms) {
        // A full disk keeps nobody from reading.
        let _ = access.use_token(&token.name, now_ms);
    }
    // A role of a later version is none here.
    Ok(token.role.parse().ok().map(|role| Person { name: token.name, role, token: Some(hash) }))
}
