//! Why an operation failed, before the store is named.

use std::error::Error as _;
use std::io;
use std::path::Path;

use cardiograph_core::{Message, message};
use rusqlite::{ErrorCode, ffi};
use tokio_postgres::error::SqlState;

use crate::StoreError;
use crate::error::database_error;

/// Why an operation failed.
#[derive(Debug)]
pub enum Trouble {
    Sqlite(rusqlite::Error),
    Postgres(tokio_postgres::Error),
    /// A server did not answer in time.
    Silent,
    Store(StoreError),
    /// More rows than any real store has.
    TooLarge,
}

impl From<rusqlite::Error> for Trouble {
    fn from(error: rusqlite::Error) -> Self {
        Trouble::Sqlite(error)
    }
}

impl From<tokio_postgres::Error> for Trouble {
    fn from(error: tokio_postgres::Error) -> Self {
        Trouble::Postgres(error)
    }
}

impl From<StoreError> for Trouble {
    fn from(error: StoreError) -> Self {
        Trouble::Store(error)
    }
}

impl Trouble {
    /// The file is damaged, whatever SQLite says.
    pub fn damaged(reason: Message) -> Self {
        StoreError::Damaged { id: String::new(), reason }.into()
    }

    /// Whether the file is damaged: SQLite says so, or a row's content is not what was written.
    pub fn is_damage(&self) -> bool {
        use rusqlite::Error::{
            FromSqlConversionFailure, IntegralValueOutOfRange, InvalidColumnType, SqlInputError,
            SqliteFailure, Utf8Error,
        };
        // A query that does not end is not from our store.
        const CODES: [ErrorCode; 3] =
            [ErrorCode::DatabaseCorrupt, ErrorCode::NotADatabase, ErrorCode::OperationInterrupted];
        match self {
            Trouble::Store(error) => matches!(error, StoreError::Damaged { .. }),
            Trouble::Sqlite(error) => match error {
                InvalidColumnType(..)
                | FromSqlConversionFailure(..)
                | IntegralValueOutOfRange(..)
                | Utf8Error(..) => true,
                // All our SQL fits the schema, so a missing table or column means that its name was damaged.
                SqlInputError { error, .. } | SqliteFailure(error, _)
                    if error.extended_code == ffi::SQLITE_ERROR =>
                {
                    true
                }
                _ => self.code().is_some_and(|code| CODES.contains(&code)),
            },
            Trouble::Postgres(_) | Trouble::Silent | Trouble::TooLarge => false,
        }
    }

    pub fn code(&self) -> Option<ErrorCode> {
        let Trouble::Sqlite(error) = self else { return None };
        error.sqlite_error_code()
    }

    /// The error without its file.
    pub fn reason(&self) -> Message {
        match self {
            _ if self.code() == Some(ErrorCode::OperationInterrupted) => message!("store-damage.endless"),
            Trouble::Sqlite(error) => Message::verbatim(error.to_string()),
            Trouble::Store(StoreError::Damaged { id, reason }) if id.is_empty() => reason.clone(),
            Trouble::Store(error) => error.message(),
            Trouble::Postgres(error) => Message::verbatim(words_of(error)),
            Trouble::Silent => message!("store-server.silent"),
            Trouble::TooLarge => message!("store-damage.too-large"),
        }
    }

    pub fn into_store_error(self, file: &Path) -> StoreError {
        match self {
            Trouble::Store(error) => error,
            Trouble::Sqlite(source) if source.sqlite_error_code() != Some(ErrorCode::TooBig) => {
                database_error(file, &source)
            }
            Trouble::Postgres(_) | Trouble::Silent => {
                StoreError::Failed(message!("store-database", path = file, error = self.reason()))
            }
            _ => StoreError::Failed(message!("store-too-large", path = file)),
        }
    }

    /// Whether the connection is of no use any more: the server ended it, or does not answer.
    pub fn is_lost(&self) -> bool {
        match self {
            Trouble::Silent => true,
            Trouble::Postgres(error) => match error.code() {
                Some(code) => is_ending(code),
                None => error.is_closed() || error.source().is_some_and(|source| source.is::<io::Error>()),
            },
            _ => false,
        }
    }

    /// Whether the server is starting up.
    pub fn is_early(&self) -> bool {
        matches!(self, Trouble::Postgres(error) if error.code() == Some(&SqlState::CANNOT_CONNECT_NOW))
    }

    /// Whether two transactions were in each other's way, and one was rolled back.
    pub fn is_conflict(&self) -> bool {
        const CODES: [SqlState; 2] = [SqlState::T_R_DEADLOCK_DETECTED, SqlState::T_R_SERIALIZATION_FAILURE];
        matches!(self, Trouble::Postgres(error) if error.code().is_some_and(|code| CODES.contains(code)))
    }
}

/// The server is stopped, or ends this connection.
fn is_ending(code: &SqlState) -> bool {
    [SqlState::ADMIN_SHUTDOWN, SqlState::CRASH_SHUTDOWN, SqlState::CANNOT_CONNECT_NOW].contains(code)
}

/// What the server says, or the crate and the system. It names no password.
pub fn words_of(error: &tokio_postgres::Error) -> String {
    match (error.as_db_error(), error.source()) {
        (Some(server), _) => server.message().to_string(),
        (None, Some(source)) => format!("{error}: {source}"),
        (None, None) => error.to_string(),
    }
}
