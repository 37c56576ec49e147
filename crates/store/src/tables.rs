//! The tables of a store, in every database: what is written to them, and how it is read.

pub mod access;
pub mod blob;
pub mod digest;
pub mod drives;
pub mod figures;
pub mod listed;
pub mod read;
pub mod schema;
pub mod sql;
pub mod write;
