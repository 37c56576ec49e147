//! One connection, with limits of time on everything that it waits for.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::future::Future;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cardiograph_core::{Parameter, message};
use futures_util::TryStreamExt;
use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;
use tokio_postgres::types::private::BytesMut;
use tokio_postgres::types::{IsNull, ToSql, Type, to_sql_checked};
use tokio_postgres::{Client, NoTls, Statement};
use tokio_postgres_rustls::MakeRustlsConnect;
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::{ClientConfig, RootCertStore, crypto::ring};

use super::address::{Address, Roots};
use crate::StoreError;
use crate::database::{Access, Database, Row, Value};
use crate::tables::digest;
use crate::trouble::Trouble;

/// How long to wait for an answer. The server itself gives up earlier, and then says why.
const PATIENCE: Duration = Duration::from_secs(90);
/// How long to wait for a connection, and for a server that is starting.
const CONNECT_PATIENCE: Duration = Duration::from_secs(20);
const PAUSE: Duration = Duration::from_millis(100);
/// The oldest version that is supported.
const VERSION_MIN: i64 = 15;
/// Statements kept prepared. More are made by lists of many lengths.
const STATEMENTS_MAX: usize = 256;
/// Rows and bytes that are inserted at once.
const ROWS_AT_ONCE: usize = 500;
const LEN_BYTES_AT_ONCE: usize = 8 << 20;

/// The first of our numbers for advisory locks, of which other programs may have others: `CrdG`.
const LOCKS: i64 = 0x4372_6447 << 16;

/// Settings of each connection: limits for statements, and commits that are durable.
const SETTINGS: &str = "SET statement_timeout = '60s'; SET lock_timeout = '30s'; \
     SET idle_in_transaction_session_timeout = '120s'; \
     SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'";

/// A connection. It drives its own runtime: only threads that may block can use it.
pub struct Connection {
    runtime: Option<Runtime>,
    client: Client,
    statements: RefCell<HashMap<String, Statement>>,
    /// Whether a commit was sent: if the connection is lost, nobody knows whether it happened.
    pub is_committing: Cell<bool>,
    /// Whether the tables are known to be of this program's version.
    pub is_migrated: Cell<bool>,
}

impl Drop for Connection {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl Connection {
    /// Connects. A server that is starting is waited for.
    pub fn open(address: &Address) -> Result<Self, Trouble> {
        let until = Instant::now() + CONNECT_PATIENCE;
        loop {
            match Self::try_open(address) {
                Err(trouble) if trouble.is_early() && Instant::now() < until => std::thread::sleep(PAUSE),
                opened => return opened,
            }
        }
    }

    fn try_open(address: &Address) -> Result<Self, Trouble> {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| {
            let error = Parameter::from(error.to_string());
            StoreError::Failed(message!("store-database", path = &address.place, error))
        })?;
        let tls = address.tls.as_ref().map(tls_of).transpose()?;
        let client = runtime.block_on(async {
            timeout(CONNECT_PATIENCE, async {
                // What the driver of a connection fails with, its user is told.
                Ok::<_, tokio_postgres::Error>(match tls {
                    Some(tls) => {
                        let (client, driver) = address.config.connect(tls).await?;
                        tokio::spawn(driver);
                        client
                    }
                    None => {
                        let (client, driver) = address.config.connect(NoTls).await?;
                        tokio::spawn(driver);
                        client
                    }
                })
            })
            .await
            .map_err(|_| Trouble::Silent)
        })??;
        let connection = Self {
            runtime: Some(runtime),
            client,
            statements: RefCell::default(),
            is_committing: Cell::new(false),
            is_migrated: Cell::new(false),
        };
        connection.wait(connection.client.batch_execute(SETTINGS))?;
        const VERSION: &str = "SELECT current_setting('server_version_num')::BIGINT";
        let found =
            crate::database::row(&connection, VERSION, &[], |row| row.integer(0))?.unwrap_or(0) / 10_000;
        if found < VERSION_MIN {
            let (path, found) = (&address.place, found.max(0) as u64);
            return Err(StoreError::NoStore(message!("store-server-too-old", path, found)).into());
        }
        Ok(connection)
    }

    fn runtime(&self) -> &Runtime {
        self.runtime.as_ref().expect("it is there until the end")
    }

    fn wait<T>(&self, answer: impl Future<Output = Result<T, tokio_postgres::Error>>) -> Result<T, Trouble> {
        let answer = self.runtime().block_on(async { timeout(PATIENCE, answer).await });
        Ok(answer.map_err(|_| Trouble::Silent)??)
    }

    fn prepare(&self, sql: &str) -> Result<Statement, Trouble> {
        if let Some(statement) = self.statements.borrow().get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.wait(self.client.prepare(sql))?;
        let mut statements = self.statements.borrow_mut();
        if statements.len() >= STATEMENTS_MAX {
            statements.clear();
        }
        statements.insert(sql.to_string(), statement.clone());
        Ok(statement)
    }
}

/// Checks a server's certificate and name by these roots.
fn tls_of(roots: &Roots) -> Result<MakeRustlsConnect, StoreError> {
    let mut store = RootCertStore::empty();
    let refused = |reason: String| StoreError::NoStore(message!("store-server-certificates", reason));
    match roots {
        Roots::System => {
            store.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        }
        Roots::File(path) => {
            let why = |error: String| refused(format!("{}: {error}", path.display()));
            for certificate in CertificateDer::pem_file_iter(path).map_err(|error| why(error.to_string()))? {
                let certificate = certificate.map_err(|error| why(error.to_string()))?;
                store.add(certificate).map_err(|error| why(error.to_string()))?;
            }
        }
    }
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| refused(error.to_string()))?
        .with_root_certificates(store)
        .with_no_client_auth();
    Ok(MakeRustlsConnect::new(config))
}

impl Database for Connection {
    fn rows(
        &self,
        sql: &str,
        values: &[Value<'_>],
        each: &mut dyn FnMut(&Row<'_>) -> Result<(), Trouble>,
    ) -> Result<(), Trouble> {
        let statement = self.prepare(sql)?;
        self.runtime().block_on(async {
            let answer = timeout(PATIENCE, self.client.query_raw(&statement, values.iter().copied())).await;
            let mut rows = std::pin::pin!(answer.map_err(|_| Trouble::Silent)??);
            while let Some(row) = timeout(PATIENCE, rows.try_next()).await.map_err(|_| Trouble::Silent)?? {
                each(&Row::Postgres(&row))?;
            }
            Ok(())
        })
    }

    fn execute(&self, sql: &str, values: &[Value<'_>]) -> Result<u64, Trouble> {
        let statement = self.prepare(sql)?;
        self.wait(self.client.execute_raw(&statement, values.iter().copied()))
    }

    /// In statements with many rows: each statement is a journey to the server and back.
    fn execute_many(&self, sql: &str, width: usize, values: &[Value<'_>]) -> Result<(), Trouble> {
        let mut rest = values;
        while !rest.is_empty() {
            let (mut rows, mut len_bytes) = (0, 0);
            for row in rest.chunks_exact(width).take(ROWS_AT_ONCE) {
                len_bytes += row.iter().map(Value::len_bytes).sum::<usize>();
                if rows > 0 && len_bytes > LEN_BYTES_AT_ONCE {
                    break;
                }
                rows += 1;
            }
            let (now, later) = rest.split_at(rows * width);
            self.execute(&of_many(sql, width, rows), now)?;
            rest = later;
        }
        Ok(())
    }

    fn migrate(&self, text: &str) -> Result<(), Trouble> {
        self.wait(self.client.batch_execute(&words_for_server(text)))
    }

    fn begin(&self, access: Access) -> Result<(), Trouble> {
        self.is_committing.set(false);
        self.wait(self.client.batch_execute(match access {
            Access::Read => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
            Access::Write | Access::WriteOnce => "BEGIN",
            Access::WriteUnsynced => "BEGIN; SET LOCAL synchronous_commit = off",
        }))
    }

    fn end(&self, _access: Access, keeps: bool) -> Result<(), Trouble> {
        self.is_committing.set(keeps);
        self.wait(self.client.batch_execute(if keeps { "COMMIT" } else { "ROLLBACK" }))
    }

    fn lock(&self, name: &str) -> Result<(), Trouble> {
        // Few: a transaction may save thousands of Reports, and a server has room for some thousand locks.
        let key = LOCKS + digest::hash_step(name, 0, b"").rem_euclid(1_024);
        self.execute("SELECT pg_advisory_xact_lock($1)", &[Value::Integer(key)]).map(drop)
    }

    /// A server checks its own pages.
    fn is_distrusted(&self) -> bool {
        false
    }
}

/// Words of the files in `sql/`, for PostgreSQL. Texts sort and fold by byte, as in SQLite.
fn words_for_server(text: &str) -> String {
    text.replace("{key}", "BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY")
        .replace("{bytes}", "BYTEA")
        .replace(" {ascii}", "")
        .replace(" TEXT", " TEXT COLLATE \"C\"")
}

/// An `INSERT ... VALUES (...)` of one row as one of `rows`.
fn of_many(sql: &str, width: usize, rows: usize) -> String {
    let (begin, rest) = sql.split_once("VALUES (").expect("it inserts");
    let (_, end) = rest.split_once(')').expect("the row ends");
    let row = |row: usize| {
        let numbers: Vec<String> = (1..=width).map(|at| format!("${}", row * width + at)).collect();
        format!("({})", numbers.join(", "))
    };
    let all: Vec<String> = (0..rows).map(row).collect();
    format!("{begin}VALUES {}{end}", all.join(", "))
}

impl ToSql for Value<'_> {
    fn to_sql(
        &self,
        kind: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        match self {
            Value::Null => Ok(IsNull::Yes),
            Value::Integer(integer) => integer.to_sql(kind, out),
            Value::Real(real) => real.to_sql(kind, out),
            Value::Text(text) => text.to_sql(kind, out),
            Value::Bytes(bytes) => bytes.to_sql(kind, out),
        }
    }

    fn accepts(kind: &Type) -> bool {
        matches!(*kind, Type::INT8 | Type::FLOAT8 | Type::TEXT | Type::BYTEA)
    }

    to_sql_checked!();
}
