//! What figures are worth, and what they mean.
//!
//! Reading order: [`doubt`] (why a figure may not be the drive's) and [`trust`] (one file per trap) →
//! [`standing`] (context of a figure) → [`record`] (a Report as flat figures: stored in rows, compared and
//! drawn; [`record::tries`]: merging several tries of a test) → [`purpose`] (limits and their
//! sources, as data) and [`purposes`] (what a drive is good for), [`by_method`] (which metric another program's test measures) →
//! [`compare`] (which tests belong together, which differences are significant) → [`changes`] and [`events`] (a drive over time).
#![forbid(unsafe_code)]

pub mod by_method;
pub mod changes;
pub mod compare;
pub mod doubt;
pub mod events;
pub mod facts;
pub mod open_units;
pub mod purpose;
pub mod purposes;
pub mod record;
pub mod standing;
pub mod trust;
