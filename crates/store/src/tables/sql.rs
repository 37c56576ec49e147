//! The SQL statements, in the dialect that SQLite and PostgreSQL share. Parameters are `$1`, `$2`, ... in order of
//! first use.

/// The columns of a list, its sort key, and the digest of both.
macro_rules! listed {
    () => {
        "id, started_unix_ms, suite, state, label, host, path, models, drive_ids, tags, capacity_bytes, steps, \
         sorted_unix_ms, digest"
    };
}

/// The number of the run with an id.
pub const RUN_NUMBER: &str = "SELECT number FROM run WHERE id = $1";
/// What stays of the run with an id when it is saved again: its sort key, its drive, who sent it, and what was sent.
pub const KNOWN: &str = "SELECT sorted_unix_ms, drive, sender, sent, number FROM run WHERE id = $1";
/// The number of runs. SQLite counts in an index, not in the table that lists are read from.
pub const COUNT: &str = "SELECT count(*) FROM run";
/// Inserts or updates a run. Its sort key stays as first saved.
pub const UPSERT_RUN: &str = concat!(
    "INSERT INTO run (id, started_unix_ms, sorted_unix_ms, suite, state, label, host, path, models, \
     drive_ids, tags, capacity_bytes, steps, drive, digest) \
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, 0) \
     ON CONFLICT (id) DO UPDATE SET started_unix_ms = excluded.started_unix_ms, suite = excluded.suite, \
     state = excluded.state, label = excluded.label, host = excluded.host, path = excluded.path, \
     models = excluded.models, drive_ids = excluded.drive_ids, tags = excluded.tags, \
     capacity_bytes = excluded.capacity_bytes, steps = excluded.steps, drive = excluded.drive \
     RETURNING ",
    listed!(),
    ", number"
);
/// Sets the digest of a run's row.
pub const SET_RUN_DIGEST: &str = "UPDATE run SET digest = $2 WHERE number = $1";
/// Inserts a run's large columns.
pub const UPSERT_HEAD: &str = "INSERT INTO run_head (run, facts, measurements, body, steps, digest) \
     VALUES ($1, $2, $3, $4, $5, 0) \
     ON CONFLICT (run) DO UPDATE SET facts = excluded.facts, measurements = excluded.measurements, body = excluded.body, \
     steps = excluded.steps";
/// Sets the digests of a run's figures.
pub const SET_HEAD_DIGESTS: &str = "UPDATE run_head SET digest_of_deciding = $2, digest = $3 WHERE run = $1";
/// Deletes a run's tags.
pub const DELETE_TAGS: &str = "DELETE FROM run_tag WHERE run = $1";
/// Deletes a run's large columns.
pub const DELETE_HEAD: &str = "DELETE FROM run_head WHERE run = $1";
/// Deletes a run.
pub const DELETE_RUN: &str = "DELETE FROM run WHERE number = $1";
/// Inserts a tag of a run.
pub const INSERT_TAG: &str = "INSERT INTO run_tag (run, name, value) VALUES ($1, $2, $3)";
/// Deletes a run's drives.
pub const DELETE_DRIVES: &str = "DELETE FROM run_drive WHERE run = $1";
/// Inserts a name of a run's drive.
pub const INSERT_DRIVE: &str =
    "INSERT INTO run_drive (run, name) VALUES ($1, $2) ON CONFLICT (run, name) DO NOTHING";
/// Selects what is stored of a run's steps.
pub const STEP_DIGESTS: &str = "SELECT number, digest FROM step WHERE run = $1";
/// Inserts or updates a step.
pub const UPSERT_STEP: &str = "INSERT INTO step (run, number, digest, body) VALUES ($1, $2, $3, $4) \
     ON CONFLICT (run, number) DO UPDATE SET digest = excluded.digest, body = excluded.body";
/// Deletes a run's steps from a number on.
pub const DELETE_STEPS_FROM: &str = "DELETE FROM step WHERE run = $1 AND number >= $2";
/// Deletes the tests of a step.
pub const DELETE_TESTS: &str = "DELETE FROM test WHERE run = $1 AND step = $2";
/// Deletes the figures of a step.
pub const DELETE_FIGURES: &str = "DELETE FROM figure WHERE run = $1 AND step = $2";
/// Deletes the tests of a run's steps from a number on.
pub const DELETE_TESTS_FROM: &str = "DELETE FROM test WHERE run = $1 AND step >= $2";
/// Deletes the figures of a run's steps from a number on.
pub const DELETE_FIGURES_FROM: &str = "DELETE FROM figure WHERE run = $1 AND step >= $2";
/// Inserts a test of a step.
pub const INSERT_TEST: &str =
    "INSERT INTO test (run, step, part, id, title, method) VALUES ($1, $2, $3, $4, $5, $6)";
/// Inserts a figure of a test.
pub const INSERT_FIGURE: &str = "INSERT INTO figure (run, step, part, number, direction, metric, value, n, n_effective, low, \
     high, window_ns, doubt) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)";
/// Selects a run's number of steps, and the Report without them.
pub const HEAD: &str = "SELECT steps, body FROM run_head WHERE run = $1";
/// Counts a run's stored steps.
pub const COUNT_STEPS: &str = "SELECT count(*) FROM step WHERE run = $1";
/// Selects all steps of a run.
pub const STEPS: &str = "SELECT digest, body, number FROM step WHERE run = $1";
/// Selects a step.
pub const STEP: &str = "SELECT digest, body FROM step WHERE run = $1 AND number = $2";
/// Start of the statement that lists runs with their numbers.
pub const NUMBERED: &str = concat!("SELECT ", listed!(), ", number FROM run");
/// Start of the statement that lists runs; conditions follow.
pub const SUMMARIES: &str = concat!("SELECT ", listed!(), " FROM run");
/// Its end: newest first.
pub const NEWEST_FIRST: &str = "ORDER BY sorted_unix_ms DESC, number DESC";
/// Alternative end: most recently saved first.
pub const KEPT_LAST_FIRST: &str = "ORDER BY number DESC";
/// Start of the statement that selects, for some runs, their numbers, the columns of [`SUMMARIES`], conditions other
/// than the drive, and the deciding figures; the ids follow ([`among`]).
pub const RUNS_OF: &str = concat!(
    "SELECT ",
    listed!(),
    ", number, facts, measurements, head_digest, digest_of_deciding FROM run LEFT JOIN \
     (SELECT run, facts, measurements, digest AS head_digest, digest_of_deciding FROM run_head) head \
     ON run = number WHERE id"
);
/// Start of the statement for the tests of some runs; their numbers follow.
pub const TESTS_OF: &str = "SELECT run, step, part, id, title, method FROM test WHERE run";
/// Its end.
pub const TESTS_IN_ORDER: &str = "ORDER BY run, step, part";
/// Start of the statement for the figures of some runs; their numbers follow.
pub const FIGURES_OF: &str = "SELECT run, step, part, direction, metric, value, n, n_effective, low, high, window_ns, doubt \
     FROM figure WHERE run";
/// Its end.
pub const FIGURES_IN_ORDER: &str = "ORDER BY run, step, part, number";

/// The columns of a drive; the digest is of those from the key to the name.
macro_rules! drive {
    () => {
        "number, key, joined, checkups, first_unix_ms, last_unix_ms, newest_run, newest, models, drive_ids, label, \
         host, path, capacity_bytes, name, digest"
    };
}
/// Start of the statement that lists drives; conditions follow.
pub const DRIVES: &str = concat!("SELECT ", drive!(), " FROM drive");
/// Start of the statement that counts drives.
pub const COUNT_DRIVES: &str = "SELECT count(*) FROM drive";
/// Finds or makes the drive with a key, and locks it.
pub const HOLD_DRIVE: &str = concat!(
    "INSERT INTO drive (key, checkups, first_unix_ms, last_unix_ms, newest_run, newest, models, drive_ids, path, \
     name, digest) VALUES ($1, 0, 0, 0, 0, '', '', '', '', '', 0) \
     ON CONFLICT (key) DO UPDATE SET key = excluded.key RETURNING ",
    drive!()
);
/// Selects and locks the drive with a key.
pub const DRIVE_OF_KEY: &str = concat!("UPDATE drive SET key = key WHERE key = $1 RETURNING ", drive!());
/// Selects and locks the drive with a number.
pub const HOLD_DRIVE_NUMBER: &str =
    concat!("UPDATE drive SET key = key WHERE number = $1 RETURNING ", drive!());
/// The drives that are joined to one.
pub const JOINED: &str = concat!("SELECT ", drive!(), " FROM drive WHERE joined = $1");
/// Their number.
pub const JOINED_TO: &str = "SELECT count(*) FROM drive WHERE joined = $1";
/// All joined drives.
pub const JOINS: &str = "SELECT one.key, other.key FROM drive one JOIN drive other ON other.number = one.joined \
     ORDER BY one.number";
/// The number of the drive with a key, or of the one that it is joined to, and each key of that.
pub const DRIVE_KEYS: &str = "SELECT main.number, every.key FROM drive one \
     JOIN drive main ON main.number = coalesce(one.joined, one.number) \
     JOIN drive every ON every.number = main.number OR every.joined = main.number WHERE one.key = $1";
/// Updates a drive.
pub const UPDATE_DRIVE: &str = concat!(
    "UPDATE drive SET joined = $2, checkups = $3, first_unix_ms = $4, last_unix_ms = $5, newest_run = $6, newest = $7, \
     models = $8, drive_ids = $9, label = $10, host = $11, path = $12, capacity_bytes = $13, name = $14 \
     WHERE number = $1 RETURNING ",
    drive!()
);
/// Sets the digest of a drive.
pub const SET_DRIVE_DIGEST: &str = "UPDATE drive SET digest = $2 WHERE number = $1";
/// Deletes a drive.
pub const DELETE_DRIVE: &str = "DELETE FROM drive WHERE number = $1";
/// Sets the drive of a run.
pub const SET_RUN_DRIVE: &str = "UPDATE run SET drive = $2 WHERE number = $1";
/// Moves the runs of a drive to another.
pub const MOVE_RUNS: &str = "UPDATE run SET drive = $2 WHERE drive = $1";
/// The newest run of a drive.
pub const NEWEST_OF_DRIVE: &str = concat!(
    "SELECT ",
    listed!(),
    ", number FROM run WHERE drive = $1 ORDER BY sorted_unix_ms DESC, number DESC LIMIT 1"
);
/// How many runs a drive has, and the first one's sort key.
pub const COUNT_OF_DRIVE: &str = "SELECT count(*), min(sorted_unix_ms) FROM run WHERE drive = $1";

/// The runs after a number, with the keys of their drives.
pub const ARRIVALS: &str = "SELECT run.number, run.id, drive.key FROM run JOIN drive ON drive.number = run.drive \
     WHERE run.number > $1 ORDER BY run.number LIMIT $2";
/// The last of them.
pub const LAST_ARRIVAL: &str = "SELECT run.number, run.id, drive.key FROM run JOIN drive ON drive.number = run.drive \
     ORDER BY run.number DESC LIMIT 1";
/// The key of a run's drive.
pub const KEY_OF_RUN: &str =
    "SELECT drive.key FROM run JOIN drive ON drive.number = run.drive WHERE run.id = $1";
/// Sets who sent a run, and what.
pub const SET_SENDER: &str = "UPDATE run SET sender = $2, sent = $3 WHERE id = $1";
/// The ids of runs before a time, without the newest ones of each drive.
pub const PRUNABLE: &str = "SELECT id FROM (SELECT id, sorted_unix_ms, \
     row_number() OVER (PARTITION BY drive ORDER BY sorted_unix_ms DESC, number DESC) AS rank FROM run) ranked \
     WHERE rank > $2 AND sorted_unix_ms < $1";
/// Adds a token.
pub const INSERT_TOKEN: &str = "INSERT INTO token (name, role, hash, created_unix_ms, expires_unix_ms) \
     VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING";
/// Lists tokens; conditions follow.
pub const TOKENS: &str =
    "SELECT name, role, created_unix_ms, expires_unix_ms, revoked_unix_ms, used_unix_ms FROM token";
/// Revokes a token.
pub const REVOKE_TOKEN: &str =
    "UPDATE token SET revoked_unix_ms = $2 WHERE name = $1 AND revoked_unix_ms IS NULL";
/// Gives a token another secret, which is valid for as long as the first one was.
pub const REPLACE_TOKEN: &str = "UPDATE token SET hash = $2, expires_unix_ms = $3 + expires_unix_ms - created_unix_ms, \
     created_unix_ms = $3, revoked_unix_ms = NULL, used_unix_ms = NULL WHERE name = $1";
/// Notes when a token was used.
pub const USE_TOKEN: &str = "UPDATE token SET used_unix_ms = $2 WHERE name = $1";
/// Adds an entry to the audit list.
pub const INSERT_AUDIT: &str = "INSERT INTO audit (unix_ms, who, what, subject) VALUES ($1, $2, $3, $4)";
/// Lists entries before a number, the newest first.
pub const AUDIT: &str = "SELECT number, unix_ms, who, what, subject FROM audit WHERE number < $1 \
     ORDER BY number DESC LIMIT $2";
/// Deletes entries before a time.
pub const PRUNE_AUDIT: &str = "DELETE FROM audit WHERE unix_ms < $1";
/// Notes a checkup that is to be sent.
pub const INSERT_UNSENT: &str =
    "INSERT INTO outbox (server, id, since_unix_ms) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
/// Lists what is to be sent, the first noted first.
pub const OUTBOX: &str = "SELECT server, id FROM outbox ORDER BY since_unix_ms, id, server";
/// Forgets a checkup that was to be sent to a server.
pub const DELETE_UNSENT: &str = "DELETE FROM outbox WHERE server = $1 AND id = $2";
/// Forgets a checkup that was to be sent.
pub const DELETE_UNSENT_ANYWHERE: &str = "DELETE FROM outbox WHERE id = $1";

/// Start of the statement for the cards of some drives; their keys follow.
pub const CARDS_OF: &str = "SELECT drive_key, made_of, body FROM card WHERE drive_key";
/// Keeps a card.
pub const UPSERT_CARD: &str = "INSERT INTO card (drive_key, made_of, body) VALUES ($1, $2, $3) \
     ON CONFLICT (drive_key) DO UPDATE SET made_of = excluded.made_of, body = excluded.body";
/// Forgets a drive's card.
pub const DELETE_CARD: &str = "DELETE FROM card WHERE drive_key = $1";

/// A statement for rows with any of `count` values: `BEGIN IN ($1, $2) END`.
pub fn among(begin: &str, count: usize, end: &str) -> String {
    let values: Vec<String> = (1..=count).map(|number| format!("${number}")).collect();
    format!("{begin} IN ({}) {end}", values.join(", "))
}

/// All statements, to test them on each database.
#[cfg(test)]
pub fn all() -> Vec<String> {
    let some = [(RUNS_OF, ""), (TESTS_OF, TESTS_IN_ORDER), (FIGURES_OF, FIGURES_IN_ORDER), (CARDS_OF, "")];
    let some = some.map(|(begin, end)| among(begin, 3, end));
    let lists = [NEWEST_FIRST, KEPT_LAST_FIRST].map(|end| format!("{SUMMARIES} {end}"));
    ALONE.iter().map(|statement| statement.to_string()).chain(some).chain(lists).collect()
}

/// The complete statements.
#[cfg(test)]
const ALONE: &[&str] = &[
    RUN_NUMBER,
    KNOWN,
    COUNT,
    UPSERT_RUN,
    UPSERT_HEAD,
    DELETE_HEAD,
    DELETE_RUN,
    DELETE_TAGS,
    INSERT_TAG,
    DELETE_DRIVES,
    INSERT_DRIVE,
    STEP_DIGESTS,
    UPSERT_STEP,
    DELETE_STEPS_FROM,
    DELETE_TESTS,
    DELETE_FIGURES,
    DELETE_TESTS_FROM,
    DELETE_FIGURES_FROM,
    INSERT_TEST,
    INSERT_FIGURE,
    SET_RUN_DIGEST,
    HEAD,
    COUNT_STEPS,
    STEPS,
    STEP,
    SET_HEAD_DIGESTS,
    NUMBERED,
    DRIVES,
    COUNT_DRIVES,
    HOLD_DRIVE,
    DRIVE_OF_KEY,
    HOLD_DRIVE_NUMBER,
    JOINED,
    JOINED_TO,
    JOINS,
    DRIVE_KEYS,
    UPDATE_DRIVE,
    SET_DRIVE_DIGEST,
    DELETE_DRIVE,
    SET_RUN_DRIVE,
    MOVE_RUNS,
    NEWEST_OF_DRIVE,
    COUNT_OF_DRIVE,
    ARRIVALS,
    LAST_ARRIVAL,
    KEY_OF_RUN,
    SET_SENDER,
    PRUNABLE,
    INSERT_TOKEN,
    TOKENS,
    REVOKE_TOKEN,
    REPLACE_TOKEN,
    USE_TOKEN,
    INSERT_AUDIT,
    AUDIT,
    PRUNE_AUDIT,
    INSERT_UNSENT,
    OUTBOX,
    DELETE_UNSENT,
    DELETE_UNSENT_ANYWHERE,
    UPSERT_CARD,
    DELETE_CARD,
    "SELECT version FROM schema_version",
    "UPDATE schema_version SET version = $1",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::in_memory;

    #[test]
    fn sqlite_accepts_every_statement() {
        let connection = in_memory().unwrap();
        for statement in all() {
            let prepared = connection.prepare(&statement.replace('$', "?"));
            prepared.unwrap_or_else(|error| panic!("{statement}: {error}"));
        }
    }
}
