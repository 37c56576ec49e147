//! Sends checkups to a team's server.
//!
//! Reading order: [`Address`] and [`Token`] → [`Servers`] (the file that has them) → [`Client`] (one server) →
//! [`send_all`] (what is sent, and what stays in the store's outbox).
#![forbid(unsafe_code)]

mod address;
mod client;
mod outbox;
mod proxy;
mod servers;

pub use address::{Address, Token, is_like_a_token};
pub use client::{Client, Failed, Fate, Me};
pub use outbox::send_all;
pub use servers::{Server, Servers, file_of_servers};
