//! Reports in a PostgreSQL database.
//!
//! Each operation takes a connection from a small pool. A connection that was lost, because the server was restarted or
//! the network failed, is replaced, and the operation is done again if it may be.

use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use cardiograph_core::{Report, message};

use self::address::Address;
use self::connection::Connection;
use crate::backend::Backend;
use crate::database::{Access, Database, row};
use crate::sqlite::Mended;
use crate::tables::schema::{self, Dialect};
use crate::trouble::Trouble;
use crate::{Remark, StoreError};

mod address;
mod connection;

/// Keeps Reports in a PostgreSQL database, version 15 or later. Its operations block, for up to minutes where a server
/// does not answer: in a program with tasks, call them where that is allowed.
pub struct PostgresStore {
    address: Address,
    pool: Mutex<Pool>,
    is_free: Condvar,
    remarks: Mutex<Vec<Remark>>,
}

#[derive(Default)]
struct Pool {
    idle: Vec<Connection>,
    /// Idle ones and those in use.
    open: usize,
}

/// Maximum number of connections: saves wait for syncs, not for each other.
const CONNECTIONS_MAX: usize = 8;
/// How long to wait for a connection that others use.
const PATIENCE: Duration = Duration::from_secs(60);
/// How often to repeat a transaction that was rolled back in favour of another.
const CONFLICTS_MAX: u32 = 5;

impl PostgresStore {
    /// The database with this address, `postgresql://USER@HOST/DATABASE`. Connects to nothing yet.
    ///
    /// # Errors
    /// [`StoreError::NoStore`] when the address cannot be read.
    pub fn new(url: &str) -> Result<Self, StoreError> {
        let address = Address::read(url, |name| std::env::var_os(name))?;
        Ok(Self { address, pool: Mutex::default(), is_free: Condvar::new(), remarks: Mutex::default() })
    }

    fn take(&self) -> Result<Lease<'_>, Trouble> {
        let pool = lock(&self.pool);
        let is_full = |pool: &mut Pool| pool.idle.is_empty() && pool.open >= CONNECTIONS_MAX;
        let waited = self.is_free.wait_timeout_while(pool, PATIENCE, is_full);
        let (mut pool, waited) = waited.unwrap_or_else(PoisonError::into_inner);
        if waited.timed_out() {
            let busy = message!("store-server-busy", path = &self.address.place);
            return Err(StoreError::Failed(busy).into());
        }
        let connection = pool.idle.pop();
        pool.open += usize::from(connection.is_none());
        drop(pool);
        let mut lease = Lease { store: self, connection };
        if lease.connection.is_none() {
            lease.connection = Some(Connection::open(&self.address)?);
        }
        Ok(lease)
    }

    /// Brings the tables up to date; `false` if there are none, and nothing is to be written.
    fn is_ready(&self, connection: &Connection, access: Access) -> Result<bool, Trouble> {
        if connection.is_migrated.get() {
            return Ok(true);
        }
        let has_table = |name: &str| {
            const COUNT: &str = "SELECT count(*) FROM information_schema.tables \
                 WHERE table_schema = current_schema() AND table_name = CAST($1 AS TEXT)";
            Ok::<_, Trouble>(row(connection, COUNT, &[name.into()], |row| row.integer(0))? == Some(1))
        };
        let version = || if has_table("schema_version")? { schema::version(connection) } else { Ok(0) };
        if access == Access::Read && version()? == 0 {
            return Ok(false);
        }
        let first = || match has_table("run")? {
            false => Ok(()),
            true => {
                let foreign = message!("store-server-foreign", path = &self.address.place);
                Err(StoreError::NoStore(foreign).into())
            }
        };
        schema::migrate(connection, &Dialect { version: &version, first: &first }, &self.address.place)?;
        connection.is_migrated.set(true);
        Ok(true)
    }

    /// The error for a trouble that was not overcome.
    fn failed(&self, trouble: Trouble, is_unknown: bool) -> StoreError {
        match is_unknown {
            true => StoreError::Failed(message!("store-server-lost", path = &self.address.place)),
            false => trouble.into_store_error(&self.address.place),
        }
    }
}

/// A connection that is in use. One that is not given back is closed.
struct Lease<'s> {
    store: &'s PostgresStore,
    connection: Option<Connection>,
}

impl Lease<'_> {
    fn give_back(mut self) {
        let mut pool = lock(&self.store.pool);
        pool.idle.extend(self.connection.take());
        // Counted once more than it is: dropping the lease takes that back.
        pool.open += 1;
    }
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        lock(&self.store.pool).open -= 1;
        self.store.is_free.notify_one();
    }
}

impl Backend for PostgresStore {
    fn with<T>(
        &self,
        access: Access,
        work: impl Fn(&dyn Database) -> Result<T, Trouble>,
    ) -> Result<Option<T>, StoreError> {
        let (mut has_lost, mut conflicts) = (false, 0);
        loop {
            let lease = self.take().map_err(|trouble| self.failed(trouble, false))?;
            let connection = lease.connection.as_ref().expect("it was taken");
            connection.is_committing.set(false);
            let done = self.is_ready(connection, access).and_then(|is_ready| match is_ready {
                true => work(connection).map(Some),
                false => Ok(None),
            });
            let is_unknown = access == Access::WriteOnce && connection.is_committing.get();
            match done {
                Err(trouble) if trouble.is_lost() => {
                    drop(lease);
                    // The others were lost with it.
                    self.forget_idle();
                    if has_lost || is_unknown || matches!(trouble, Trouble::Silent) {
                        return Err(self.failed(trouble, is_unknown));
                    }
                    has_lost = true;
                }
                Err(trouble) if trouble.is_conflict() && conflicts < CONFLICTS_MAX => {
                    lease.give_back();
                    conflicts += 1;
                }
                done => {
                    lease.give_back();
                    return done.map_err(|trouble| self.failed(trouble, false));
                }
            }
        }
    }

    fn location(&self) -> &Path {
        &self.address.place
    }

    fn remark(&self, remark: Remark) {
        lock(&self.remarks).push(remark);
    }

    fn take_remarks(&self) -> Vec<Remark> {
        std::mem::take(&mut lock(&self.remarks))
    }

    fn forget_set_aside(&self, _reports: &[Report]) -> Result<(), StoreError> {
        Ok(())
    }

    fn mend(&self) -> Result<Option<Mended>, StoreError> {
        Err(StoreError::Failed(message!("store-server-repair", path = &self.address.place)))
    }

    fn write_aside(&self, _report: &Report) -> Result<PathBuf, StoreError> {
        Err(StoreError::Failed(message!("store-server-no-aside", path = &self.address.place)))
    }
}

impl PostgresStore {
    fn forget_idle(&self) {
        let mut pool = lock(&self.pool);
        let idle = std::mem::take(&mut pool.idle);
        pool.open -= idle.len();
        drop(pool);
        drop(idle);
        self.is_free.notify_all();
    }
}

/// A thread that panicked leaves a consistent pool: its own connection is closed.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
