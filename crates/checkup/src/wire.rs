//! The protocol between a checkup and the Agent: frames of JSON on a socket. `docs/agent.md` describes it.

use cardiograph_core::system_error::cause;
use cardiograph_core::{Message, message, schemars};
use std::fmt;
use std::io::{self, Read, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;

use cardiograph_core::replay::ReplayRules;
use cardiograph_engine::Event as RunEvent;
use cardiograph_engine::fill_files::FillSet;
use cardiograph_suites::NextStep;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::failure::Failure;
use crate::job_runner::{JobsSpec, OwnFile, RunSpec};
use crate::runner::{RunEnd, TargetSpec, Terms, Wanted};
use crate::sink::{Began, Event};

/// Protocol version. It rises with each change: both ends are the same program, and another version is
/// refused.
pub const VERSION: u32 = 4;
/// Maximum length of a frame, in bytes.
pub const FRAME_LEN_BYTES_MAX: usize = 1 << 28;
/// Length of a frame's length field, in bytes.
const HEAD_LEN_BYTES: usize = 4;
/// Length of a read, in bytes.
const CHUNK_LEN_BYTES: usize = 1 << 14;

/// The first frame of each side.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Hello {
    /// Protocol version.
    pub wire: u32,
    /// The program, with its version.
    pub program: String,
}

/// A frame to the Agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ToAgent {
    /// Identification; the first frame.
    Hello(Hello),
    /// A call. The next one comes after the reply.
    Call(Box<Call>),
    /// Stop the current call, because of this signal.
    Stop {
        /// Its number.
        signal: u8,
    },
    /// Request complete results of the run so far, with latencies.
    Look,
    /// Answers [`Ready`](FromAgent::Ready).
    Start {
        /// When, on the kernel's monotonic clock, in nanoseconds; `null`: at once.
        at_ns: Option<u64>,
    },
}

/// Calls to the Agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[allow(clippy::large_enum_variant, reason = "one lives at a time")]
pub enum Call {
    /// Opens the target of a checkup, or that on which jobs are monitored. Answered by
    /// [`Opened`](crate::runner::Opened).
    Open(TargetSpec),
    /// [`Runner::look`](crate::runner::Runner::look). Answered by [`Looked`](crate::runner::Looked).
    Look,
    /// [`Runner::make_ready`](crate::runner::Runner::make_ready). Answered by `null`.
    MakeReady(Wanted),
    /// [`Runner::begin`](crate::runner::Runner::begin). Answered by [`Begun`](crate::runner::Begun).
    Begin(Terms),
    /// [`Runner::run_step`](crate::runner::Runner::run_step). Answered by [`StepRun`](crate::runner::StepRun).
    Step {
        /// Its number among the steps of the Report, from 0.
        nth: u64,
        /// The step.
        next: NextStep,
        /// Whether the progress of its jobs needs latency percentiles.
        wants_latency: bool,
        /// Whether its jobs start together with those of other hosts: at a [`Start`](ToAgent::Start).
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        starts_together: bool,
    },
    /// [`Runner::leave_drive`](crate::runner::Runner::leave_drive). Answered by [`DriveLeft`](crate::runner::DriveLeft).
    Leave(RunEnd),
    /// [`Runner::read_health`](crate::runner::Runner::read_health). Answered by a list of
    /// [`DriveHealth`](cardiograph_core::drive::DriveHealth).
    Health,
    /// [`Runner::clean`](crate::runner::Runner::clean). Answered by [`Cleaned`](crate::cleaned::Cleaned).
    Clean {
        /// A set of parts that is not needed.
        unneeded: Option<FillSet>,
    },
    /// What a name refers to. Answered by [`FileFacts`](cardiograph_jobs::resolve::FileFacts).
    File(String),
    /// Whether a name refers to a directory.
    IsDirectory(String),
    /// The bytes of a file that is part of a pattern. Answered by `Ok` with them, or `Err` with why they cannot be read.
    PatternFile(String),
    /// Summary of a recording. Answered by `Ok` with a [`Recording`](cardiograph_core::replay::Recording), or
    /// `Err` with what is wrong with it.
    Recording {
        /// Its file.
        path: String,
        /// How it is to be replayed.
        rules: ReplayRules,
    },
    /// [`JobRunner::free_bytes`](crate::job_runner::JobRunner::free_bytes). Answered by a number or `null`.
    FreeBytes(PathBuf),
    /// [`JobRunner::passport`](crate::job_runner::JobRunner::passport). Answered by a
    /// [`Passport`](cardiograph_core::drive::Passport).
    Passport {
        /// Path on the drive; `null`: all drives.
        path: Option<PathBuf>,
        /// Whether the drives are queried themselves, too.
        inquires: bool,
    },
    /// [`JobRunner::prepare`](crate::job_runner::JobRunner::prepare). Answered by
    /// [`PreparedJobs`](crate::job_runner::PreparedJobs).
    Prepare(JobsSpec),
    /// [`JobRunner::make_file`](crate::job_runner::JobRunner::make_file). Answered by
    /// [`PreparedJobs`](crate::job_runner::PreparedJobs).
    MakeFile(OwnFile),
    /// [`JobRunner::run`](crate::job_runner::JobRunner::run). Answered by [`Ran`](crate::run::Ran).
    Run(RunSpec),
    /// [`JobRunner::end_logs`](crate::job_runner::JobRunner::end_logs) of the set with this number. Answered by `null`.
    EndLogs(usize),
    /// [`JobRunner::finish`](crate::job_runner::JobRunner::finish) of the set with this number. Answered by
    /// what remains.
    Finish(usize),
    /// [`Runner::remove_leftovers`](crate::runner::Runner::remove_leftovers). Answered by whether nothing
    /// remains.
    RemoveLeftovers {
        /// Whether to only report what would be done.
        is_dry: bool,
    },
}

/// A frame from the Agent.
#[derive(Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FromAgent {
    /// Identification; the first frame.
    Hello(Hello),
    /// An event.
    Event(Event),
    /// Jobs begin.
    Began(Began),
    /// All workers of a run are ready. They wait for a [`Start`](ToAgent::Start).
    Ready,
    /// An event of a run of jobs.
    Run(RunEvent),
    /// Results of a run since the previous part, a [`RunPart`](cardiograph_engine::part::RunPart): at least
    /// each second. It is parsed when needed.
    Part(#[schemars(with = "cardiograph_engine::part::RunPart")] Box<RawValue>),
    /// A device's content is being overwritten, and this file keeps it until it is restored; `null` when it
    /// is. No signal may end the program meanwhile.
    Overwrites(Option<PathBuf>),
    /// The call is done, with its answer.
    Reply(#[schemars(with = "serde_json::Value")] Box<RawValue>),
    /// The call failed.
    Failed(Failure),
    /// The Agent ends because of a bug.
    Panicked(String),
}

/// Invalid input.
#[derive(Debug)]
pub enum WireError {
    /// The length is invalid.
    TooLong(usize),
    /// The content is invalid.
    Content(serde_json::Error),
    /// Reading failed.
    Io(io::Error),
    /// Another version.
    Version {
        /// Version of the other side.
        theirs: u32,
        /// Which program it is.
        program: String,
    },
    /// A frame that is not expected now.
    NotDue,
}

impl WireError {
    /// Description, as a phrase.
    pub fn message(&self) -> Message {
        match self {
            Self::TooLong(len_bytes) => {
                let (length, most) = (len_bytes.to_string(), FRAME_LEN_BYTES_MAX.to_string());
                message!("frame.too-long", length, most)
            }
            Self::Content(error) => message!("frame.content", error = error.to_string()),
            Self::Io(error) => cause(error),
            Self::Version { theirs, program } => {
                message!("frame.version", theirs = *theirs, program, ours = VERSION)
            }
            Self::NotDue => message!("frame.not-due"),
        }
    }
}

impl fmt::Display for WireError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

impl std::error::Error for WireError {}

impl From<serde_json::Error> for WireError {
    fn from(error: serde_json::Error) -> Self {
        Self::Content(error)
    }
}

impl From<io::Error> for WireError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// A message as a frame: its length as four little-endian bytes, and its JSON.
///
/// # Errors
/// When it is too long.
pub fn frame(message: &impl Serialize) -> Result<Vec<u8>, WireError> {
    let mut frame = vec![0; HEAD_LEN_BYTES];
    serde_json::to_writer(&mut frame, message)?;
    let len_bytes = frame.len() - HEAD_LEN_BYTES;
    if len_bytes > FRAME_LEN_BYTES_MAX {
        return Err(WireError::TooLong(len_bytes));
    }
    frame[..HEAD_LEN_BYTES].copy_from_slice(&(len_bytes as u32).to_le_bytes());
    Ok(frame)
}

/// Sends a message. A failure closes the connection: each side would wait for the other otherwise.
///
/// # Errors
/// As write(2), and when it is too long.
pub fn send(mut to: &UnixStream, message: &impl Serialize) -> Result<(), WireError> {
    let sent = frame(message).and_then(|frame| Ok(to.write_all(&frame)?));
    if sent.is_err() {
        // What the other side has sent can still be read.
        let _ = to.shutdown(Shutdown::Both);
    }
    sent
}

/// Splits incoming bytes into frames.
#[derive(Debug, Default)]
pub struct Frames {
    bytes: Vec<u8>,
}

impl Frames {
    /// Reads available data; false at the end.
    ///
    /// # Errors
    /// As read(2).
    pub fn read(&mut self, mut from: impl Read) -> io::Result<bool> {
        let len_bytes = self.bytes.len();
        self.bytes.resize(len_bytes + CHUNK_LEN_BYTES, 0);
        let read = from.read(&mut self.bytes[len_bytes..]);
        self.bytes.truncate(len_bytes + *read.as_ref().unwrap_or(&0));
        Ok(read? > 0)
    }

    /// The next message, if complete.
    ///
    /// # Errors
    /// When it is invalid.
    pub fn take<M: DeserializeOwned>(&mut self) -> Result<Option<M>, WireError> {
        let Some((head, rest)) = self.bytes.split_first_chunk::<HEAD_LEN_BYTES>() else { return Ok(None) };
        let len_bytes = u32::from_le_bytes(*head) as usize;
        if len_bytes > FRAME_LEN_BYTES_MAX {
            return Err(WireError::TooLong(len_bytes));
        }
        let Some(content) = rest.get(..len_bytes) else { return Ok(None) };
        let message = serde_json::from_slice(content);
        self.bytes.drain(..HEAD_LEN_BYTES + len_bytes);
        // Results are long, and what follows them is short.
        self.bytes.shrink_to(CHUNK_LEN_BYTES);
        Ok(Some(message?))
    }
}

impl Hello {
    /// This program's.
    pub fn ours() -> Self {
        Self { wire: VERSION, program: crate::machine::PROGRAM.to_string() }
    }

    /// Refuses another version.
    ///
    /// # Errors
    /// That it is another.
    pub fn check(self) -> Result<(), WireError> {
        match self.wire {
            VERSION => Ok(()),
            theirs => Err(WireError::Version { theirs, program: self.program }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sessions for `cargo xtask fuzz wire`, by direction.
    const TO_AGENT: &[u8] = include_bytes!("../../../fuzz/corpus/wire/own-to-agent");
    const FROM_AGENT: &[u8] = include_bytes!("../../../fuzz/corpus/wire/own-words");

    #[test]
    fn a_failed_send_closes_the_connection_after_what_was_sent() {
        let (ours, theirs) = UnixStream::pair().unwrap();
        send(&ours, &ToAgent::Look).unwrap();
        let not_json = std::collections::BTreeMap::from([((1, 2), 3)]);
        assert!(send(&ours, &not_json).is_err());
        let mut frames = Frames::default();
        while frames.read(&theirs).unwrap() {}
        assert!(matches!(frames.take(), Ok(Some(ToAgent::Look))));
    }

    /// Number of valid messages at the start, and whether something invalid follows.
    fn read<M: DeserializeOwned>(bytes: &[u8]) -> (usize, bool) {
        let (mut frames, mut bytes) = (Frames::default(), bytes);
        while frames.read(&mut bytes).unwrap() {}
        let mut count = 0;
        loop {
            match frames.take::<M>() {
                Ok(Some(_)) => count += 1,
                Ok(None) => return (count, false),
                Err(_) => return (count, true),
            }
        }
    }

    fn check<M: DeserializeOwned>(session: &[u8], messages: usize) {
        assert_eq!(read::<M>(session), (messages, false));
        let mut before = 0;
        for len_bytes in 0..session.len() {
            let (count, is_bad) = read::<M>(&session[..len_bytes]);
            assert!(!is_bad && (before..=before + 1).contains(&count), "{len_bytes}: {before}, {count}");
            before = count;
        }
        assert_eq!(before, messages - 1, "the last message is not there before its last byte");
        for at in 0..session.len() {
            for value in [0, 1, b'"', b'{', 0x7f, 0xff] {
                let mut changed = session.to_vec();
                changed[at] = value;
                assert!(read::<M>(&changed).0 <= messages, "{at}: {value}");
            }
        }
    }

    #[test]
    fn truncated_and_corrupted_sessions_are_read_or_refused() {
        check::<ToAgent>(TO_AGENT, 7);
        check::<FromAgent>(FROM_AGENT, 9);
    }

    #[test]
    fn a_frame_is_read_back() {
        let sent = ToAgent::Stop { signal: 15 };
        let mut frames = Frames::default();
        assert!(frames.read(&frame(&sent).unwrap()[..]).unwrap());
        assert_eq!(frames.take::<ToAgent>().unwrap(), Some(sent));
        assert!(frames.take::<ToAgent>().unwrap().is_none());
    }
}
