//! Removing directories of our own with all that is in them, and nothing else.
//!
//! Who may rename a directory can give it the name of one of ours, and root removes what nobody else could. So a tree goes only
//! after all of it was looked at: each entry is the expected user's, has a name that is expected there, and lies on the
//! same mount (a file that something is mounted on cannot be removed, and ends the removal); directories are opened one
//! below the other without following links, and nobody else may change them.

use std::ffi::OsStr;
use std::io;
use std::path::Path;

use cardiograph_core::message;
use cardiograph_core::system_error::explained;

use crate::leftovers::Stays;
use crate::{Directory, Facts, Kind, if_there};

/// Permission of others to write.
const OTHERS_WRITE: u32 = 0o022;
/// Why something stays that has no name or kind of ours.
fn unexpected() -> io::Error {
    explained(io::ErrorKind::Other, message!("tree.unexpected"))
}

/// What a tree may consist of.
pub struct Own<'a> {
    /// Whose all of it is.
    pub user: u32,
    /// The file in it that says whose it is: it goes last, so that a removal that was cut off can be resumed.
    pub marker: &'a OsStr,
    /// Whether others may write there, as on a file system without permissions.
    pub is_shared: bool,
    /// Whether a file or directory of this path below the top is expected.
    pub is_expected: &'a dyn Fn(&Path, Kind) -> bool,
}

/// Removes `tree`, which is open and has the name `name` in `parent`, with all that is in it. Where anything is not as
/// expected, nothing is removed. Fails with what stays, and why.
pub fn remove_tree(
    parent: &dyn Directory,
    name: &OsStr,
    tree: &dyn Directory,
    own: &Own<'_>,
) -> Result<(), Stays> {
    for removes in [false, true] {
        walk(tree, Path::new(name), Path::new(""), own, removes)?;
    }
    let failed = |error| Stays::new(name, error);
    if_there(tree.remove(own.marker)).map_err(|error| Stays::new(Path::new(name).join(own.marker), error))?;
    // Somebody may have moved it meanwhile.
    if parent.facts_of(name).map_err(failed)?.identity != tree.facts().map_err(failed)?.identity {
        return Err(failed(unexpected()));
    }
    parent.remove_directory(name).map_err(failed)
}

/// Looks at all that is in a directory at `path` below the `top`, and removes it, if wanted, except for the marker.
fn walk(dir: &dyn Directory, top: &Path, path: &Path, own: &Own<'_>, removes: bool) -> Result<(), Stays> {
    let failed = |error| Stays::new(top.join(path), error);
    let facts = dir.facts().map_err(failed)?;
    check_owner(&facts, own).map_err(failed)?;
    if !own.is_shared && facts.mode & OTHERS_WRITE != 0 {
        return Err(failed(explained(io::ErrorKind::Other, message!("tree.others-write"))));
    }
    for name in dir.names().map_err(failed)? {
        let below = path.join(&name);
        let failed = |error| Stays::new(top.join(&below), error);
        let is_marker = below == Path::new(own.marker);
        let is_expected = |kind| if is_marker { kind == Kind::File } else { (own.is_expected)(&below, kind) };
        let inner = look(dir, &name, own, is_expected).map_err(failed)?;
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

/// Looks at an entry of a directory. Returns it open where it is a directory.
fn look(
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
