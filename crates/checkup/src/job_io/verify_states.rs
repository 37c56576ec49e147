//! State files of verified jobs with the progress of their writes (`verify_state_save`, `verify_state_load`).

use std::collections::VecDeque;
use std::io::{self, Read};

use cardiograph_core::result::RunResult;
use cardiograph_core::{Plan, PlannedJob};
use cardiograph_core::{Request, message};
use cardiograph_engine::writes_again;
use cardiograph_files::{output, system};
use cardiograph_fio::verify_state::{self, State};

use super::OUTPUT_MODE;
use crate::failure::Failure;
use crate::simulated;

/// Limits verification to what the state files record. Fails when one cannot be used.
pub fn load(plan: &mut Plan) -> Result<(), Failure> {
    let mut index = 0;
    for job in &mut plan.jobs {
        let indices = index..index + job.clones.len();
        index = indices.end;
        if job.workload.verify.as_ref().is_some_and(|verify| verify.known.is_some()) {
            let known = indices.enumerate().map(|(clone, index)| known_writes(job, clone, index));
            let known = known.collect::<Result<Vec<_>, _>>()?;
            job.workload.verify.iter_mut().for_each(|verify| verify.known = Some(known.clone()));
        }
    }
    Ok(())
}

/// fio's file name for a job's clone, by its number among all clones.
fn file_name(job: &PlannedJob, index: usize) -> String {
    format!("local-{}-{index}-verify.state", job.workload.name.replace('/', "."))
}

fn known_writes(job: &PlannedJob, clone: usize, index: usize) -> Result<(u64, Vec<Request>), Failure> {
    let file = file_name(job, index);
    if !has_lengths(job) {
        return Err(Failure::usage(message!("verify-state.no-lengths", file)));
    }
    let unread = |error: io::Error| Failure::usage(message!("verify-state.not-read", file = &file, error));
    let state = read(&file).map_err(unread)?;
    let (depth, writes, complete) =
        state.ok_or_else(|| Failure::usage(message!("verify-state.damaged", file = &file)))?;
    let again = writes_again(&job.workload, &job.clones[clone], clone as u32).take(writes as usize);
    // A write may complete long after later ones, and is listed then.
    let (issued, last) = last_writes(again, depth as usize * 2);
    let is_complete = |write: &&Request| complete.contains(&[u64::from(write.file), write.offset_bytes]);
    if issued < writes || last.iter().filter(is_complete).count() < complete.len() {
        return Err(Failure::usage(message!("verify-state.other-job", file)));
    }
    let in_doubt =
        last.iter().rev().take(depth as usize).filter(|write| !is_complete(write)).copied().collect();
    Ok((issued, in_doubt))
}

/// Whether the sequence of writes is known: not if the job's files are looked up when it starts.
fn has_lengths(job: &PlannedJob) -> bool {
    job.files().all(|file| file.region_len_bytes > 0)
}

/// The number of writes, and the last `count` of them.
fn last_writes(writes: impl Iterator<Item = Request>, count: usize) -> (u64, VecDeque<Request>) {
    writes.fold((0, VecDeque::new()), |(all, mut last), write| {
        last.push_back(write);
        last.drain(..last.len().saturating_sub(count));
        (all + 1, last)
    })
}

/// The state in a file; `None` if it has none.
fn read(file: &str) -> io::Result<Option<State>> {
    let mut bytes = Vec::new();
    std::fs::File::open(file)?.take(64 << 20).read_to_end(&mut bytes)?;
    Ok(verify_state::decode(&bytes))
}

/// Content and names of the state files of a run's jobs.
pub fn from_run(plan: &Plan, result: &RunResult) -> Vec<(String, Vec<u8>)> {
    let contents = result.workers.iter().enumerate().filter_map(|(index, worker)| {
        let (job, write) = (&plan.jobs[worker.job], &worker.directions.write);
        let (workload, files) = (&job.workload, &job.clones[worker.clone as usize]);
        let is_known = !simulated::is_simulated(job) && has_lengths(job);
        workload.verify.as_ref().filter(|verify| verify.saves_state && is_known)?;
        let again = writes_again(workload, files, worker.clone);
        let again = again.scan(write.issued_bytes, |left_bytes, write| {
            let left_before = std::mem::replace(left_bytes, left_bytes.saturating_sub(write.len_bytes));
            (left_before > 0).then_some(write)
        });
        let (writes, last) = last_writes(again, workload.depth as usize);
        // If one failed or was cancelled, it may be any of the last ones.
        let complete = last.iter().rev().filter(|_| write.bytes == write.issued_bytes);
        let complete: Vec<_> = complete.map(|write| [u64::from(write.file), write.offset_bytes]).collect();
        let (name, files) = (&workload.name, files.len() as u32);
        Some((file_name(job, index), verify_state::encode(name, workload.depth, files, writes, &complete)))
    });
    contents.collect()
}

/// Writes state files.
/// Fails when one cannot be written, or another file has its name.
pub fn save(contents: &[(String, Vec<u8>)]) -> Result<(), Failure> {
    contents.iter().try_for_each(|(file, content)| match read(file) {
        Ok(None) => Err(Failure::io(message!("verify-state.foreign", file))),
        _ => output::replace(system(), file.as_ref(), content, OUTPUT_MODE)
            .map_err(|refused| Failure::io(refused.message())),
    })
}
