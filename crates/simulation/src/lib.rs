//! The program's own files on a simulated file system, from one seed: several processes use a store, exports and journals at
//! once, in every order of their calls; some are killed, calls fail, the disk is full, power is cut and what was not synced is
//! lost in any part. After each restart all that was acknowledged is there, and nothing else has changed.
//!
//! It is built in the manner of TigerBeetle's simulator. What runs is the program's own code: only the calls of files below it
//! are simulated, those of [`cardiograph_files`] by [`SimulatedFiles`] and those of SQLite by a VFS.
//!
//! Reading order: [`disk`] (what a drive keeps) → [`world`] (processes that take turns, faults) → [`files`], [`vfs`] (the two
//! ways in) → [`story`] (what the processes do, and what must hold).

pub mod disk;
pub mod files;
pub mod locks;
pub mod story;
pub mod vfs;
pub mod world;

pub use files::SimulatedFiles;
pub use world::{Faults, World};
