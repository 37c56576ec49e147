//! What figures are worth, and what they mean.
//!
//! Reading order: [`doubt`] (why a figure is not the drive's) and [`trust`] (a file for each trap that spoils one) →
//! [`standing`] (what is known of a figure) → [`record`] (a Report as flat figures: what is stored in rows, compared and
//! drawn; [`record::tries`]: what several tries of one test come to) → [`purposes`] and [`rules`] (what a drive is good for, with limits and their sources), [`by_method`] (which metric
//! another program's test gives) → [`compare`] (which tests belong together, what differs by more than chance).
#![forbid(unsafe_code)]

pub mod by_method;
pub mod compare;
pub mod doubt;
pub mod facts;
pub mod open_units;
pub mod purpose;
pub mod purposes;
pub mod record;
pub mod rules;
pub mod standing;
pub mod trust;
