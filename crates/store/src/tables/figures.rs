//! Reads checkups as flat figures, which lists, trends and comparisons are made from.

use std::collections::{BTreeMap, HashMap};

use cardiograph_core::imported::Figure;
use cardiograph_core::method::Method;
use cardiograph_core::quantity::Quantity;
use cardiograph_core::summary::SmolStr;
use cardiograph_core::{Direction, Doubt, Estimate, Message, message};
use cardiograph_judge::record::{RunFigures, TestFigures, tries};

use super::listed::{str_at, summary, unsigned};
use super::read::damaged;
use super::{digest, sql};
use crate::database::{Access, Database, Row, Transaction, Value};
use crate::trouble::Trouble;

/// Number of checkups read at once.
const AT_ONCE: usize = 256;

/// A checkup as flat figures, or why its content makes no sense although its digest matches.
pub type Figures = Result<RunFigures, Message>;

/// Checkups as flat figures, in the order of `ids`; `None` for missing ones. All are read in one transaction. With `depth`, only
/// what decides may be read.
pub fn figures(database: &dyn Database, ids: &[&str], depth: Depth) -> Result<Vec<Option<Figures>>, Trouble> {
    let _transaction = Transaction::begin(database, Access::Read)?;
    let mut methods = Methods::default();
    let mut found: HashMap<SmolStr, Figures> = HashMap::new();
    for some in ids.chunks(AT_ONCE) {
        found.extend(figures_of(database, some, depth, &mut methods)?);
    }
    let mut ordered: Vec<Option<Figures>> = Vec::new();
    for id in ids {
        // A repeated id was taken out the first time.
        let again = || ordered[ids[..ordered.len()].iter().position(|earlier| earlier == id)?].clone();
        let run = found.remove(*id).or_else(again);
        ordered.push(run);
    }
    Ok(ordered)
}

/// How much of a run is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// Facts, measurements, and how tests were done, without their titles and figures.
    Deciding,
    /// The figures of tests, too.
    All,
}

/// A run whose figures are being read, with the digest of what was read and, as stored, those without and with figures.
struct Head {
    run: RunFigures,
    /// Why the figures make no sense.
    strange: Option<Message>,
    found: u32,
    /// `None` in runs saved before schema version 3.
    kept_deciding: Option<i64>,
    kept: i64,
}

/// Computes the digests of what the figures of this run are read from: without figures, and of everything.
pub fn digests(database: &dyn Database, id: &str) -> Result<[u32; 2], Trouble> {
    let found = |heads: &BTreeMap<i64, Head>| heads.values().map(|head| head.found).sum();
    let mut heads = heads_of(database, &[id])?;
    let places = read_tests(database, &mut heads, Depth::All, &mut Methods::default())?;
    let deciding = found(&heads);
    read_figures(database, &mut heads, &places)?;
    Ok([deciding, found(&heads)])
}

/// The checkups that exist, in any order.
fn figures_of(
    database: &dyn Database,
    ids: &[&str],
    depth: Depth,
    methods: &mut Methods,
) -> Result<Vec<(SmolStr, Figures)>, Trouble> {
    let mut runs = heads_of(database, ids)?;
    let places = read_tests(database, &mut runs, depth, methods)?;
    let has_all = depth == Depth::All || runs.values().any(|head| head.kept_deciding.is_none());
    if has_all {
        read_figures(database, &mut runs, &places)?;
    }
    let kept = |head: &Head| if has_all { Some(head.kept) } else { head.kept_deciding };
    match runs.values().find(|head| kept(head) != Some(i64::from(head.found))) {
        Some(wrong) => Err(damaged(&wrong.run.run.id, message!("store-damage.wrong-figures")).into()),
        None => Ok(runs.into_values().map(Head::into_figures).collect()),
    }
}

/// Run, step and part of each test, and its number in its run.
type Places = HashMap<[i64; 3], usize>;

/// Adds the tests of runs.
fn read_tests(
    database: &dyn Database,
    runs: &mut BTreeMap<i64, Head>,
    depth: Depth,
    methods: &mut Methods,
) -> Result<Places, Trouble> {
    let mut places = Places::new();
    let Some((statement, numbers)) = of_runs(sql::TESTS_OF, runs, sql::TESTS_IN_ORDER) else {
        return Ok(places);
    };
    database.rows(&statement, &numbers, &mut |row| {
        let place = [row.integer(0)?, row.integer(1)?, row.integer(2)?];
        let Some(Head { run, found, strange, .. }) = runs.get_mut(&place[0]) else { return Ok(()) };
        let (id, title, text) = (str_at(row, 3)?, str_at(row, 4)?, str_at(row, 5)?);
        let method = or_strange(methods.read(text), strange);
        *found = digest::add(*found, row, 0..6)?;
        places.insert(place, run.tests.len());
        let title = if depth == Depth::All { title_of(title) } else { Message::verbatim("") };
        let test = id.to_string();
        run.tests.push(TestFigures { test, title, method, figures: Vec::new(), latencies: Vec::new() });
        Ok(())
    })?;
    Ok(places)
}

/// Adds the figures of tests.
fn read_figures(
    database: &dyn Database,
    runs: &mut BTreeMap<i64, Head>,
    places: &Places,
) -> Result<(), Trouble> {
    let Some((statement, numbers)) = of_runs(sql::FIGURES_OF, runs, sql::FIGURES_IN_ORDER) else {
        return Ok(());
    };
    database.rows(&statement, &numbers, &mut |row| {
        let number = row.integer(0)?;
        let Some(Head { run, found, strange, .. }) = runs.get_mut(&number) else { return Ok(()) };
        *found = digest::add(*found, row, 0..12)?;
        let place = [number, row.integer(1)?, row.integer(2)?];
        let Some(&test) = places.get(&place) else { return Ok(()) };
        let metric = str_at(row, 4)?;
        let quantity = metric.parse().unwrap_or_else(|problem: String| {
            strange.get_or_insert_with(|| Message::verbatim(problem));
            Quantity::Iops
        });
        run.tests[test].figures.push(figure(row, quantity)?);
        Ok(())
    })
}

/// A statement for rows of these runs, and their numbers; `None` without any.
fn of_runs(begin: &str, runs: &BTreeMap<i64, Head>, end: &str) -> Option<(String, Vec<Value<'static>>)> {
    let numbers: Vec<Value<'_>> = runs.keys().map(|number| Value::Integer(*number)).collect();
    (!numbers.is_empty()).then(|| (sql::among(begin, numbers.len(), end), numbers))
}

/// The title of a test: a Message in JSON, text in stores of earlier versions.
fn title_of(text: &str) -> Message {
    serde_json::from_str(text).unwrap_or_else(|_| Message::verbatim(text))
}
/// The value that was read; if it makes no sense, `None` and the reason.
fn or_strange<T: Default>(read: serde_json::Result<T>, strange: &mut Option<Message>) -> T {
    read.unwrap_or_else(|error| {
        strange.get_or_insert_with(|| Message::verbatim(error.to_string()));
        T::default()
    })
}

impl Head {
    fn into_figures(self) -> (SmolStr, Figures) {
        let id = self.run.run.id.clone();
        (id, self.strange.map_or_else(|| Ok(together(self.run)), Err))
    }
}

/// Repeats are stored as they ran, one step each.
fn together(mut run: RunFigures) -> RunFigures {
    run.tests = tries::together(run.tests);
    run
}

/// The checkups that exist, by number, without their tests.
fn heads_of(database: &dyn Database, ids: &[&str]) -> Result<BTreeMap<i64, Head>, Trouble> {
    let mut heads = BTreeMap::new();
    let values: Vec<Value<'_>> = ids.iter().map(|id| Value::Text(id)).collect();
    database.rows(&sql::among(sql::RUNS_OF, ids.len(), ""), &values, &mut |row| {
        let run = summary(row)?;
        let number = row.integer(14)?;
        let (facts, measurements) = (str_at(row, 15)?, str_at(row, 16)?);
        let found = digest::add(0, row, 14..17)?;
        let mut strange = None;
        let facts = or_strange(serde_json::from_str(facts), &mut strange);
        let measurements = or_strange(serde_json::from_str(measurements), &mut strange);
        let run = RunFigures { run, facts, measurements, tests: Vec::new() };
        let (kept, kept_deciding) = (row.integer(17)?, row.integer_or_null(18)?);
        heads.insert(number, Head { run, strange, found, kept_deciding, kept });
        Ok(())
    })?;
    Ok(heads)
}

/// Methods read so far: most tests share one.
#[derive(Default)]
struct Methods(HashMap<String, Method>);

impl Methods {
    fn read(&mut self, text: &str) -> serde_json::Result<Method> {
        if let Some(known) = self.0.get(text) {
            return Ok(known.clone());
        }
        let method: Method = serde_json::from_str(text)?;
        self.0.insert(text.to_string(), method.clone());
        Ok(method)
    }
}

fn figure(row: &Row<'_>, quantity: Quantity) -> Result<Figure, Trouble> {
    let direction = row.text_or_null(3)?;
    Ok(Figure {
        direction: direction.and_then(|name| Direction::ALL.into_iter().find(|of| of.name() == name)),
        quantity,
        estimate: Estimate {
            value: row.real(5)?,
            n: unsigned(row.integer(6)?),
            n_effective: row.real(7)?,
            low: row.real_or_null(8)?,
            high: row.real_or_null(9)?,
        },
        window_ns: row.integer_or_null(10)?.map(unsigned),
        doubt: row.text_or_null(11)?.map(doubt),
    })
}

/// A doubt from its JSON. An unknown one still counts as a doubt.
fn doubt(json: &str) -> Doubt {
    serde_json::from_str(json).unwrap_or_else(|_| Doubt::Stated { why: json.to_string() })
}
