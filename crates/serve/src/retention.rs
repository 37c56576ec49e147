//! Old checkups are removed by a rule, at the start and each hour.

use std::sync::{Arc, Weak};
use std::time::Duration;

use cardiograph_checkup::checkup::unix_ms;
use cardiograph_core::message;
use cardiograph_store::Deed;

use crate::server::{Retention, Server};

/// How often old checkups are looked for.
const EACH: Duration = Duration::from_secs(3_600);
/// Who does it, in the audit list: no token has this name.
const WHO: &str = "this server";

/// Removes what is older than the rule of a server says, as long as the server lives.
pub async fn keep(server: Weak<Server>) {
    let mut turn = tokio::time::interval(EACH);
    loop {
        turn.tick().await;
        let Some(server) = server.upgrade() else { return };
        let Some(rule) = server.settings.retention else { return };
        prune(&server, rule).await;
    }
}

/// Removes once. Returns the number.
pub async fn prune(server: &Arc<Server>, Retention { age_ms, newest_per_drive }: Retention) -> u64 {
    let before_ms = unix_ms().saturating_sub(age_ms);
    match server.ask(move |store| store.access().prune(before_ms, newest_per_drive)).await {
        Ok(0) => 0,
        Ok(removed) => {
            server.note(WHO, Deed::Retention, &removed.to_string()).await;
            server.say(&message!("serve-pruned", checkups = removed));
            removed
        }
        Err(problem) => {
            problem.messages.iter().for_each(|message| server.say(message));
            0
        }
    }
}
