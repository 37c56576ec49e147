//! One interface to the databases: statements in the SQL that they share, and rows to read.

use rusqlite::types::{FromSqlError, ToSql, ToSqlOutput, ValueRef};
use rusqlite::{Connection, params_from_iter};

use crate::trouble::Trouble;

/// A connection. Statements have the parameters `$1`, `$2`, ...; those of fixed text are prepared once.
pub trait Database {
    /// Calls `each` with each row that a statement returns.
    fn rows(
        &self,
        sql: &str,
        values: &[Value<'_>],
        each: &mut dyn FnMut(&Row<'_>) -> Result<(), Trouble>,
    ) -> Result<(), Trouble>;

    /// Runs a statement. Returns the number of rows that it changed.
    fn execute(&self, sql: &str, values: &[Value<'_>]) -> Result<u64, Trouble>;

    /// Runs an `INSERT ... VALUES (...)` for each `width` values.
    fn execute_many(&self, sql: &str, width: usize, values: &[Value<'_>]) -> Result<(), Trouble>;

    /// Runs the statements of a migration, with this database's words for types.
    fn migrate(&self, text: &str) -> Result<(), Trouble>;

    /// Begins a transaction: use [`Transaction`].
    fn begin(&self, access: Access) -> Result<(), Trouble>;

    /// Ends the one that began with this access.
    fn end(&self, access: Access, keeps: bool) -> Result<(), Trouble>;

    /// Waits until no other transaction holds `name`, and holds it until this one ends.
    fn lock(&self, name: &str) -> Result<(), Trouble>;

    /// Whether lists are to be compared with an index: the file may be damaged.
    fn is_distrusted(&self) -> bool;
}

/// What an operation does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    Read,
    /// Twice is the same as once.
    Write,
    /// Must not be done twice.
    WriteOnce,
    /// Can be made again: a power cut may undo it, so nothing is waited for.
    WriteUnsynced,
}

/// A value of a parameter.
#[derive(Debug, Clone, Copy)]
pub enum Value<'v> {
    Null,
    Integer(i64),
    Real(f64),
    Text(&'v str),
    Bytes(&'v [u8]),
}

impl Value<'_> {
    /// Length of a text or of bytes.
    pub fn len_bytes(&self) -> usize {
        match self {
            Value::Text(text) => text.len(),
            Value::Bytes(bytes) => bytes.len(),
            Value::Null | Value::Integer(_) | Value::Real(_) => 8,
        }
    }
}

macro_rules! value_from {
    ($($type:ty: $value:ident => $as:expr),*) => {
        $(impl<'v> From<$type> for Value<'v> {
            fn from($value: $type) -> Self {
                $as
            }
        })*
    };
}
value_from!(
    i64: value => Value::Integer(value),
    u32: value => Value::Integer(value.into()),
    f64: value => Value::Real(value),
    &'v str: value => Value::Text(value),
    &'v String: value => Value::Text(value),
    &'v [u8]: value => Value::Bytes(value),
    &'v Vec<u8>: value => Value::Bytes(value)
);

impl<'v, T: Into<Value<'v>>> From<Option<T>> for Value<'v> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Value::Null, Into::into)
    }
}

impl ToSql for Value<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match *self {
            Value::Null => ValueRef::Null,
            Value::Integer(integer) => ValueRef::Integer(integer),
            Value::Real(real) => ValueRef::Real(real),
            Value::Text(text) => ValueRef::Text(text.as_bytes()),
            Value::Bytes(bytes) => ValueRef::Blob(bytes),
        }))
    }
}

/// The values of parameters.
macro_rules! values {
    ($($value:expr),* $(,)?) => { &[$($crate::database::Value::from($value)),*] };
}
pub(crate) use values;

/// A row that a statement returns.
pub enum Row<'r> {
    Sqlite(&'r rusqlite::Row<'r>),
    Postgres(&'r tokio_postgres::Row),
}

impl<'r> Row<'r> {
    /// The value of a column, borrowed from the row.
    #[inline]
    pub fn cell(&self, at: usize) -> Result<ValueRef<'r>, Trouble> {
        Ok(match self {
            Row::Sqlite(row) => row.get_ref(at)?,
            Row::Postgres(row) => row.try_get::<_, Cell<'r>>(at)?.0,
        })
    }

    pub fn integer(&self, at: usize) -> Result<i64, Trouble> {
        read(self.cell(at)?.as_i64())
    }

    pub fn integer_or_null(&self, at: usize) -> Result<Option<i64>, Trouble> {
        read(self.cell(at)?.as_i64_or_null())
    }

    pub fn real(&self, at: usize) -> Result<f64, Trouble> {
        read(self.cell(at)?.as_f64())
    }

    pub fn real_or_null(&self, at: usize) -> Result<Option<f64>, Trouble> {
        read(self.cell(at)?.as_f64_or_null())
    }

    pub fn text(&self, at: usize) -> Result<&'r str, Trouble> {
        read(self.cell(at)?.as_str())
    }

    pub fn text_or_null(&self, at: usize) -> Result<Option<&'r str>, Trouble> {
        read(self.cell(at)?.as_str_or_null())
    }

    pub fn bytes(&self, at: usize) -> Result<&'r [u8], Trouble> {
        read(self.cell(at)?.as_blob())
    }
}

fn read<T>(found: Result<T, FromSqlError>) -> Result<T, Trouble> {
    found.map_err(|error| rusqlite::Error::from(error).into())
}

/// A PostgreSQL value as SQLite's: the types that our tables have.
struct Cell<'a>(ValueRef<'a>);

impl<'a> tokio_postgres::types::FromSql<'a> for Cell<'a> {
    fn from_sql(
        kind: &tokio_postgres::types::Type,
        raw: &'a [u8],
    ) -> Result<Self, Box<dyn std::error::Error + Sync + Send>> {
        use tokio_postgres::types::Type;
        Ok(Cell(match *kind {
            Type::INT8 => ValueRef::Integer(i64::from_sql(kind, raw)?),
            Type::FLOAT8 => ValueRef::Real(f64::from_sql(kind, raw)?),
            Type::BYTEA => ValueRef::Blob(raw),
            _ => ValueRef::Text(raw),
        }))
    }

    fn from_sql_null(
        _: &tokio_postgres::types::Type,
    ) -> Result<Self, Box<dyn std::error::Error + Sync + Send>> {
        Ok(Cell(ValueRef::Null))
    }

    fn accepts(kind: &tokio_postgres::types::Type) -> bool {
        use tokio_postgres::types::Type;
        matches!(*kind, Type::INT8 | Type::FLOAT8 | Type::BYTEA | Type::TEXT)
    }
}

/// The first row of a statement; `None` if there is none.
pub fn row<T>(
    database: &dyn Database,
    sql: &str,
    values: &[Value<'_>],
    read: impl Fn(&Row<'_>) -> Result<T, Trouble>,
) -> Result<Option<T>, Trouble> {
    let mut found = None;
    database.rows(sql, values, &mut |row| {
        if found.is_none() {
            found = Some(read(row)?);
        }
        Ok(())
    })?;
    Ok(found)
}

/// A transaction, rolled back when dropped.
pub struct Transaction<'d> {
    database: Option<&'d dyn Database>,
    access: Access,
}

impl<'d> Transaction<'d> {
    pub fn begin(database: &'d dyn Database, access: Access) -> Result<Self, Trouble> {
        database.begin(access)?;
        Ok(Self { database: Some(database), access })
    }

    pub fn commit(mut self) -> Result<(), Trouble> {
        let Some(database) = self.database.take() else { return Ok(()) };
        database.end(self.access, true).inspect_err(|_| drop(database.end(self.access, false)))
    }
}

impl Drop for Transaction<'_> {
    fn drop(&mut self) {
        // What failed before is the error; a connection that cannot roll back is not used again.
        let _ = self.database.map(|database| database.end(self.access, false));
    }
}

impl Database for Connection {
    fn rows(
        &self,
        sql: &str,
        values: &[Value<'_>],
        each: &mut dyn FnMut(&Row<'_>) -> Result<(), Trouble>,
    ) -> Result<(), Trouble> {
        let mut statement = self.prepare_cached(&numbered(sql))?;
        let mut rows = statement.query(params_from_iter(values))?;
        while let Some(row) = rows.next()? {
            each(&Row::Sqlite(row))?;
        }
        Ok(())
    }

    fn execute(&self, sql: &str, values: &[Value<'_>]) -> Result<u64, Trouble> {
        Ok(self.prepare_cached(&numbered(sql))?.execute(params_from_iter(values))? as u64)
    }

    fn execute_many(&self, sql: &str, width: usize, values: &[Value<'_>]) -> Result<(), Trouble> {
        let mut statement = self.prepare_cached(&numbered(sql))?;
        for values in values.chunks_exact(width) {
            statement.execute(params_from_iter(values))?;
        }
        Ok(())
    }

    fn migrate(&self, text: &str) -> Result<(), Trouble> {
        let text = text.replace("{key}", "INTEGER PRIMARY KEY").replace("{bytes}", "BLOB");
        Ok(self.execute_batch(&text.replace(" {ascii}", ""))?)
    }

    fn begin(&self, access: Access) -> Result<(), Trouble> {
        Ok(self.execute_batch(match access {
            Access::Read => "BEGIN DEFERRED",
            Access::Write | Access::WriteOnce => "BEGIN IMMEDIATE",
            // The log is synced before what it holds goes to the file. Without a log, only a sync keeps the file whole.
            Access::WriteUnsynced if self.pragma_query_value(None, "journal_mode", is_log)? => {
                "PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE"
            }
            Access::WriteUnsynced => "BEGIN IMMEDIATE",
        })?)
    }

    fn end(&self, access: Access, keeps: bool) -> Result<(), Trouble> {
        // Some errors end a transaction.
        let ended = match keeps || !self.is_autocommit() {
            true => self.execute_batch(if keeps { "COMMIT" } else { "ROLLBACK" }),
            false => Ok(()),
        };
        if access == Access::WriteUnsynced {
            self.execute_batch("PRAGMA synchronous = EXTRA")?;
        }
        Ok(ended?)
    }

    /// There is one writer at a time.
    fn lock(&self, _name: &str) -> Result<(), Trouble> {
        Ok(())
    }

    fn is_distrusted(&self) -> bool {
        true
    }
}

/// Whether a journal mode is a write-ahead log.
fn is_log(row: &rusqlite::Row<'_>) -> rusqlite::Result<bool> {
    Ok(row.get_ref(0)?.as_str()? == "wal")
}

/// SQLite takes `$1` for a name; `?1` is its number.
fn numbered(sql: &str) -> String {
    sql.replace('$', "?")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_can_be_made_again_is_not_synced() {
        let directory = tempfile::tempdir().unwrap();
        let connection = Connection::open(directory.path().join("a.db")).unwrap();
        let synced = |journal: &str, access| {
            connection
                .execute_batch(&format!("PRAGMA journal_mode={journal}; PRAGMA synchronous=EXTRA"))
                .unwrap();
            let synced =
                || connection.pragma_query_value(None, "synchronous", |row| row.get::<_, i64>(0)).unwrap();
            let transaction = Transaction::begin(&connection, access).unwrap();
            let within = synced();
            transaction.commit().unwrap();
            [within, synced()]
        };
        assert_eq!(synced("wal", Access::WriteUnsynced), [1, 3]);
        assert_eq!(synced("wal", Access::Write), [3, 3]);
        assert_eq!(synced("delete", Access::WriteUnsynced), [3, 3], "a power cut would damage the file");
    }
}
