//! Commands that jobs run before and after (`exec_prerun`, `exec_postrun`).

use std::io;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use cardiograph_core::{Message, Parameter, Plan, message};
use cardiograph_engine::commands::{Commands, Moment};
use cardiograph_files::output::Writer;
use cardiograph_files::system;
use rustix::process::{Pid, Signal, kill_process_group};

use super::OUTPUT_MODE;
use crate::failure::Failure;

/// Polling interval of a running command.
const LOOK: Duration = Duration::from_millis(2);

/// The commands of all jobs, and their output files.
#[derive(Debug)]
pub struct JobCommands {
    /// Before and after, by job.
    jobs: Vec<[Option<JobCommand>; 2]>,
    outputs: Vec<Arc<Output>>,
}

#[derive(Debug)]
struct JobCommand {
    option: &'static str,
    line: String,
    output: Arc<Output>,
}

/// An output file of commands. All clones share one, and so do jobs with the same name.
#[derive(Debug)]
struct Output {
    path: String,
    file: Mutex<Writer>,
}

impl JobCommands {
    /// Opens the files; `None` if no job has commands. Fails when a file cannot be created.
    pub fn create(plan: &Plan) -> Result<Option<Arc<Self>>, Failure> {
        let mut outputs: Vec<Arc<Output>> = Vec::new();
        let mut jobs = Vec::new();
        for job in &plan.jobs {
            let (name, commands) = (&job.workload.name, &job.workload.commands);
            let mut command = |option: &'static str, line: &Option<String>| {
                let Some(line) = line else { return Ok(None) };
                let path = format!("{name}.{}.txt", &option["exec_".len()..]);
                let output = match outputs.iter().find(|output| output.path == path) {
                    Some(output) => output.clone(),
                    None => {
                        let output = Arc::new(Output::open(name, option, path)?);
                        outputs.push(output.clone());
                        output
                    }
                };
                Ok::<_, Failure>(Some(JobCommand { option, line: line.clone(), output }))
            };
            jobs.push([command("exec_prerun", &commands.before)?, command("exec_postrun", &commands.after)?]);
        }
        Ok((!outputs.is_empty()).then(|| Arc::new(Self { jobs, outputs })))
    }

    /// Finishes the files: they replace existing ones now. Fails when one cannot be renamed.
    pub fn finish(&self) -> Result<(), Failure> {
        self.outputs.iter().try_for_each(|output| {
            output
                .lock()
                .finish()
                .map_err(|error| Failure::io(message!("command-output-lost", path = &output.path, error)))
        })
    }
}

impl Output {
    fn open(job: &str, option: &str, path: String) -> Result<Self, Failure> {
        let file = Writer::open(system(), Path::new(&path), OUTPUT_MODE).map_err(|refused| {
            let refused = refused.message();
            Failure::usage(message!("command-no-file", job, option, refused))
        })?;
        Ok(Self { path, file: Mutex::new(file) })
    }

    fn lock(&self) -> MutexGuard<'_, Writer> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The file as a command's output: all share one position in it.
    fn stdio(&self) -> io::Result<Stdio> {
        self.lock().handle().map(Stdio::from)
    }
}

impl Commands for JobCommands {
    fn run(&self, job: usize, moment: Moment, is_unwanted: &dyn Fn() -> bool) -> Result<(), Message> {
        let Some([before, after]) = self.jobs.get(job) else { return Ok(()) };
        let wanted = match moment {
            Moment::Before => before,
            Moment::After => after,
        };
        wanted.as_ref().map_or(Ok(()), |command| command.run(is_unwanted))
    }
}

impl JobCommand {
    fn run(&self, is_unwanted: &dyn Fn() -> bool) -> Result<(), Message> {
        let failed = |error: Parameter| {
            let (option, line, output) = (self.option, &self.line, &self.output.path);
            message!("command-failed", option, line, error, output)
        };
        let status = self.start().and_then(|child| wait(child, is_unwanted));
        match status.map_err(|error| failed(error.into()))? {
            Some(status) if !status.success() => {
                let how = match (status.code(), status.signal()) {
                    (None, Some(signal)) => message!("command-failed.killed", signal = signal.to_string()),
                    (code, _) => message!("command-failed.ended", status = code.unwrap_or(0).to_string()),
                };
                Err(failed(how.into()))
            }
            _ => Ok(()),
        }
    }

    /// Starts the command in a new process group, so that it can be killed with all its children.
    fn start(&self) -> io::Result<Child> {
        Command::new("/bin/sh")
            .arg("-c")
            .arg(&self.line)
            .stdin(Stdio::null())
            .stdout(self.output.stdio()?)
            .stderr(self.output.stdio()?)
            .process_group(0)
            .spawn()
    }
}

/// Waits for a command; `None` if it was killed because it is not wanted any more.
fn wait(mut child: Child, is_unwanted: &dyn Fn() -> bool) -> io::Result<Option<ExitStatus>> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if is_unwanted() {
            let group = Pid::from_child(&child);
            // It may just have ended.
            let _ = kill_process_group(group, Signal::KILL);
            child.wait()?;
            return Ok(None);
        }
        std::thread::park_timeout(LOOK);
    }
}
