//! Jobs, their clones, and when they begin and end.

use super::row::rows;
use cardiograph_core::message;

rows! {
    "Jobs";
    works "name": Text, "", "Name of the job, in reports and in the names of its files.";
    works "description": Text, "", "A text about the job, which the report repeats.";
    works "numjobs": Count { min: 1, max: 4_096 }, "1", "Clones of the job that run at once.";
    hint(&message!("jobs-hint.thread")) "thread": Flag, "", "Run clones as threads, not as processes.";
    hint(&message!("jobs-hint.threads")) "threads": COUNT,
        "", "Has no effect. Scripts write it where thread is meant.";
    works "stonewall" | "wait_for_previous": Flag, "",
        "Begin when all jobs written before have ended, in a new group.";
    works "wait_for": Text, "", "Begin when the job of this name has ended.";
    works "new_group": Flag, "", "Begin a new group of the report.";
    works "exitall": Flag, "", "When this job ends, end others with it.";
    works "exit_what": Word(&["group", "stonewall", "all"]), "group",
        "Which jobs exitall ends: those of the group, all that run now, or all.";
    works "exitall_on_error": Flag, "", "When this job fails, end others with it.";
    works "loops": COUNT, "1", "How often the job's bytes are moved.";
    works "exec_prerun": Text, "",
        "Run this command before each clone of the job; its output goes to JOB.prerun.txt.";
    works "exec_postrun": Text, "",
        "Run this command after each clone of the job; its output goes to JOB.postrun.txt.";
    works "flow": Count { min: 0, max: 1_000 }, "0", "This job's weight against other jobs of its flow.";
    works "flow_id": COUNT, "0", "Which flow the job belongs to.";
    works "flow_sleep": MICROSECONDS, "0", "How long a job that is ahead of its flow pauses.";
    hint(&message!("jobs-hint.dropped")) "flow_watermark": COUNT, "",
        "A former limit of the imbalance of flows.";
    refused(&message!("jobs-option.profile")) "profile":
        Text, "", "Run one of fio's built-in benchmarks.";
}
