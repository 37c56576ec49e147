//! One file per engine; the list is [`crate::engine::ENGINES`].

pub(crate) mod at_once;
#[cfg_attr(not(target_pointer_width = "64"), path = "io_uring_absent.rs")]
pub mod io_uring;
mod letting_go;
pub mod libaio;
pub mod null;
pub mod psync;
pub mod sim;
#[cfg(test)]
mod skeleton;
pub mod sync;
mod trim;
