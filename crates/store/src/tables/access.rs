//! Tokens, the audit list, who sent a Report, what is to be sent, and what lists show of drives.

use cardiograph_catalogue::english;
use cardiograph_core::Report;
use cardiograph_core::message::with_english;
use cardiograph_core::report::json::report_line;
use sha2::{Digest, Sha256};

use super::{blob, sql, write};
use crate::access::{AuditEntry, KeptCard, Saved, Token, Unsent};
use crate::database::{Database, Row, Value, row, values};
use crate::trouble::Trouble;
use crate::{StoreError, error};

/// Databases count to 2^63 - 1.
fn number(number: u64) -> Value<'static> {
    Value::Integer(number.min(i64::MAX as u64) as i64)
}

/// Adds a token.
pub fn add_token(database: &dyn Database, token: &Token, sha256: &[u8]) -> Result<(), Trouble> {
    let Token { name, role, created_unix_ms, expires_unix_ms, .. } = token;
    let expires = expires_unix_ms.map_or(Value::Null, number);
    let all = [name.into(), role.into(), sha256.into(), number(*created_unix_ms), expires];
    match database.execute(sql::INSERT_TOKEN, &all)? {
        0 => Err(StoreError::TokenExists { name: name.clone() }.into()),
        _ => Ok(()),
    }
}

/// The token with this hash, or all.
pub fn tokens(database: &dyn Database, sha256: Option<&[u8]>) -> Result<Vec<Token>, Trouble> {
    let mut found = Vec::new();
    let mut each = |row: &Row<'_>| {
        let time = |at: usize| Ok::<_, Trouble>(row.integer_or_null(at)?.map(|ms| ms.max(0) as u64));
        found.push(Token {
            name: row.text(0)?.to_string(),
            role: row.text(1)?.to_string(),
            created_unix_ms: time(2)?.unwrap_or(0),
            expires_unix_ms: time(3)?,
            revoked_unix_ms: time(4)?,
            used_unix_ms: time(5)?,
        });
        Ok(())
    };
    match sha256 {
        Some(sha256) => {
            database.rows(&format!("{} WHERE hash = $1", sql::TOKENS), values![sha256], &mut each)?;
        }
        None => database.rows(&format!("{} ORDER BY name", sql::TOKENS), &[], &mut each)?,
    }
    Ok(found)
}

/// Changes the token with a name by a statement; `false` if there is none.
pub fn change_token(
    database: &dyn Database,
    statement: &str,
    name: &str,
    unix_ms: u64,
) -> Result<bool, Trouble> {
    Ok(database.execute(statement, &[name.into(), number(unix_ms)])? > 0)
}

/// Gives a token another secret, and notes it, within a transaction; `false` if there is none.
pub fn replace_token(
    database: &dyn Database,
    name: &str,
    sha256: &[u8],
    entry: &AuditEntry,
) -> Result<bool, Trouble> {
    let all = [name.into(), sha256.into(), number(entry.unix_ms)];
    let is_replaced = database.execute(sql::REPLACE_TOKEN, &all)? > 0;
    if is_replaced {
        note(database, entry)?;
    }
    Ok(is_replaced)
}

/// Adds an entry.
pub fn note(database: &dyn Database, entry: &AuditEntry) -> Result<(), Trouble> {
    let AuditEntry { unix_ms, who, what, subject, .. } = entry;
    let all = [number(*unix_ms), who.into(), what.into(), subject.into()];
    database.execute(sql::INSERT_AUDIT, &all).map(drop)
}

/// Entries, the newest first.
pub fn audit(database: &dyn Database, before: Option<u64>, limit: u64) -> Result<Vec<AuditEntry>, Trouble> {
    let mut found = Vec::new();
    database.rows(sql::AUDIT, &[number(before.unwrap_or(u64::MAX)), number(limit)], &mut |row| {
        found.push(AuditEntry {
            number: row.integer(0)?.max(0) as u64,
            unix_ms: row.integer(1)?.max(0) as u64,
            who: row.text(2)?.to_string(),
            what: row.text(3)?.to_string(),
            subject: row.text(4)?.to_string(),
        });
        Ok(())
    })?;
    Ok(found)
}

/// Deletes entries before a time.
pub fn prune_audit(database: &dyn Database, before_unix_ms: u64) -> Result<u64, Trouble> {
    database.execute(sql::PRUNE_AUDIT, &[number(before_unix_ms)])
}

/// Saves a Report that was sent, within a transaction.
pub fn save_from(
    database: &dyn Database,
    report: &Report,
    sender: &str,
    now_ms: i64,
) -> Result<Saved, Trouble> {
    error::check_id(&report.id)?;
    database.lock(&report.id)?;
    let digest = Sha256::digest(with_english(english, || report_line(report)));
    let known = row(database, sql::KNOWN, values![&report.id], |row| {
        let is_same =
            !matches!(row.cell(3)?, rusqlite::types::ValueRef::Null) && row.bytes(3)? == &digest[..];
        Ok((row.text_or_null(2)? == Some(sender), is_same))
    })?;
    let saved = match known {
        Some((false, _)) => return Err(StoreError::NotYours { id: report.id.clone() }.into()),
        Some((true, true)) => return Ok(Saved::Same),
        Some((true, false)) => Saved::Replaced,
        None => Saved::New,
    };
    write::report(database, report, now_ms)?;
    database.execute(sql::SET_SENDER, values![&report.id, sender, &digest[..]])?;
    Ok(saved)
}

/// Who sent a Report.
pub fn sender(database: &dyn Database, id: &str) -> Result<Option<String>, Trouble> {
    let found = row(database, sql::KNOWN, values![id], |row| Ok(row.text_or_null(2)?.map(str::to_string)))?;
    Ok(found.flatten())
}

/// The ids of the checkups before a time, without the newest ones of each drive.
pub fn prunable(database: &dyn Database, before_unix_ms: u64, keep: u64) -> Result<Vec<String>, Trouble> {
    let mut found = Vec::new();
    database.rows(sql::PRUNABLE, &[number(before_unix_ms), number(keep)], &mut |row| {
        found.push(row.text(0)?.to_string());
        Ok(())
    })?;
    Ok(found)
}

/// Notes what is to be sent.
pub fn add_to_outbox(
    database: &dyn Database,
    server: &str,
    ids: &[&str],
    now_ms: i64,
) -> Result<(), Trouble> {
    ids.iter().try_for_each(|id| {
        error::check_id(id)?;
        database.execute(sql::INSERT_UNSENT, values![server, *id, now_ms]).map(drop)
    })
}

/// What is to be sent, the first noted first.
pub fn outbox(database: &dyn Database) -> Result<Vec<Unsent>, Trouble> {
    let mut found = Vec::new();
    database.rows(sql::OUTBOX, &[], &mut |row| {
        found.push(Unsent { server: row.text(0)?.to_string(), id: row.text(1)?.to_string() });
        Ok(())
    })?;
    Ok(found)
}

/// Forgets what was to be sent.
pub fn remove_from_outbox(database: &dyn Database, unsent: &Unsent) -> Result<(), Trouble> {
    database.execute(sql::DELETE_UNSENT, values![&unsent.server, &unsent.id]).map(drop)
}

/// The kept cards of these drives. One that is damaged is missing: it is made again.
pub fn cards(database: &dyn Database, keys: &[&str]) -> Result<Vec<KeptCard>, Trouble> {
    let mut found = Vec::new();
    if keys.is_empty() {
        return Ok(found);
    }
    let values: Vec<Value<'_>> = keys.iter().map(|key| Value::Text(key)).collect();
    database.rows(&sql::among(sql::CARDS_OF, keys.len(), ""), &values, &mut |row| {
        if let Ok(json) = blob::json(row.bytes(2)?) {
            let (drive, made_of) = (row.text(0)?.to_string(), row.text(1)?.to_string());
            found.push(KeptCard { drive, made_of, json });
        }
        Ok(())
    })?;
    Ok(found)
}

/// Keeps cards.
pub fn keep_cards(database: &dyn Database, cards: &[KeptCard]) -> Result<(), Trouble> {
    cards.iter().try_for_each(|KeptCard { drive, made_of, json }| {
        database.execute(sql::UPSERT_CARD, values![drive, made_of, &blob::press(json)]).map(drop)
    })
}
