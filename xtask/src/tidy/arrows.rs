//! Dependencies between the files of a package, and on other packages.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::source::{CodePath, Package};

/// The target of a path in code.
enum PathTarget {
    /// A module itself.
    Module(usize),
    /// An item that a module defines.
    Item(usize),
    /// The full path of an item in another package, or a name that no module defines.
    Outside(CodePath),
}

/// Pairs of file indexes: the first file uses the second. The value is the line of the first use.
pub type Arrows = BTreeMap<(usize, usize), usize>;

/// A use of another package: the index of the file, the line, and the path.
pub type Outward = (usize, usize, String);

/// Finds the uses between the files of a package, and of other packages.
///
/// An item belongs to the file that defines it, whichever module exports it. A module's use of its own parts
/// is not counted, only their use of the module.
pub fn arrows(package: &Package) -> (Arrows, Vec<Outward>) {
    let (mut arrows, mut outward) = (Arrows::new(), Vec::new());
    for (index, module) in package.modules.iter().enumerate() {
        for (path, &line) in &module.mentions {
            match package.follow(index, path, &mut HashSet::new()) {
                PathTarget::Item(used) if !package.is_within(used, index) => {
                    let first = arrows.entry((module.file, package.modules[used].file)).or_insert(line);
                    *first = line.min(*first);
                }
                PathTarget::Outside(path) => outward.push((module.file, line, path.join("::"))),
                _ => {}
            }
        }
    }
    arrows.retain(|(from, to), _| from != to);
    (arrows, outward)
}

/// The strongly connected components: sets of files that all depend on each other, directly or indirectly.
pub fn circles(arrows: &Arrows) -> Vec<BTreeSet<usize>> {
    let reach = |start: usize| {
        let (mut reached, mut waiting) = (BTreeSet::new(), vec![start]);
        while let Some(from) = waiting.pop() {
            let next = arrows.range((from, 0)..=(from, usize::MAX)).map(|((_, to), _)| *to);
            waiting.extend(next.filter(|to| reached.insert(*to)));
        }
        reached
    };
    let users: BTreeSet<usize> = arrows.keys().map(|(from, _)| *from).collect();
    let reached: BTreeMap<usize, BTreeSet<usize>> = users.iter().map(|file| (*file, reach(*file))).collect();
    let uses = |from: &usize, to: &usize| reached.get(from).is_some_and(|files| files.contains(to));
    let in_circles = users.iter().filter(|file| uses(file, file));
    let circles: BTreeSet<BTreeSet<usize>> = in_circles
        .map(|file| reached[file].iter().filter(|other| uses(other, file)).copied().collect())
        .collect();
    circles.into_iter().collect()
}

impl Package {
    fn is_within(&self, module: usize, ancestor: usize) -> bool {
        let parents = std::iter::successors(Some(module), |module| self.modules[*module].parent);
        parents.into_iter().any(|module| module == ancestor)
    }

    /// Follows a path from a module. `seen` holds the names looked up so far, so that cyclic imports
    /// terminate.
    fn follow(&self, module: usize, path: &[String], seen: &mut HashSet<(usize, String)>) -> PathTarget {
        let parent = |module: usize| self.modules[module].parent.unwrap_or(module);
        let root = std::iter::successors(Some(module), |module| self.modules[*module].parent).last();
        let first = match path[0].as_str() {
            "crate" => root.map(PathTarget::Module),
            "self" => Some(PathTarget::Module(module)),
            "super" => Some(PathTarget::Module(parent(module))),
            name => self.find(module, name, path.len() == 1, seen),
        };
        let Some(mut target) = first else { return PathTarget::Outside(path.to_vec()) };
        for (at, name) in path.iter().enumerate().skip(1) {
            let is_last = at == path.len() - 1;
            target = match target {
                PathTarget::Module(module) if name == "super" => PathTarget::Module(parent(module)),
                PathTarget::Module(module) => {
                    self.find(module, name, is_last, seen).unwrap_or(PathTarget::Item(module))
                }
                PathTarget::Item(module) => PathTarget::Item(module),
                PathTarget::Outside(path) => PathTarget::Outside([path, vec![name.clone()]].concat()),
            };
        }
        target
    }

    /// Looks a name up in a module. At the end of a path, an item takes precedence over a module with the
    /// same name.
    fn find(
        &self,
        index: usize,
        name: &str,
        is_last: bool,
        seen: &mut HashSet<(usize, String)>,
    ) -> Option<PathTarget> {
        if !seen.insert((index, name.to_string())) {
            return None;
        }
        let module = &self.modules[index];
        let child = module.children.get(name).map(|child| PathTarget::Module(*child));
        if !is_last && child.is_some() {
            return child;
        }
        if module.items.contains(name) {
            return Some(PathTarget::Item(index));
        }
        if let Some(path) = module.imports.get(name) {
            return Some(self.follow(index, path, seen));
        }
        child.or_else(|| {
            module.globs.iter().find_map(|glob| match self.follow(index, glob, seen) {
                PathTarget::Module(module) => self.find(module, name, is_last, seen),
                _ => None,
            })
        })
    }
}
