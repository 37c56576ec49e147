//! The file that records a job's completed writes, in the layout of fio 3.33, little-endian: version 3, length and
//! CRC-32C (without its final inversion) of all that follows (8 bytes each); at 24 the number of listed writes (8), at
//! 32 queue depth and number of files (4 each), at 40 the issued writes (8), at 48 the state of fio's random generator,
//! at 112 the job's name (64), and at 176 file and offset (8 each) of the last completed writes, with room for depth x
//! files.

const HEADER_LEN: usize = 24;
const NAME_AT: usize = 112;
const LIST_AT: usize = 176;

/// Encodes the state of a job with `depth` and `files` that issued `writes`; `complete` has file and offset in bytes of
/// the last completed writes.
pub fn encode(job: &str, depth: u32, files: u32, writes: u64, complete: &[[u64; 2]]) -> Vec<u8> {
    let le = |words: &[u64]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
    let room = depth as usize * files as usize * 16;
    let mut bytes = le(&[3, (LIST_AT - HEADER_LEN + room) as u64, 0, complete.len() as u64]);
    bytes.extend(le(&[u64::from(files) << 32 | u64::from(depth), writes]));
    bytes.resize(NAME_AT, 0);
    bytes.extend(job.bytes().take(LIST_AT - NAME_AT - 1));
    bytes.resize(LIST_AT, 0);
    bytes.extend(le(complete.as_flattened()));
    bytes.resize(LIST_AT + room, 0xff);
    let checksum = !crc32c::crc32c(&bytes[HEADER_LEN..]);
    bytes[16..20].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

/// Queue depth, issued writes, and file and offset of the last completed writes.
pub type State = (u32, u64, Vec<[u64; 2]>);

/// Decodes a state; `None` if it has another version or is damaged.
pub fn decode(bytes: &[u8]) -> Option<State> {
    let words = bytes.chunks_exact(8).map(|word| u64::from_le_bytes(std::array::from_fn(|at| word[at])));
    let words: Vec<u64> = words.collect();
    let body = bytes.get(HEADER_LEN..).filter(|_| bytes.len() >= LIST_AT)?;
    let depth = words[4] as u32;
    let is_whole = words[..3] == [3, body.len() as u64, u64::from(!crc32c::crc32c(body))];
    // For several files, fio has a separate list per file and counts differently.
    let list = words[LIST_AT / 8..].chunks_exact(2).map(|place| [place[0], place[1]]);
    let complete = list.filter(|place| *place != [u64::MAX; 2]).collect();
    is_whole.then_some((depth, words[5], complete))
}
