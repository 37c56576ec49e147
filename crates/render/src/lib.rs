//! Reports, comparisons and lists as text, pages, tables and pictures.
//!
//! Nothing here opens a file, starts I/O or reads a clock: output goes into a `String`.
//!
//! Reading order: [`doc`] (documents for people, as data: Reports, comparisons, lists, and each medium) →
//! [`text`] (lines during a run) → [`plot`] (pictures) → [`html`] (pages) → [`csv`] and [`compare`] (for
//! programs).
#![forbid(unsafe_code)]

pub mod compare;
pub mod csv;
pub mod doc;
pub mod html;
pub mod lang;
pub mod method;
pub mod plot;
pub mod published;
pub mod text;

pub use doc::markdown;

mod gathered;
mod grid;

#[cfg(test)]
mod json;
#[cfg(test)]
mod samples;
#[cfg(test)]
mod schema;
