//! `cardiograph serve`: the page, on this host.

use std::io::Write;
use std::process::{Command, Stdio};

use cardiograph_checkup::signals::Signals;
use cardiograph_core::message;
use cardiograph_core::text::plain;
use cardiograph_serve::{Listener, Server, Settings};

use crate::cli::ServeArguments;
use crate::exit::{DONE, Failure};
use crate::png;
use crate::records::{self, Records};
use crate::screen::Screen;

/// Programs that open an address in the user's browser, in the order in which they are tried.
const OPENERS: [&str; 3] = ["xdg-open", "wslview", "open"];

/// Serves until a signal comes.
pub fn run(arguments: &ServeArguments, records: &Records, screen: &Screen) -> Result<u8, Failure> {
    let signals = Signals::listen()?;
    let listen = arguments.listen;
    if !listen.ip().is_loopback() {
        return Err(Failure::usage(message!("serve-not-alone", address = listen.to_string())));
    }
    let store = records.store()?;
    let listener = Listener::bind(listen)
        .map_err(|error| Failure::usage(message!("serve-not-bound", address = listen.to_string(), error)))?;
    let language = screen.language();
    let settings = Settings {
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
