//! Removes directories of ours with all their content, and nothing else.
//!
//! Any user who may rename a directory can give it one of our names, and root can remove everything. So a tree is
//! removed only after all of it was checked: each entry belongs to the expected user, has an expected name, and is on
//! the same mount (a mount point ends the removal); directories are opened one below the other without following links,
//! and others cannot change them.

use std::ffi::OsStr;
use std::io;
use std::path::Path;

use cardiograph_core::message;
use cardiograph_core::system_error::explained;

use crate::leftovers::NotRemoved;
use crate::{Directory, Facts, Kind, if_there};

/// Write permission of others.
const OTHERS_WRITE: u32 = 0o022;
/// The reason for keeping something with an unexpected name or type.
fn unexpected() -> io::Error {
    explained(io::ErrorKind::Other, message!("tree.unexpected"))
}

/// The expected content of a tree.
pub struct Own<'a> {
    /// Owner of all entries.
    pub user: u32,
    /// The file that marks the tree as ours: it is removed last, so that an interrupted removal can be resumed.
    pub marker: &'a OsStr,
    /// Whether others may write there, as on a file system without permissions.
    pub is_shared: bool,
    /// Whether a file or directory is expected at this path below the top.
    pub is_expected: &'a dyn Fn(&Path, Kind) -> bool,
}

/// Removes `tree`, which is open under `name` in `parent`, with all its content. If anything is unexpected, nothing is
/// removed. Fails with the entry that remains, and the reason.
pub fn remove_tree(
    parent: &dyn Directory,
    name: &OsStr,
    tree: &dyn Directory,
    own: &Own<'_>,
) -> Result<(), NotRemoved> {
    for removes in [false, true] {
        walk(tree, Path::new(name), Path::new(""), own, removes)?;
    }
    let failed = |error| NotRemoved::new(name, error);
    if_there(tree.remove(own.marker))
        .map_err(|error| NotRemoved::new(Path::new(name).join(own.marker), error))?;
    // It may have been moved meanwhile.
    if parent.facts_of(name).map_err(failed)?.identity != tree.facts().map_err(failed)?.identity {
        return Err(failed(unexpected()));
    }
    parent.remove_directory(name).map_err(failed)
}

/// Checks all entries of a directory at `path` below the `top`, and removes them if `removes`, except for the marker.
fn walk(
    dir: &dyn Directory,
    top: &Path,
    path: &Path,
    own: &Own<'_>,
    removes: bool,
) -> Result<(), NotRemoved> {
    let failed = |error| NotRemoved::new(top.join(path), error);
    let facts = dir.facts().map_err(failed)?;
    check_owner(&facts, own).map_err(failed)?;
    if !own.is_shared && facts.mode & OTHERS_WRITE != 0 {
        return Err(failed(explained(io::ErrorKind::Other, message!("tree.others-write"))));
    }
    for name in dir.names().map_err(failed)? {
        let below = path.join(&name);
        let failed = |error| NotRemoved::new(top.join(&below), error);
        let is_marker = below == Path::new(own.marker);
        let is_expected = |kind| if is_marker { kind == Kind::File } else { (own.is_expected)(&below, kind) };
        let inner = check_entry(dir, &name, own, is_expected).map_err(failed)?;
        if let Some(inner) = &inner {
            walk(inner.as_ref(), top, &below, own, removes)?;
        }
        if removes && !is_marker {
            let removed = if inner.is_some() { dir.remove_directory(&name) } else { dir.remove(&name) };
            removed.map_err(failed)?;
        }
    }
    Ok(())
}

/// Checks an entry of a directory, and returns it open if it is a directory.
fn check_entry(
    dir: &dyn Directory,
    name: &OsStr,
    own: &Own<'_>,
    is_expected: impl Fn(Kind) -> bool,
) -> io::Result<Option<Box<dyn Directory>>> {
    let facts = dir.facts_of(name)?;
    check_owner(&facts, own)?;
    match facts.kind {
        Kind::Directory if is_expected(Kind::Directory) => dir.directory(name).map(Some),
        Kind::File if !is_expected(Kind::File) => Err(unexpected()),
        Kind::File if facts.links > 1 => Err(explained(io::ErrorKind::Other, message!("tree.two-names"))),
        Kind::File => Ok(None),
        _ => Err(unexpected()),
    }
}

fn check_owner(facts: &Facts, own: &Own<'_>) -> io::Result<()> {
    match facts.user {
        user if user == own.user => Ok(()),
        user => Err(explained(io::ErrorKind::Other, message!("tree.owner", user = user.to_string()))),
    }
}
