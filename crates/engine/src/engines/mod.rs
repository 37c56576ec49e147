//! One file per engine; the list is [`crate::engine::ENGINES`].

pub(crate) mod at_once;
pub mod dircreate;
pub mod dirdelete;
pub mod dirstat;
pub mod falloc;
pub mod filecreate;
pub mod filedelete;
pub mod filestat;
pub mod ftruncate;
mod in_place;
#[cfg_attr(not(target_pointer_width = "64"), path = "io_uring_absent.rs")]
pub mod io_uring;
mod letting_go;
pub mod libaio;
pub mod mmap;
pub mod null;
mod positioned;
#[cfg_attr(not(target_pointer_width = "64"), path = "posixaio_absent.rs")]
pub mod posixaio;
pub mod psync;
pub mod pvsync;
pub mod pvsync2;
pub mod sim;
#[cfg(test)]
mod skeleton;
pub mod sync;
mod trim;
pub mod vsync;
mod whole_file;
