//! Reports, comparisons and lists as text, pages, tables and pictures.
//!
//! Nothing here opens a file, starts I/O or reads a clock: what is written goes into a `String`.
//!
//! Reading order: [`text`] (a checkup in a terminal) → [`compare`] (groups of runs beside each other) → [`plot`] (pictures) →
//! [`html`], [`markdown`] and [`csv`] (a Report for a browser, an article, a spreadsheet).
#![forbid(unsafe_code)]

pub mod compare;
pub mod csv;
pub mod doc;
pub mod html;
pub mod lang;
pub mod markdown;
pub mod method;
pub mod plot;
pub mod published;
pub mod text;

mod gathered;
mod grid;
mod overview;

#[cfg(test)]
mod json;
#[cfg(test)]
mod samples;
#[cfg(test)]
mod schema;
