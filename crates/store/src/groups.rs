//! Groups of checkups to compare.

use cardiograph_core::method::TOOL;
use cardiograph_judge::compare::Group;
use cardiograph_judge::record::RunFigures;

use crate::drive::is_key;
use crate::select::{SelectError, select};
use crate::{Store, StoreError};

/// The fact that tells drives apart.
pub const MODEL: &str = "model";
/// Maximum number of runs whose latencies are read: a second or two.
const POOLED_RUNS_MAX: usize = 300;
/// Number of Reports in memory at once, each of a megabyte.
const LOADED_AT_ONCE: usize = 20;

/// The checkups that a selector names, oldest first, with the latencies that this program measured.
///
/// # Errors
/// When it names none, or the store cannot be read.
pub fn runs(selector: &str, store: &dyn Store) -> Result<Vec<RunFigures>, SelectError> {
    let found = select(selector, store)?;
    let ids: Vec<&str> = found.iter().map(|run| run.id.as_str()).collect();
    let whole = if ids.len() <= POOLED_RUNS_MAX { whole(&ids, store).ok() } else { None };
    let mut runs = match whole {
        Some(runs) => runs,
        // Too many, or one is damaged.
        None => {
            let mut runs = store.figures(&ids)?;
            add_latencies(&mut runs, store);
            runs
        }
    };
    runs.reverse();
    Ok(runs)
}

/// The figures of runs with their latencies. No Report is held for longer than its figures are taken.
fn whole(ids: &[&str], store: &dyn Store) -> Result<Vec<RunFigures>, StoreError> {
    let mut runs = Vec::new();
    for some in ids.chunks(LOADED_AT_ONCE) {
        runs.extend(store.load_all(some)?.iter().map(RunFigures::from_report));
    }
    Ok(runs)
}

/// Adds the latencies of saved runs, from their Reports: percentiles of several runs together need them. There are none for
/// runs that have them, and for more runs than are read in a moment.
pub fn add_latencies(runs: &mut [RunFigures], store: &dyn Store) {
    // Imports have none.
    let is_without = |run: &RunFigures| {
        let mut own = run.tests.iter().filter(|test| test.method.tool == TOOL);
        own.any(|test| test.latencies.is_empty())
    };
    if runs.len() > POOLED_RUNS_MAX {
        return;
    }
    for run in runs.iter_mut().filter(|run| is_without(run)) {
        if let Ok(report) = store.load(&run.run.id) {
            *run = RunFigures::from_report(&report);
        }
    }
}

/// The label that all runs share, with their model if another group has that name.
pub fn shared_label(runs: &[RunFigures], groups: &[Group]) -> Option<String> {
    let label = runs.first()?.run.label.clone()?;
    if runs.iter().any(|run| run.run.label.as_ref() != Some(&label)) {
        return None;
    }
    let model = runs[0].facts.get(MODEL).filter(|_| groups.iter().any(|group| group.name == label));
    Some(model.map_or_else(|| label.to_string(), |model| format!("{label}, {model}")))
}

/// The name, numbered if another group has it.
pub fn unique_name(name: &str, groups: &[Group]) -> String {
    let is_free = |name: &String| groups.iter().all(|group| group.name != *name);
    let numbered = (2..).map(|number| format!("{name} #{number}"));
    std::iter::once(name.to_string()).chain(numbered).find(is_free).unwrap_or_default()
}

/// A group for each selector, the baseline first; its name is the label of its runs, else the selector without its kind.
///
/// # Errors
/// The selector that names no checkup, and why.
pub fn groups(selectors: &[String], store: &dyn Store) -> Result<Vec<Group>, SelectError> {
    let mut groups: Vec<Group> = Vec::new();
    for selector in selectors {
        let runs = runs(selector, store)?;
        // A key says nothing to people.
        let model = runs.first().and_then(|run| run.facts.get(MODEL)).filter(|_| is_named_by_key(selector));
        let bare = || match (model, selector.split_once(':')) {
            (Some(model), _) => model.clone(),
            (None, Some((_, name))) => name.to_string(),
            (None, None) => selector.clone(),
        };
        let name = unique_name(&shared_label(&runs, &groups).unwrap_or_else(bare), &groups);
        groups.push(Group { name, runs });
    }
    Ok(groups)
}

fn is_named_by_key(selector: &str) -> bool {
    selector.strip_prefix("drive:").is_some_and(is_key)
}
