//! What is kept with the Reports: on a team's server who may do what, and who did; elsewhere what is to be sent to one.

use cardiograph_core::Report;

use crate::StoreError;

/// A token, without its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// Unique name.
    pub name: String,
    /// What its owner may do: a word of the server.
    pub role: String,
    /// When it was made, in milliseconds since 1970, as all times here.
    pub created_unix_ms: u64,
    /// When it ends; `None`: never.
    pub expires_unix_ms: Option<u64>,
    /// When it was revoked.
    pub revoked_unix_ms: Option<u64>,
    /// When it was last used.
    pub used_unix_ms: Option<u64>,
}

/// An entry of the audit list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEntry {
    /// Its number: later entries have higher ones.
    pub number: u64,
    /// When, in milliseconds since 1970.
    pub unix_ms: u64,
    /// Who: the name of a token.
    pub who: String,
    /// What was done.
    pub what: String,
    /// To what.
    pub subject: String,
}

/// What lists show of a drive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptCard {
    /// The drive's key.
    pub drive: String,
    /// By which program it was made, and from which checkups.
    pub made_of: String,
    /// Its content.
    pub json: Vec<u8>,
}

/// A checkup that is to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unsent {
    /// The address of the server.
    pub server: String,
    /// The checkup's id. It need not exist.
    pub id: String,
}

/// What the audit list knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deed {
    /// Somebody signed in.
    SignIn,
    /// A token was made.
    TokenAdded,
    /// A token was revoked.
    TokenRevoked,
    /// A token got a new secret.
    TokenReplaced,
    /// A checkup was started from a page.
    CheckupStarted,
    /// A checkup was stopped from a page.
    CheckupStopped,
    /// A checkup was removed.
    CheckupRemoved,
    /// A drive was removed with its checkups.
    DriveRemoved,
    /// Two drives were joined.
    DrivesJoined,
    /// Joined drives were separated.
    DrivesSeparated,
    /// Old checkups were removed by the rule of retention.
    Retention,
}

impl Deed {
    /// All.
    pub const ALL: [Self; 11] = [
        Self::SignIn,
        Self::TokenAdded,
        Self::TokenRevoked,
        Self::TokenReplaced,
        Self::CheckupStarted,
        Self::CheckupStopped,
        Self::CheckupRemoved,
        Self::DriveRemoved,
        Self::DrivesJoined,
        Self::DrivesSeparated,
        Self::Retention,
    ];

    /// Its name in the list.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SignIn => "sign-in",
            Self::TokenAdded => "token-added",
            Self::TokenRevoked => "token-revoked",
            Self::TokenReplaced => "token-replaced",
            Self::CheckupStarted => "checkup-started",
            Self::CheckupStopped => "checkup-stopped",
            Self::CheckupRemoved => "checkup-removed",
            Self::DriveRemoved => "drive-removed",
            Self::DrivesJoined => "drives-joined",
            Self::DrivesSeparated => "drives-separated",
            Self::Retention => "retention",
        }
    }
}

impl AuditEntry {
    /// What somebody does now.
    pub fn now(who: &str, deed: Deed, subject: impl Into<String>) -> Self {
        Self {
            number: 0,
            unix_ms: crate::clock::now_unix_ms() as u64,
            who: who.to_string(),
            what: deed.name().to_string(),
            subject: subject.into(),
        }
    }
}

/// How the secret of each token begins, so that it is noticed where it should not be.
pub const TOKEN_BEGIN: &str = "cg_";
/// Hexadecimal digits after that.
pub const TOKEN_DIGITS: usize = 64;

/// Whether a text has the form of a token's secret.
pub fn is_token(text: &str) -> bool {
    text.strip_prefix(TOKEN_BEGIN).is_some_and(|digits| {
        digits.len() == TOKEN_DIGITS && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
    })
}

impl Token {
    /// Whether it can be used at this time, in milliseconds since 1970.
    pub fn is_valid_at(&self, unix_ms: u64) -> bool {
        self.revoked_unix_ms.is_none() && self.expires_unix_ms.is_none_or(|expires| unix_ms < expires)
    }
}

/// What saving a Report that was sent came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Saved {
    /// There was none with its id.
    New,
    /// The same Report was sent before. Nothing was written.
    Same,
    /// It replaced an earlier one of the same sender.
    Replaced,
}

/// What is kept with the Reports.
pub trait Access: Send + Sync {
    /// Adds a token, not revoked and not used yet, by the SHA-256 of its secret.
    ///
    /// # Errors
    /// [`StoreError::TokenExists`] for a name that is in use.
    fn add_token(&self, token: &Token, sha256: &[u8; 32]) -> Result<(), StoreError>;

    /// The token whose secret has this SHA-256; also one that has expired or was revoked.
    ///
    /// # Errors
    /// When the store cannot be read.
    fn token(&self, sha256: &[u8; 32]) -> Result<Option<Token>, StoreError>;

    /// All tokens, by name.
    ///
    /// # Errors
    /// When the store cannot be read.
    fn tokens(&self) -> Result<Vec<Token>, StoreError>;

    /// Notes that a token was used.
    ///
    /// # Errors
    /// When the system refuses.
    fn use_token(&self, name: &str, unix_ms: u64) -> Result<(), StoreError>;

    /// Revokes a token; `false` if there is none that is not revoked.
    ///
    /// # Errors
    /// When the system refuses.
    fn revoke_token(&self, name: &str, unix_ms: u64) -> Result<bool, StoreError>;

    /// Gives a token another secret, by its SHA-256, and notes it with `entry`: both or nothing. The earlier secret has
    /// ended, also if it was revoked; `false` if there is no such token.
    ///
    /// # Errors
    /// When the system refuses.
    fn replace_token(&self, name: &str, sha256: &[u8; 32], entry: &AuditEntry) -> Result<bool, StoreError>;

    /// Adds an entry to the audit list. Its number is ignored.
    ///
    /// # Errors
    /// When the system refuses.
    fn note(&self, entry: &AuditEntry) -> Result<(), StoreError>;

    /// Entries, the newest first: at most `limit`, with numbers below `before`.
    ///
    /// # Errors
    /// When the store cannot be read.
    fn audit(&self, before: Option<u64>, limit: u64) -> Result<Vec<AuditEntry>, StoreError>;

    /// Deletes the entries before a time. Returns their number.
    ///
    /// # Errors
    /// When the system refuses.
    fn prune_audit(&self, before_unix_ms: u64) -> Result<u64, StoreError>;

    /// Saves a Report that `sender` sent.
    ///
    /// # Errors
    /// [`StoreError::NotYours`] when another sender, or nobody, sent the one with its id; as
    /// [`Store::save`](crate::Store::save).
    fn save_from(&self, report: &Report, sender: &str) -> Result<Saved, StoreError>;

    /// Who sent a Report; `None`: nobody, or there is none.
    ///
    /// # Errors
    /// When the store cannot be read.
    fn sender(&self, id: &str) -> Result<Option<String>, StoreError>;

    /// Removes the checkups before a time except for the newest ones of each drive. Returns their number.
    ///
    /// # Errors
    /// When the system refuses. Some are removed then.
    fn prune(&self, before_unix_ms: u64, keep_newest_per_drive: u64) -> Result<u64, StoreError>;

    /// Notes that checkups are to be sent to a server; those that are noted stay where they are in the order.
    ///
    /// # Errors
    /// When the system refuses.
    fn add_to_outbox(&self, server: &str, ids: &[&str]) -> Result<(), StoreError>;

    /// What is to be sent, the first noted first.
    ///
    /// # Errors
    /// When the store cannot be read.
    fn outbox(&self) -> Result<Vec<Unsent>, StoreError>;

    /// A checkup is no longer to be sent.
    ///
    /// # Errors
    /// When the system refuses.
    fn remove_from_outbox(&self, unsent: &Unsent) -> Result<(), StoreError>;

    /// The kept cards of drives, by their keys, in any order. A drive has none after one of its checkups was saved or
    /// removed.
    ///
    /// # Errors
    /// When the store cannot be read.
    fn cards(&self, drives: &[&str]) -> Result<Vec<KeptCard>, StoreError>;

    /// Keeps cards, each instead of the drive's earlier one.
    ///
    /// # Errors
    /// When the system refuses.
    fn keep_cards(&self, cards: &[KeptCard]) -> Result<(), StoreError>;
}
