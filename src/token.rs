//! `cardiograph token`: who may use the server of a store.

use cardiograph_checkup::checkup::unix_ms;
use cardiograph_core::nearest::suggestion;
use cardiograph_core::{Message, message};
use cardiograph_render::doc::{Cell, Column, Doc, Node, Row, Table, when};
use cardiograph_serve::{Role, new_token};
use cardiograph_store::{Access, AuditEntry, Deed, Token};
use serde_json::json;

use crate::cli::{DataExports, TokenCommand};
use crate::exit::{DONE, Failure};
use crate::export::Exports;
use crate::records::Records;
use crate::screen::Screen;
use crate::stdout;

/// Who uses the command line, in the audit list. No token has this name: names have no spaces.
pub const WHO: &str = "command line";

/// Makes, lists, revokes or replaces tokens.
pub fn run(command: &TokenCommand, records: &Records, screen: &Screen) -> Result<u8, Failure> {
    let store = records.store()?;
    let access = store.access();
    match command {
        TokenCommand::Add { name, role, expires } => {
            let token = Token {
                name: name.clone(),
                role: role.name().to_string(),
                created_unix_ms: unix_ms(),
                expires_unix_ms: expires.map(|ms| unix_ms().saturating_add(ms)),
                revoked_unix_ms: None,
                used_unix_ms: None,
            };
            let (secret, hash) = new_token();
            access.add_token(&token, &hash)?;
            access.note(&AuditEntry::now(WHO, Deed::TokenAdded, name))?;
            print(&secret, &token, screen)?;
        }
        TokenCommand::List(data) => list(&access.tokens()?, data, screen)?,
        TokenCommand::Revoke { name } => {
            let token = find(access, name)?;
            if !access.revoke_token(&token.name, unix_ms())? {
                return Err(Failure::usage(message!("token-revoked-before", name)));
            }
            access.note(&AuditEntry::now(WHO, Deed::TokenRevoked, name))?;
            screen.say_message(&message!("token-revoked", name));
        }
        TokenCommand::Replace { name } => {
            let token = find(access, name)?;
            let (secret, hash) = new_token();
            access.replace_token(&token.name, &hash, &AuditEntry::now(WHO, Deed::TokenReplaced, name))?;
            print(&secret, &token, screen)?;
        }
    }
    Ok(DONE)
}

/// Prints the secret of a token: on standard output nothing else.
fn print(secret: &str, token: &Token, screen: &Screen) -> Result<(), Failure> {
    screen.say_message(&message!("token-made", name = &token.name, role = &token.role));
    stdout::write(format!("{secret}\n").as_bytes()).map(drop)
}

fn find(access: &dyn Access, name: &str) -> Result<Token, Failure> {
    let mut tokens = access.tokens()?;
    match tokens.iter().position(|token| token.name == name) {
        Some(at) => Ok(tokens.swap_remove(at)),
        None => {
            let names: Vec<&str> = tokens.iter().map(|token| token.name.as_str()).collect();
            let hint = suggestion(name, &names);
            Err(Failure::usage(message!("token-unknown", name, hint)))
        }
    }
}

/// Whether somebody could sign in who may do everything.
pub fn has_admin(access: &dyn Access) -> Result<bool, Failure> {
    let is_admin = |token: &Token| token.role == Role::Admin.name() && token.is_valid_at(unix_ms());
    Ok(access.tokens()?.iter().any(is_admin))
}

fn list(tokens: &[Token], data: &DataExports, screen: &Screen) -> Result<(), Failure> {
    let exports = Exports::open(data.files())?;
    let none = tokens.is_empty().then(|| Node::paragraph(message!("token-none")));
    let table = Table {
        caption: None,
        names: Some(message!("token-column.name")),
        columns: vec![
            Column::text(message!("token-column.role"), 0),
            Column::text(message!("token-column.state"), 0),
            Column::text(message!("token-column.used"), 0),
        ],
        rows: tokens.iter().map(row).collect(),
        notes: Vec::new(),
    };
    let to_json = || {
        let all: Vec<_> = tokens
            .iter()
            .map(|token| {
                json!({
                    "name": token.name,
                    "role": token.role,
                    "created_unix_ms": token.created_unix_ms,
                    "expires_unix_ms": token.expires_unix_ms,
                    "revoked_unix_ms": token.revoked_unix_ms,
                    "used_unix_ms": token.used_unix_ms,
                })
            })
            .collect();
        format!("{:#}\n", json!(all))
    };
    exports.show(&Doc::untitled(none.into_iter().chain([Node::Table(table)]).collect()), to_json, screen)
}

fn row(token: &Token) -> Row {
    let at = |ms: u64| when(ms).unwrap_or_default();
    let used = match token.used_unix_ms {
        Some(ms) => Message::verbatim(at(ms)),
        None => message!("token-state.never"),
    };
    let role = Message::verbatim(token.role.as_str());
    let cells = [role, state(token), used].map(Cell::Text).to_vec();
    Row { name: Message::verbatim(token.name.as_str()), depth: 0, cells }
}

/// Whether a token can be used, and until when.
fn state(token: &Token) -> Message {
    let at = |ms: u64| when(ms).unwrap_or_default();
    match (token.revoked_unix_ms, token.expires_unix_ms) {
        (Some(ms), _) => message!("token-state.revoked", when = at(ms)),
        (None, Some(ms)) if ms <= unix_ms() => message!("token-state.expired", when = at(ms)),
        (None, Some(ms)) => message!("token-state.until", when = at(ms)),
        (None, None) => message!("token-state.valid"),
    }
}
