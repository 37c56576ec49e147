//! What is to be sent: it stays in the store's outbox until the server has it.

use cardiograph_core::message;
use cardiograph_store::{Store, StoreError, Unsent};

use crate::{Client, Failed, Fate};

/// Sends saved checkups, each noted in the outbox before it is tried, and calls `each` with the id and what came of it: the
/// address of its page, or the failure. Returns how many were left untried, because none could be sent any more.
///
/// # Errors
/// When the store cannot be read or written. What was not sent yet stays in the outbox.
pub fn send_all(
    client: &Client,
    store: &dyn Store,
    ids: &[&str],
    each: &mut dyn FnMut(&str, Result<String, Failed>),
) -> Result<usize, StoreError> {
    let (access, server) = (store.access(), client.address().as_str());
    access.add_to_outbox(server, ids)?;
    for (number, id) in ids.iter().enumerate() {
        let unsent = Unsent { server: server.to_string(), id: id.to_string() };
        let sent = match store.load(id) {
            Ok(report) => client.send(&report),
            // Removed, or never saved since the program was killed: nothing to send.
            Err(StoreError::NotFound { .. }) => {
                access.remove_from_outbox(&unsent)?;
                continue;
            }
            // A repair, or a later version of the program, may read it.
            Err(
                error @ (StoreError::Damaged { .. }
                | StoreError::Unreadable { .. }
                | StoreError::TooNew { .. }),
            ) => {
                let why = message!("send-unread", id = *id, error = error.message());
                Err(Failed { why, fate: Fate::Kept })
            }
            Err(error) => return Err(error),
        };
        let fate = sent.as_ref().err().map(|failed| failed.fate);
        if matches!(fate, None | Some(Fate::Refused)) {
            access.remove_from_outbox(&unsent)?;
        }
        each(id, sent);
        if fate == Some(Fate::AllKept) {
            return Ok(ids.len() - number - 1);
        }
    }
    Ok(0)
}
