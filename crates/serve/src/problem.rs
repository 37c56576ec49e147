//! Why a request is not done: a status, and a sentence.

use std::io::Write;

use axum::http::StatusCode;
use cardiograph_checkup::failure::{Failure, IO_FAILED, NeedsConsent};
use cardiograph_core::{Message, message};
use cardiograph_store::StoreError;
use cardiograph_store::select::SelectError;

/// Why a request is not done.
#[derive(Debug)]
pub struct Problem {
    pub status: StatusCode,
    pub messages: Vec<Message>,
    /// The consent that is missing, if that is all.
    pub needs: Option<Box<NeedsConsent>>,
    /// When to try again, in seconds, if that makes sense.
    pub retry_after_s: Option<u64>,
}

/// When to try again if the store is full or away, in seconds.
const STORE_RETRY_S: u64 = 30;

impl Problem {
    pub fn new(status: StatusCode, message: Message) -> Self {
        Self { status, messages: vec![message], needs: None, retry_after_s: None }
    }

    pub fn not_found(what: Message) -> Self {
        Self::new(StatusCode::NOT_FOUND, what)
    }

    pub fn bad(what: Message) -> Self {
        Self::new(StatusCode::BAD_REQUEST, what)
    }

    /// Not now: try again in some seconds.
    pub fn later(status: StatusCode, retry_after_s: u64, message: Message) -> Self {
        Self { retry_after_s: Some(retry_after_s), ..Self::new(status, message) }
    }

    /// A defect of the server: what it was stands on its terminal.
    pub fn internal(error: &dyn std::fmt::Display) -> Self {
        let _ = writeln!(std::io::stderr(), "cardiograph: {error}");
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, message!("serve-defect"))
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        let status = match &error {
            StoreError::NotFound { .. }
            | StoreError::BadId { .. }
            | StoreError::NoSuchDrive { .. }
            | StoreError::NoSuchPage { .. } => StatusCode::NOT_FOUND,
            StoreError::NotYours { .. } => StatusCode::CONFLICT,
            _ => return Self::later(StatusCode::SERVICE_UNAVAILABLE, STORE_RETRY_S, error.message()),
        };
        Self::new(status, error.message())
    }
}

impl From<SelectError> for Problem {
    fn from(error: SelectError) -> Self {
        match error {
            SelectError::Store(error) => error.into(),
            other => Self::not_found(other.message()),
        }
    }
}

impl From<Failure> for Problem {
    fn from(failure: Failure) -> Self {
        let status = match failure.code {
            _ if failure.needs.is_some() => StatusCode::PRECONDITION_REQUIRED,
            IO_FAILED => StatusCode::SERVICE_UNAVAILABLE,
            _ => StatusCode::UNPROCESSABLE_ENTITY,
        };
        let messages = failure.lines().cloned().collect();
        Self { status, messages, needs: failure.needs, retry_after_s: None }
    }
}
