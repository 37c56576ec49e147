//! `cardiograph serve`: the page on this host, and the server of a team.

use std::io::Write;
use std::process::{Command, Stdio};

use cardiograph_checkup::signals::Signals;
use cardiograph_core::message;
use cardiograph_core::text::plain;
use cardiograph_serve::{Listener, Retention, Server, Settings, Tls, TlsFiles, Way};

use crate::cli::ServeArguments;
use crate::exit::{DONE, Failure};
use crate::png;
use crate::records::{self, Records};
use crate::screen::Screen;
use crate::token;

/// Programs that open an address in the user's browser, in the order in which they are tried.
const OPENERS: [&str; 3] = ["xdg-open", "wslview", "open"];

/// Serves until a signal comes.
pub fn run(arguments: &ServeArguments, records: &Records, screen: &Screen) -> Result<u8, Failure> {
    let signals = Signals::listen()?;
    let listen = arguments.listen;
    let (way, tls) = way(arguments)?;
    let store = records.store()?;
    if way != Way::Plain && !token::has_admin(store.access())? {
        let store = records.file.as_ref().map(|_| format!(" --store {}", store.place().display()));
        let command = format!("cardiograph token add NAME --role admin{}", store.unwrap_or_default());
        return Err(Failure::usage(message!("serve-no-admin", command)));
    }
    let listener = Listener::bind(listen)
        .map_err(|error| Failure::usage(message!("serve-not-bound", address = listen.to_string(), error)))?;
    let (listener, language) = (listener.with_tls(tls), screen.language());
    let settings = Settings {
        way,
        retention: arguments
            .keep
            .zip(arguments.keep_newest)
            .map(|(age_ms, newest_per_drive)| Retention { age_ms, newest_per_drive }),
        listen: listener.address,
        hosts: arguments.host.iter().map(|host| host.to_ascii_lowercase()).collect(),
        allows_erase: arguments.allow_erase,
        language,
        png: png::render,
    };
    // Whoever started it may no longer read what it says.
    let say = Box::new(move |message: &_| {
        let _ = writeln!(std::io::stdout(), "{}", plain(&language.text(message)));
    });
    let server = Server::new(settings, store, say);
    let address = server.address();
    screen.say_message(&message!("serve-listening", address = address.as_str()));
    if arguments.open {
        open(&address, screen);
    }
    let served = listener.serve(&server, move || signals.received().is_some());
    served.map_err(|error| Failure::io(message!("serve-failed", error)))?;
    records::show_store_notes(records.store()?.as_ref(), screen);
    screen.say_message(&message!("serve-listening.ended"));
    Ok(DONE)
}

/// How browsers reach the server; other hosts only so that nobody can listen in.
fn way(arguments: &ServeArguments) -> Result<(Way, Option<Tls>), Failure> {
    let files = arguments.tls_cert.clone().zip(arguments.tls_key.clone());
    match files.map(|(certificate, key)| TlsFiles { certificate, key }) {
        Some(files) => Ok((Way::Tls, Some(Tls::open(files).map_err(Failure::usage)?))),
        None if arguments.behind_proxy => Ok((Way::Proxy, None)),
        None if arguments.listen.ip().is_loopback() => Ok((Way::Plain, None)),
        None => {
            let address = arguments.listen.to_string();
            Err(Failure::usage(message!("serve-not-alone", address)))
        }
    }
}

/// Opens the address in the user's browser.
fn open(address: &str, screen: &Screen) {
    let mut failed = None;
    for opener in OPENERS {
        let null = || Stdio::null();
        match Command::new(opener).arg(address).stdin(null()).stdout(null()).stderr(null()).spawn() {
            Ok(_) => return,
            Err(error) => failed = Some(error),
        }
    }
    if let Some(error) = failed {
        screen.complain_message(&message!("serve-listening.open-failed", error));
    }
}
