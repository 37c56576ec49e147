//! Parsing and validation of models.

use std::fmt::Display;

use cardiograph_core::nearest::is_same;
use cardiograph_core::text::steers;
use cardiograph_core::{GIB, MIB, Message, NS_PER_S, message};

use super::model::{Beyond, DriveModel, Fake, MODELS, ModelError, Path};
use super::whole_blocks::CONTENT_BLOCK_BYTES;

/// Maximum duration of a single part of a request: an hour. Longer ones could overflow a u64 in total.
const TIME_NS_MAX: u64 = 3_600 * NS_PER_S;
/// Slowest and fastest rates, in bytes per second.
const RATES_BYTES_PER_S: (u64, u64) = (1_000, 1_000_000_000_000);
/// Maximum length of anything, in bytes: a pebibyte. The table of a drive's content has an entry per GiB.
const LEN_BYTES_MAX: u64 = 1 << 50;
/// Maximum factor by which anything slows down.
const SLOW_FACTOR_MAX: f64 = 10_000.0;
/// Maximum temperature, and change of it.
const KELVIN_MAX: f64 = 1_000.0;
/// Maximum deviation between runs and within one, as a share: three of them leave a drive that still works.
const VARIATION_MAX: f64 = 0.3;
/// Maximum number of paths of an operation, interruptions and faults.
const PATHS_MAX: usize = 64;
/// Maximum length of name and title, in characters: they must fit on lines.
const TEXT_CHARS_MAX: usize = 200;
/// How far the sum of shares may deviate from 1 because of decimal rounding.
const SHARES_ERROR_MAX: f64 = 1e-6;

impl DriveModel {
    /// Parses a model.
    ///
    /// # Errors
    /// When the text is not TOML, lacks a field, has an unknown one, or has a number that is impossible for a
    /// drive.
    pub fn from_toml(text: &str) -> Result<Self, ModelError> {
        let model: Self = toml::from_str(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start).min(text.len());
            let before = text.get(..at).unwrap_or_default();
            let line = before.matches('\n').count() + 1;
            let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
            ModelError::Text { line, column, problem: error.message().replace('\n', ", ") }
        })?;
        check(&model)?;
        Ok(model)
    }

    /// The shipped model with this name.
    pub fn named(name: &str) -> Option<Self> {
        let &(_, text) = MODELS.iter().find(|(model, _)| is_same(name, model))?;
        Self::from_toml(text).ok()
    }
}

/// Validates every number of a model.
///
/// # Errors
/// The first number that is impossible for a drive.
pub fn check(model: &DriveModel) -> Result<(), ModelError> {
    if model.name.is_empty() {
        return Err(problem("name", message!("model-value.empty")));
    }
    for (field, text) in [("name", &model.name), ("title", &model.title)] {
        within(&format!("length of {field}"), text.chars().count() as u64, 0, TEXT_CHARS_MAX as u64)?;
        if text.contains(|c: char| c.is_control() || steers(c)) {
            return Err(problem(field, message!("model-value.unshowable")));
        }
    }
    for (field, len) in [("interruptions", model.interruptions.len()), ("faults", model.faults.len())] {
        within(&format!("length of {field}"), len as u64, 0, PATHS_MAX as u64)?;
    }
    within("capacity_bytes", model.capacity_bytes, MIB, LEN_BYTES_MAX)?;
    if let Some(of) = &model.fake {
        fake(of, model.capacity_bytes)?;
    }
    within("channels", u64::from(model.channels), 1, 1_024)?;
    operations(model)?;
    room(model)?;
    surroundings(model)?;
    for (index, fault) in model.faults.iter().enumerate() {
        fault.check().map_err(|why| problem(&format!("faults[{index}]"), why))?;
    }
    Ok(())
}

/// A fake capacity.
fn fake(fake: &Fake, capacity_bytes: u64) -> Result<(), ModelError> {
    within("fake.real_capacity_bytes", fake.real_capacity_bytes, MIB, capacity_bytes)?;
    whole_blocks("fake.real_capacity_bytes", fake.real_capacity_bytes)?;
    within("fake.front_bytes", fake.front_bytes, 0, GIB)?;
    whole_blocks("fake.front_bytes", fake.front_bytes)?;
    match fake.beyond {
        Beyond::Chain => {
            within("fake.decoded_bytes", fake.decoded_bytes, fake.real_capacity_bytes, capacity_bytes)?;
            whole_blocks("fake.decoded_bytes", fake.decoded_bytes)
        }
        _ if fake.decoded_bytes != 0 => {
            Err(problem("fake.decoded_bytes", message!("model-value.only-chain")))
        }
        Beyond::Wrap if fake.front_bytes != 0 => {
            Err(problem("fake.front_bytes", message!("model-value.wraps")))
        }
        _ => Ok(()),
    }
}

/// Bus, reads, writes and flushes.
fn operations(model: &DriveModel) -> Result<(), ModelError> {
    time("bus.command_ns", model.bus.command_ns)?;
    within("bus.transfer_len_bytes_max", model.bus.transfer_len_bytes_max, 512, GIB)?;

    rate("read.bytes_per_s", model.read.bytes_per_s)?;
    time("read.sequential_ns", model.read.sequential_ns)?;
    paths("read.pages", &model.read.pages)?;

    rate("write.bytes_per_s", model.write.bytes_per_s)?;
    within("write.partial_below_bytes", model.write.partial_below_bytes, 0, GIB)?;
    paths("write.partial", &model.write.partial)?;
    paths("write.full", &model.write.full)?;
    time("write.after_flush_ns", model.write.after_flush_ns)?;

    within("flush.journal_ios", model.flush.journal_ios, 0, 1_024)?;
    within("flush.journal_bytes", model.flush.journal_bytes, 0, GIB)?;
    paths("flush.paths", &model.flush.paths)
}

/// Mapping, cache and collection.
fn room(model: &DriveModel) -> Result<(), ModelError> {
    within("mapping.unit_bytes", model.mapping.unit_bytes, 512, GIB)?;
    within("mapping.open_units", u64::from(model.mapping.open_units), 1, 1_024)?;
    rate("mapping.copy_bytes_per_s", model.mapping.copy_bytes_per_s)?;
    if let Some(cache) = &model.cache {
        within("cache.len_bytes", cache.len_bytes, 1, LEN_BYTES_MAX)?;
        within("cache.slow_factor", cache.slow_factor, 1.0, SLOW_FACTOR_MAX)?;
        within("cache.refill_bytes_per_s", cache.refill_bytes_per_s, 0, RATES_BYTES_PER_S.1)?;
    }
    if let Some(collection) = &model.collection {
        within("collection.reserve_bytes", collection.reserve_bytes, 0, LEN_BYTES_MAX)?;
        within("collection.superblock_bytes", collection.superblock_bytes, 1, LEN_BYTES_MAX)?;
        paths("collection.stalls", &collection.stalls)?;
        within("collection.repeat_share", collection.repeat_share, 0.0, 0.99)?;
        within("collection.repeat_gap_bytes", collection.repeat_gap_bytes, 0, collection.superblock_bytes)?;
        within("collection.refill_bytes_per_s", collection.refill_bytes_per_s, 0, RATES_BYTES_PER_S.1)?;
    }
    Ok(())
}

/// Interruptions, heat and variation.
fn surroundings(model: &DriveModel) -> Result<(), ModelError> {
    for (index, interruption) in model.interruptions.iter().enumerate() {
        let field = |name| format!("interruptions[{index}].{name}");
        within(&field("every_ns"), interruption.every_ns, 1_000_000, 1_000 * TIME_NS_MAX)?;
        time(&field("mean_ns"), interruption.mean_ns)?;
        time(&field("deviation_ns"), interruption.deviation_ns)?;
    }
    if let Some(thermal) = &model.thermal {
        within("thermal.heating_k_per_gib", thermal.heating_k_per_gib, 0.0, KELVIN_MAX)?;
        within("thermal.cooling_k_per_s", thermal.cooling_k_per_s, 0.0, KELVIN_MAX)?;
        within("thermal.limit_k", thermal.limit_k, 0.0, KELVIN_MAX)?;
        within("thermal.resume_k", thermal.resume_k, 0.0, thermal.limit_k)?;
        within("thermal.slow_factor", thermal.slow_factor, 1.0, SLOW_FACTOR_MAX)?;
    }
    within("variation.run_to_run", model.variation.run_to_run, 0.0, VARIATION_MAX)?;
    within("variation.drift", model.variation.drift, 0.0, VARIATION_MAX)?;
    within("variation.drift_time_ns", model.variation.drift_time_ns, NS_PER_S, TIME_NS_MAX)
}

/// Content is kept in blocks, so a limit must not split one.
fn whole_blocks(field: &str, bytes: u64) -> Result<(), ModelError> {
    if bytes.is_multiple_of(CONTENT_BLOCK_BYTES as u64) {
        return Ok(());
    }
    Err(problem(
        field,
        message!("model-value.multiple", value = bytes.to_string(), of = CONTENT_BLOCK_BYTES.to_string()),
    ))
}

fn time(field: &str, value_ns: u64) -> Result<(), ModelError> {
    within(field, value_ns, 0, TIME_NS_MAX)
}

fn rate(field: &str, value_bytes_per_s: u64) -> Result<(), ModelError> {
    within(field, value_bytes_per_s, RATES_BYTES_PER_S.0, RATES_BYTES_PER_S.1)
}

fn problem(field: &str, problem: Message) -> ModelError {
    ModelError::Value { field: field.to_string(), problem }
}

fn within<T: PartialOrd + Display + Copy>(field: &str, value: T, min: T, max: T) -> Result<(), ModelError> {
    // No range contains NaN.
    if (min..=max).contains(&value) {
        return Ok(());
    }
    let (value, low, high) = (value.to_string(), min.to_string(), max.to_string());
    Err(problem(field, message!("model-value.range", value, low, high)))
}

fn paths(field: &str, paths: &[Path]) -> Result<(), ModelError> {
    if !(1..=PATHS_MAX).contains(&paths.len()) {
        return Err(problem(field, message!("model-value.entries", entries = paths.len(), most = PATHS_MAX)));
    }
    for (index, path) in paths.iter().enumerate() {
        let part = |name| format!("{field}[{index}].{name}");
        within(&part("share"), path.share, 0.0, 1.0)?;
        within(&part("mean_ns"), path.mean_ns, 0, TIME_NS_MAX)?;
        within(&part("deviation_ns"), path.deviation_ns, 0, TIME_NS_MAX)?;
    }
    let sum: f64 = paths.iter().map(|path| path.share).sum();
    if (sum - 1.0).abs() > SHARES_ERROR_MAX {
        return Err(problem(field, message!("model-value.shares", sum = format!("{sum:.4}"))));
    }
    Ok(())
}
