//! fio's outputs of a run: text for people, terse fields, and JSON.
//!
//! Reading order: [`run`] (the input, and how jobs are merged) → [`numbers`] (one figure) and `distributions` (many) →
//! [`normal`], [`terse`] and [`json`] (the three outputs) → [`headline`] and [`eta`] (before and during the run).
//!
//! Everything is a pure function of its input, including times and process numbers. The text matches fio 3.39 figure by
//! figure, because scripts parse it. A misleading figure of fio's stays, and a better one is added: in the JSON under
//! `cardiograph`, in the text on a `cardiograph` line.

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
