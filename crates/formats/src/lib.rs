//! Reports and jobs as text: for people, for other programs and for fio.
//!
//! Text in and out of the words of `cardiograph-core`. Nothing here opens a file, starts I/O or reads a clock: what
//! is written goes into a `String`, and what is read comes from one.
//!
//! Reading order: [`units`] (how figures are written) → [`text`] (a checkup in a terminal) → [`json`]
//! (a Report for programs) → [`fio_command`] (a job for fio) → [`fio`] (fio's command line, job files and outputs) →
//! [`diagnostics`] (what is wrong with a job) → [`tools`] (dd, hdparm and iozone: their arguments and outputs) → [`import`]
//! (what other programs print, as Reports) → [`shelf`] (what others published) → [`plot`] (pictures) → [`html`], [`markdown`]
//! and [`csv`] (a Report for a browser, an article, a spreadsheet).
#![forbid(unsafe_code)]

pub mod compare;
pub mod csv;
pub mod diagnostics;
pub mod fio;
pub mod fio_command;
pub mod html;
pub mod import;
pub mod json;
pub mod lang;
pub mod markdown;
pub mod method;
pub mod plot;
pub mod shelf;
pub mod text;
pub mod tools;
pub mod units;

mod nearest;
mod overview;

#[cfg(test)]
mod golden;
#[cfg(test)]
mod samples;
#[cfg(test)]
mod schema;
