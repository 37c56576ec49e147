//! Rows of lists, and the conditions by which they are selected.

use cardiograph_core::message;
use cardiograph_core::report::ReportState;
use cardiograph_core::summary::{RunSummary, SmolStr};
use serde::Deserialize;
use serde::de::{self, IntoDeserializer};

use super::digest;
use crate::StoreError;
use crate::database::{Row, Value};
use crate::trouble::Trouble;

/// Conditions that must all hold, with their values.
#[derive(Default)]
pub struct Conditions {
    texts: Vec<String>,
    values: Vec<Condition>,
}

impl Conditions {
    /// Adds a condition; each `$` in it gets the number of its value.
    pub fn add<const N: usize>(&mut self, condition: &str, values: [Condition; N]) {
        let mut parts = condition.split('$');
        let mut numbered = parts.next().unwrap_or_default().to_string();
        for (at, part) in parts.enumerate() {
            numbered.push_str(&format!("${}{part}", self.values.len() + at + 1));
        }
        self.texts.push(numbered);
        self.values.extend(values);
    }

    pub fn into_parts(self) -> (String, Vec<Condition>) {
        let wanted = if self.texts.is_empty() { String::new() } else { " WHERE ".to_string() };
        (wanted + &self.texts.join(" AND "), self.values)
    }
}

/// A value of a condition.
pub enum Condition {
    Text(String),
    Number(u64),
}

impl<'v> From<&'v Condition> for Value<'v> {
    fn from(condition: &'v Condition) -> Self {
        match condition {
            Condition::Text(text) => text.into(),
            // No count or time is longer.
            Condition::Number(number) => Value::Integer((*number).min(i64::MAX as u64) as i64),
        }
    }
}

pub fn text(text: &str) -> Condition {
    Condition::Text(text.to_string())
}

/// A row of a list.
pub fn summary(row: &Row<'_>) -> Result<RunSummary, Trouble> {
    let state = str_at(row, 3)?;
    let id = str_at(row, 0)?;
    let known: Result<ReportState, de::value::Error> = ReportState::deserialize(state.into_deserializer());
    let some_at = |at: usize| -> Result<Option<SmolStr>, Trouble> {
        Ok(row.text_or_null(at)?.map(bounded).transpose()?.map(SmolStr::from))
    };
    let run = RunSummary {
        started_unix_ms: unsigned(row.integer(1)?),
        suite: str_at(row, 2)?.into(),
        // An unknown one may be from a later version.
        state: known.unwrap_or(ReportState::Failed),
        label: some_at(4)?,
        host: some_at(5)?,
        path: str_at(row, 6)?.into(),
        models: str_at(row, 7)?.into(),
        drive_ids: str_at(row, 8)?.into(),
        tags: str_at(row, 9)?.into(),
        capacity_bytes: row.integer_or_null(10)?.map(unsigned),
        steps: unsigned(row.integer(11)?) as usize,
        id: id.into(),
    };
    if row.integer(13)? != i64::from(digest_of_run(row)?) {
        let reason = message!("store-damage.wrong-summary");
        return Err(StoreError::Damaged { id: id.to_string(), reason }.into());
    }
    Ok(run)
}

/// Fails on a damaged list row.
pub fn digest_of_run(row: &Row<'_>) -> Result<u32, Trouble> {
    digest::add(0, row, 0..13)
}

/// Maximum length of a text in a list or with a figure, in bytes: a job's name is shorter than its file.
const TEXT_LEN_BYTES_MAX: usize = 4 << 20;

/// A column's text, borrowed from the row.
pub fn str_at<'r>(row: &Row<'r>, at: usize) -> Result<&'r str, Trouble> {
    bounded(row.text(at)?)
}

fn bounded(text: &str) -> Result<&str, Trouble> {
    if text.len() <= TEXT_LEN_BYTES_MAX { Ok(text) } else { Err(Trouble::TooLarge) }
}

/// A number that is never negative, unless it is damaged.
pub fn unsigned(number: i64) -> u64 {
    number.max(0) as u64
}
