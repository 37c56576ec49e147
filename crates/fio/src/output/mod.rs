//! A run as fio writes it: for people, in fields, and as JSON.
//!
//! Reading order: [`run`] (what is to be shown, and how jobs are merged) → [`numbers`] (one figure) and
//! `distributions` (many) → [`normal`], [`terse`] and [`json`] (the three outputs) → [`headline`] and [`eta`] (what is
//! said before and meanwhile).
//!
//! Everything is a pure function: times, names and process numbers are handed in. The text is that of fio 3.39, figure
//! by figure, because scripts take it apart. Where fio's figure misleads it stays in its place, and the better one
//! stands beside it: in the JSON under `cardiograph`, in the text on a line of that name.

mod disk;
mod distributions;
pub mod eta;
mod group;
pub mod headline;
pub mod json;
mod json_writer;
pub mod merge;
pub mod normal;
pub mod numbers;
pub mod run;
mod shown;
mod steady;
pub mod terse;

#[cfg(test)]
mod raspberry_pi;
#[cfg(test)]
mod recorded;
#[cfg(test)]
mod samples;
