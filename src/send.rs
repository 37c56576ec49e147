//! `cardiograph send`, and `--send` of other commands: sends checkups to a team's server.

use std::collections::HashSet;
use std::path::Path;

use cardiograph_core::system_error::cause;
use cardiograph_core::{Parameter, Report, message};
use cardiograph_files::{input, system};
use cardiograph_send::{
    Address, Client, Failed, Fate, Server, Servers, Token, file_of_servers, is_like_a_token, send_all,
};
use cardiograph_store::select::select;
use cardiograph_store::{Store, StoreError};

use crate::cli::SendArguments;
use crate::exit::{DONE, Failure, IO_FAILED, SIGNAL_BASE};
use crate::keeper::Keeper;
use crate::records::{self, Records, select_failure};
use crate::screen::{self, Screen};

/// The value of `--send`: given or not, with an address or without.
pub type SendOption = Option<Option<String>>;

/// More than any file that has a token.
const TOKEN_LEN_BYTES_MAX: u64 = 64 << 10;

/// Makes a server known, sends the selected checkups, or those that could not be sent yet.
pub fn run(arguments: &SendArguments, records: &Records, screen: &Screen) -> Result<u8, Failure> {
    let file = arguments.token_file.iter().filter_map(|file| file.to_str());
    if arguments.selectors.iter().map(String::as_str).chain(file).any(is_like_a_token) {
        return Err(Failure::usage(message!("send-token-shown")));
    }
    let address = arguments.to.as_deref().map(parse_address).transpose()?;
    if let (Some(address), true) = (&address, arguments.selectors.is_empty()) {
        return make_known(address, arguments, screen);
    }
    let store = records.store()?;
    let is_all_sent = match arguments.selectors.is_empty() {
        true => send_waiting(store.as_ref(), records, screen)?,
        false => {
            let sender = Sender::new(address.as_ref(), records, screen)?;
            let ids = selected(&arguments.selectors, store.as_ref(), screen)?;
            sender.send(store.as_ref(), &ids, &mut |page| say_sent(page, screen), screen)?.is_all_sent()
        }
    };
    records::show_store_notes(store.as_ref(), screen);
    Ok(if is_all_sent { DONE } else { IO_FAILED })
}

fn parse_address(text: &str) -> Result<Address, Failure> {
    text.parse().map_err(Failure::usage)
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

fn say_sent(page: &str, screen: &Screen) {
    // The address is to be copied: the line is not broken.
    screen.say(&screen.language().text(&message!("send-done", page)));
}

/// Asks the server whose token this is, and writes both down.
fn make_known(address: &Address, arguments: &SendArguments, screen: &Screen) -> Result<u8, Failure> {
    let path = file_of_servers(|name| std::env::var_os(name)).map_err(Failure::usage)?;
    let mut servers = Servers::read(system(), &path).map_err(Failure::usage)?;
    let earlier = servers.find(Some(address)).ok();
    let ca = arguments.ca.as_ref().map(std::path::absolute).transpose();
    let ca = ca.map_err(|error| Failure::usage(cause(&error)))?;
    let server = Server {
        address: address.clone(),
        token: read_token(address, arguments.token_file.as_deref(), screen)?,
        ca: ca.or_else(|| earlier?.ca.clone()),
        proxy: earlier.and_then(|server| server.proxy.clone()),
    };
    let client = Client::new(&server, screen.language(), variable).map_err(Failure::usage)?;
    let me = client.me().map_err(|failed| Failure::io(failed.why))?;
    if me.cannot_send() {
        return Err(Failure::usage(message!("send-cannot", name = me.name, role = me.role)));
    }
    servers.put(server);
    servers.write(system(), &path).map_err(Failure::io)?;
    screen.say_message(&message!("send-ready", address = address.as_str(), name = me.name, role = me.role));
    Ok(DONE)
}

fn read_token(address: &Address, file: Option<&Path>, screen: &Screen) -> Result<Token, Failure> {
    let text = match file {
        Some(path) => {
            let unreadable = |error: std::io::Error| {
                Failure::usage(message!("input-unreadable", path, error = Parameter::from(cause(&error))))
            };
            let text = input::open(path).and_then(|file| {
                input::read_limited(file, TOKEN_LEN_BYTES_MAX, message!("input-kind.tokens"))
            });
            String::from_utf8_lossy(&text.map_err(unreadable)?).into_owned()
        }
        None => {
            let question =
                screen.language().text(&message!("send-token-question", address = address.as_str()));
            let answer = screen::ask_secret(&format!("{question} "));
            answer.ok_or_else(|| Failure::usage(message!("send-no-terminal")))?
        }
    };
    text.parse().map_err(Failure::usage)
}

/// The ids of the selected checkups, each once.
fn selected(selectors: &[String], store: &dyn Store, screen: &Screen) -> Result<Vec<String>, Failure> {
    let (mut ids, mut known) = (Vec::new(), HashSet::new());
    for selector in selectors {
        let found = select(selector, store);
        records::show_store_notes(store, screen);
        let found = found.map_err(|error| select_failure(selector, error))?;
        ids.extend(found.into_iter().map(|run| run.id.to_string()).filter(|id| known.insert(id.clone())));
    }
    Ok(ids)
}

/// Sends what could not be sent yet, to each server. Returns whether nothing is left.
fn send_waiting(store: &dyn Store, records: &Records, screen: &Screen) -> Result<bool, Failure> {
    let waiting = store.access().outbox()?;
    let mut addresses: Vec<&str> = Vec::new();
    for unsent in &waiting {
        if !addresses.contains(&unsent.server.as_str()) {
            addresses.push(&unsent.server);
        }
    }
    if waiting.is_empty() {
        screen.say_message(&message!("send-nothing"));
    }
    let mut is_all_sent = true;
    for address in addresses {
        let of_server = waiting.iter().filter(|unsent| unsent.server == address);
        let ids: Vec<String> = of_server.map(|unsent| unsent.id.clone()).collect();
        match Sender::new(Some(&parse_address(address)?), records, screen) {
            Ok(sender) => {
                let done = sender.send(store, &ids, &mut |page| say_sent(page, screen), screen)?;
                is_all_sent &= done.is_all_sent();
            }
            // One that is no longer known does not hold up the others.
            Err(failure) => {
                failure.lines().for_each(|line| screen.complain_message(line));
                is_all_sent = false;
            }
        }
    }
    Ok(is_all_sent)
}

/// What came of sending.
#[derive(Debug, Default, Clone, Copy)]
struct Done {
    refused: usize,
    kept: usize,
}

impl Done {
    fn is_all_sent(self) -> bool {
        self.refused + self.kept == 0
    }
}

/// Sends the Report of a checkup that has ended, unless its drive hangs, it is not saved, or a signal wants the program to
/// end. Returns the exit code.
pub fn saved(
    sender: Option<&Sender>,
    keeper: &Keeper,
    report: &Report,
    is_sendable: bool,
    (code, screen): (u8, &Screen),
) -> u8 {
    match (sender, &keeper.store) {
        (Some(sender), Some(store)) if is_sendable && code < SIGNAL_BASE => {
            sender.send_saved(store.as_ref(), std::slice::from_ref(&report.id), code, screen)
        }
        (Some(sender), Some(_)) => {
            sender.leave(screen);
            code
        }
        _ => code,
    }
}

/// Sends to one server.
pub struct Sender {
    client: Client,
    /// The command that sends what could not be sent.
    command: String,
}

impl Sender {
    /// Sends to the server of `--send`, if that is given.
    pub fn of(option: &SendOption, records: &Records, screen: &Screen) -> Result<Option<Self>, Failure> {
        let Some(address) = option else { return Ok(None) };
        let address = address.as_deref().map(parse_address).transpose()?;
        Self::new(address.as_ref(), records, screen).map(Some)
    }

    /// Sends to the server with an address, or to the first.
    fn new(address: Option<&Address>, records: &Records, screen: &Screen) -> Result<Self, Failure> {
        let path = file_of_servers(|name| std::env::var_os(name)).map_err(Failure::usage)?;
        let servers = Servers::read(system(), &path).map_err(Failure::usage)?;
        let server = servers.find(address).map_err(Failure::usage)?;
        let client = Client::new(server, screen.language(), variable).map_err(Failure::usage)?;
        Ok(Self { client, command: records.command("cardiograph send") })
    }

    /// The server, as it stands in the outbox.
    pub fn server(&self) -> String {
        self.client.address().to_string()
    }

    /// Says before a checkup if it could not be sent: then there is time to do something about it.
    pub fn try_send(&self, screen: &Screen) {
        let error = match self.client.me() {
            Ok(me) if me.cannot_send() => message!("send-cannot", name = me.name, role = me.role),
            Ok(_) => return,
            Err(Failed { why, .. }) => why,
        };
        screen.complain_message(&message!("send-early", error));
    }

    /// Sends checkups that were saved just now, and earlier ones that could not be sent. Returns the exit code: that of
    /// the command, unless one is refused.
    pub fn send_saved(&self, store: &dyn Store, ids: &[String], code: u8, screen: &Screen) -> u8 {
        let send = || -> Result<Done, Failure> {
            let server = self.server();
            let waiting = store.access().outbox()?.into_iter();
            let earlier = waiting.filter(|unsent| unsent.server == server && !ids.contains(&unsent.id));
            let earlier: Vec<String> = earlier.map(|unsent| unsent.id).collect();
            let all = [ids, &earlier].concat();
            let mut sent = 0;
            let done = self.send(
                store,
                &all,
                &mut |page| {
                    sent += 1;
                    if sent <= ids.len() {
                        say_sent(page, screen);
                    }
                },
                screen,
            )?;
            if sent > ids.len() {
                screen.say_message(&message!("send-earlier", checkups = sent - ids.len()));
            }
            Ok(done)
        };
        match send() {
            Ok(done) if done.refused > 0 && code == DONE => IO_FAILED,
            Ok(_) => code,
            Err(failure) => {
                failure.lines().for_each(|line| screen.complain_message(line));
                if code == DONE { failure.code } else { code }
            }
        }
    }

    /// Says that a checkup stays in the outbox: its drive hangs, or somebody wants the program to end.
    pub fn leave(&self, screen: &Screen) {
        let command = self.command.as_str();
        screen.say(&screen.language().text(&message!("send-not-tried", command)));
    }

    fn send(
        &self,
        store: &dyn Store,
        ids: &[String],
        say_page: &mut dyn FnMut(&str),
        screen: &Screen,
    ) -> Result<Done, StoreError> {
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        let (mut done, mut all_kept) = (Done::default(), None);
        let untried = send_all(&self.client, store, &ids, &mut |id, sent| match sent {
            Ok(page) => say_page(&page),
            Err(Failed { why: error, fate: Fate::Refused }) => {
                done.refused += 1;
                screen.complain_message(&message!("send-refused", id, error));
            }
            Err(Failed { why: error, fate: Fate::Kept }) => {
                done.kept += 1;
                screen.complain_message(&message!("send-kept", id, error));
            }
            Err(Failed { why, fate: Fate::AllKept }) => all_kept = Some(why),
        })?;
        if let Some(error) = all_kept {
            let (checkups, command) = (untried + 1, self.command.as_str());
            done.kept += checkups;
            screen.complain_message(&message!("send-later", checkups, error, command));
        }
        Ok(done)
    }
}
