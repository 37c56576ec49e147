//! The program's own files on a simulated file system, from one seed: several processes use a store, exports
//! and journals at once, with their calls in any order; some are killed, calls fail, the disk is full, power
//! is cut, and any unsynced data may be lost. After each restart everything acknowledged must be there, and
//! nothing else may have changed.
//!
//! It follows TigerBeetle's simulator. The program's own code runs; only the file calls below it are
//! simulated, those of [`cardiograph_files`] by [`SimulatedFiles`] and those of SQLite by a VFS.
//!
//! Reading order: [`disk`] (durability of a drive) → [`world`] (processes that take turns, faults) →
//! [`files`], [`vfs`] (the two interfaces) → [`story`] (actions of the processes, and invariants).

pub mod disk;
pub mod files;
pub mod locks;
pub mod story;
pub mod vfs;
pub mod world;

pub use files::SimulatedFiles;
pub use world::{Faults, World};
