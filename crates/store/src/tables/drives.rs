//! The drives of checkups. A drive's row is kept up to date with each of its checkups, in the same transaction.

use std::collections::BTreeMap;

use cardiograph_core::message;
use cardiograph_core::summary::RunSummary;

use super::{digest, listed, sql};
use crate::database::{Access, Database, Row, Transaction, Value, row, values};
use crate::trouble::Trouble;
use crate::{Arrival, DriveOrder, DriveQuery, DriveSummary, StoreError, drive_key};

/// A row of the table.
#[derive(Debug, Clone, Default)]
pub struct Drive {
    pub number: i64,
    pub joined: Option<i64>,
    newest_run: i64,
    summary: DriveSummary,
}

impl Drive {
    /// From the columns of [`sql::DRIVES`].
    fn read(row: &Row<'_>) -> Result<Self, Trouble> {
        let text = |at: usize| Ok::<_, Trouble>(row.text(at)?.to_string());
        let some = |at: usize| Ok::<_, Trouble>(row.text_or_null(at)?.map(str::to_string));
        let unsigned = |at: usize| Ok::<_, Trouble>(row.integer(at)?.max(0) as u64);
        let summary = DriveSummary {
            key: text(1)?,
            checkups: unsigned(3)?,
            first_unix_ms: unsigned(4)?,
            last_unix_ms: unsigned(5)?,
            newest: text(7)?,
            models: text(8)?,
            drive_ids: text(9)?,
            label: some(10)?,
            host: some(11)?,
            path: text(12)?,
            capacity_bytes: row.integer_or_null(13)?.map(|bytes| bytes.max(0) as u64),
        };
        let drive = Self {
            number: row.integer(0)?,
            joined: row.integer_or_null(2)?,
            newest_run: row.integer(6)?,
            summary,
        };
        // A drive that was just made has no digest yet.
        let is_new = drive.newest_run == 0 && row.integer(15)? == 0;
        if !is_new && row.integer(15)? != i64::from(digest::add(0, row, 1..15)?) {
            return Err(Trouble::damaged(message!("store-damage.wrong-drive")));
        }
        Ok(drive)
    }

    /// What the newest checkup says of it.
    fn is_as(&mut self, run: &Run) {
        let (kept, found) = (&mut self.summary, &run.summary);
        self.newest_run = run.number;
        kept.last_unix_ms = run.sorted_unix_ms.max(0) as u64;
        (kept.newest, kept.path) = (found.id.to_string(), found.path.to_string());
        (kept.models, kept.drive_ids) =
            (found.models.as_str().to_string(), found.drive_ids.as_str().to_string());
        kept.label = found.label.as_deref().map(str::to_string);
        kept.host = found.host.as_deref().map(str::to_string);
        kept.capacity_bytes = found.capacity_bytes;
    }

    fn write(&self, database: &dyn Database) -> Result<(), Trouble> {
        let DriveSummary { checkups, first_unix_ms, last_unix_ms, newest, models, drive_ids, .. } =
            &self.summary;
        let DriveSummary { label, host, path, capacity_bytes, .. } = &self.summary;
        let name = label.as_ref().unwrap_or(models).to_ascii_lowercase();
        let all = values![
            self.number,
            self.joined,
            *checkups as i64,
            *first_unix_ms as i64,
            *last_unix_ms as i64,
            self.newest_run,
            newest,
            models,
            drive_ids,
            label.as_ref(),
            host.as_ref(),
            path,
            capacity_bytes.map(|bytes| bytes.min(i64::MAX as u64) as i64),
            &name,
        ];
        let digest = row(database, sql::UPDATE_DRIVE, all, |row| digest::add(0, row, 1..15))?;
        let digest = digest.ok_or(Trouble::TooLarge)?;
        database.execute(sql::SET_DRIVE_DIGEST, values![self.number, digest]).map(drop)
    }
}

/// A run's list entry, with its number and sort key.
pub struct Run {
    pub number: i64,
    pub sorted_unix_ms: i64,
    pub summary: RunSummary,
}

/// Finds or makes the drive with this key, or the one that it is joined to, and holds it until the transaction ends.
pub fn hold(database: &dyn Database, key: &str) -> Result<Drive, Trouble> {
    let own = row(database, sql::HOLD_DRIVE, values![key], Drive::read)?.ok_or(Trouble::TooLarge)?;
    match own.joined {
        Some(number) => by_number(database, number),
        None => Ok(own),
    }
}

fn by_number(database: &dyn Database, number: i64) -> Result<Drive, Trouble> {
    let found = row(database, sql::HOLD_DRIVE_NUMBER, values![number], Drive::read)?;
    found.ok_or_else(|| Trouble::damaged(message!("store-damage.wrong-drive")))
}

/// A run of `drive` was saved, which before belonged to `earlier`.
pub fn saved(
    database: &dyn Database,
    mut drive: Drive,
    earlier: Option<i64>,
    run: &Run,
) -> Result<(), Trouble> {
    if let Some(other) = earlier.filter(|&other| other != drive.number) {
        left(database, other)?;
    }
    database.execute(sql::DELETE_CARD, values![&drive.summary.key])?;
    let sorted_ms = run.sorted_unix_ms.max(0) as u64;
    let kept = &mut drive.summary;
    if earlier != Some(drive.number) {
        kept.first_unix_ms = if kept.checkups == 0 { sorted_ms } else { kept.first_unix_ms.min(sorted_ms) };
        kept.checkups += 1;
    }
    if (kept.last_unix_ms, drive.newest_run) <= (sorted_ms, run.number) || drive.newest_run == run.number {
        drive.is_as(run);
    }
    drive.write(database)
}

/// A run of the drive with this number was removed, or belongs to another now.
pub fn left(database: &dyn Database, number: i64) -> Result<(), Trouble> {
    let drive = by_number(database, number)?;
    database.execute(sql::DELETE_CARD, values![&drive.summary.key])?;
    count(database, drive)
}

/// Reads all of a drive's row again from its runs.
fn count(database: &dyn Database, mut drive: Drive) -> Result<(), Trouble> {
    let newest = row(database, sql::NEWEST_OF_DRIVE, values![drive.number], |row| {
        Ok(Run { number: row.integer(14)?, sorted_unix_ms: row.integer(12)?, summary: listed::summary(row)? })
    })?;
    let counted = row(database, sql::COUNT_OF_DRIVE, values![drive.number], |row| {
        Ok((row.integer(0)?, row.integer_or_null(1)?.unwrap_or(0)))
    })?;
    let (checkups, first_ms) = counted.unwrap_or_default();
    drive.summary.checkups = checkups.max(0) as u64;
    drive.summary.first_unix_ms = first_ms.max(0) as u64;
    match newest {
        Some(newest) => drive.is_as(&newest),
        // The key stays known if another is joined to it.
        None if drive.joined.is_none() => {
            let is_needed = row(database, sql::JOINED_TO, values![drive.number], |row| row.integer(0))?;
            if is_needed == Some(0) {
                return database.execute(sql::DELETE_DRIVE, values![drive.number]).map(drop);
            }
        }
        None => {}
    }
    drive.write(database)
}

/// Fills in the drives of a store that has none.
pub fn fill(database: &dyn Database) -> Result<(), Trouble> {
    let mut drives: BTreeMap<String, Vec<i64>> = BTreeMap::new();
    let every = format!("{} {}", sql::NUMBERED, sql::NEWEST_FIRST);
    database.rows(&every, &[], &mut |row| {
        drives.entry(drive_key(&listed::summary(row)?)).or_default().push(row.integer(14)?);
        Ok(())
    })?;
    for (key, runs) in drives {
        let drive = hold(database, &key)?;
        for run in runs {
            database.execute(sql::SET_RUN_DRIVE, values![run, drive.number])?;
        }
        count(database, drive)?;
    }
    Ok(())
}

/// The drives that match.
pub fn list(database: &dyn Database, query: &DriveQuery) -> Result<Vec<DriveSummary>, Trouble> {
    let (wanted, mut values) = conditions(query);
    let order = match query.order {
        DriveOrder::LastSeen => "last_unix_ms DESC, number DESC",
        DriveOrder::Name => "name, number",
        DriveOrder::Checkups => "checkups DESC, number DESC",
    };
    let count = values.len();
    values.push(listed::Condition::Number(query.limit.unwrap_or(u64::MAX)));
    values.push(listed::Condition::Number(query.skip));
    let text = format!("{}{wanted} ORDER BY {order} LIMIT ${} OFFSET ${}", sql::DRIVES, count + 1, count + 2);
    let values: Vec<Value<'_>> = values.iter().map(Value::from).collect();
    let mut found = Vec::new();
    database.rows(&text, &values, &mut |row| {
        found.push(Drive::read(row)?.summary);
        if found.len() > DRIVES_MAX { Err(Trouble::TooLarge) } else { Ok(()) }
    })?;
    Ok(found)
}

/// More drives than a list may have.
const DRIVES_MAX: usize = 200_000;

/// How many drives match.
pub fn count_all(database: &dyn Database, query: &DriveQuery) -> Result<u64, Trouble> {
    let (wanted, values) = conditions(query);
    let values: Vec<Value<'_>> = values.iter().map(Value::from).collect();
    let text = format!("{}{wanted}", sql::COUNT_DRIVES);
    let count = row(database, &text, &values, |row| row.integer(0))?;
    Ok(count.unwrap_or(0).max(0) as u64)
}

fn conditions(query: &DriveQuery) -> (String, Vec<listed::Condition>) {
    let text = |text: &str| listed::text(&text.to_ascii_lowercase());
    let mut conditions = listed::Conditions::default();
    conditions.add("checkups > 0 AND joined IS NULL", []);
    if let Some(key) = &query.key {
        let is =
            "number = (SELECT coalesce(named.joined, named.number) FROM drive named WHERE named.key = $)";
        conditions.add(is, [listed::text(key)]);
    }
    if let Some(wanted) = &query.text {
        let escaped: String = wanted
            .chars()
            .flat_map(|char| match char {
                '!' | '%' | '_' => vec!['!', char],
                _ => vec![char],
            })
            .collect();
        let pattern = || text(&format!("%{escaped}%"));
        let has = "(lower(models) LIKE $ ESCAPE '!' OR lower(drive_ids) LIKE $ ESCAPE '!' \
             OR lower(label) LIKE $ ESCAPE '!' OR lower(host) LIKE $ ESCAPE '!')";
        conditions.add(has, [pattern(), pattern(), pattern(), pattern()]);
    }
    if let Some(host) = &query.host {
        conditions.add("lower(host) = $", [text(host)]);
    }
    if let Some(label) = &query.label {
        conditions.add("lower(label) = $", [text(label)]);
    }
    for (name, value) in &query.tags {
        let has = "EXISTS (SELECT 1 FROM run_tag WHERE run = newest_run AND lower(run_tag.name) = $ \
             AND lower(value) = $)";
        conditions.add(has, [text(name), text(value)]);
    }
    conditions.into_parts()
}

/// All keys of a drive: its own, that of the drive it is joined to, and of those joined to that.
pub fn keys(database: &dyn Database, key: &str) -> Result<(Option<i64>, Vec<String>), Trouble> {
    let mut found = (None, Vec::new());
    database.rows(sql::DRIVE_KEYS, values![key], &mut |row| {
        found.0 = Some(row.integer(0)?);
        found.1.push(row.text(1)?.to_string());
        Ok(())
    })?;
    Ok(found)
}

/// Joins the drive `key` to another: its checkups, also later ones, become that one's.
pub fn join(database: &dyn Database, key: &str, into_key: &str) -> Result<(), Trouble> {
    let (mut own, into) = (known(database, key)?, known(database, into_key)?);
    let into = into.joined.map_or(Ok(into), |number| by_number(database, number))?;
    if own.number == into.number || own.joined == Some(into.number) {
        return Ok(());
    }
    let earlier = own.joined.replace(into.number);
    own.write(database)?;
    // What is joined to this one is joined to the other.
    let mut others = Vec::new();
    database.rows(sql::JOINED, values![own.number], &mut |row| {
        others.push(Drive::read(row)?);
        Ok(())
    })?;
    for mut other in others {
        other.joined = Some(into.number);
        other.write(database)?;
    }
    match earlier {
        Some(earlier) => move_own(database, key, earlier, into.number)?,
        None => database.execute(sql::MOVE_RUNS, values![own.number, into.number]).map(drop)?,
    }
    [Some(own.number), earlier, Some(into.number)]
        .into_iter()
        .flatten()
        .try_for_each(|number| left(database, number))
}

/// Undoes [`join`]: the drive has the checkups with its key again.
pub fn separate(database: &dyn Database, key: &str) -> Result<(), Trouble> {
    let mut own = known(database, key)?;
    let Some(other) = own.joined.take() else { return Ok(()) };
    own.write(database)?;
    move_own(database, key, other, own.number)?;
    left(database, own.number)?;
    left(database, other)
}

/// Moves the runs with this key from one drive to another.
fn move_own(database: &dyn Database, key: &str, from: i64, to: i64) -> Result<(), Trouble> {
    let mut runs = Vec::new();
    database.rows(&format!("{} WHERE drive = $1", sql::NUMBERED), values![from], &mut |row| {
        if drive_key(&listed::summary(row)?) == key {
            runs.push(row.integer(14)?);
        }
        Ok(())
    })?;
    runs.into_iter().try_for_each(|run| database.execute(sql::SET_RUN_DRIVE, values![run, to]).map(drop))
}

fn known(database: &dyn Database, key: &str) -> Result<Drive, Trouble> {
    let found = row(database, sql::DRIVE_OF_KEY, values![key], Drive::read)?;
    found.ok_or_else(|| StoreError::NoSuchDrive { key: key.to_string() }.into())
}

/// The joined drives: key, and the key of the other.
pub fn joins(database: &dyn Database) -> Result<Vec<(String, String)>, Trouble> {
    let _transaction = Transaction::begin(database, Access::Read)?;
    let mut found = Vec::new();
    database.rows(sql::JOINS, &[], &mut |row| {
        found.push((row.text(0)?.to_string(), row.text(1)?.to_string()));
        Ok(())
    })?;
    Ok(found)
}

/// The runs that were first saved after one, oldest first; without a number, the last one.
pub fn arrivals(database: &dyn Database, after: Option<u64>, limit: u64) -> Result<Vec<Arrival>, Trouble> {
    let mut found = Vec::new();
    let mut each = |row: &Row<'_>| {
        let number = row.integer(0)?.max(0) as u64;
        found.push(Arrival { number, id: row.text(1)?.to_string(), drive: row.text(2)?.to_string() });
        Ok(())
    };
    let bounded = |number: u64| Value::Integer(number.min(i64::MAX as u64) as i64);
    match after {
        Some(after) => database.rows(sql::ARRIVALS, &[bounded(after), bounded(limit)], &mut each)?,
        None => database.rows(sql::LAST_ARRIVAL, &[], &mut each)?,
    }
    Ok(found)
}

/// The key of a run's drive.
pub fn key_of_run(database: &dyn Database, id: &str) -> Result<Option<String>, Trouble> {
    row(database, sql::KEY_OF_RUN, values![id], |row| Ok(row.text(0)?.to_string()))
}
