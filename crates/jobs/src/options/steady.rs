//! Ending at a steady state.

use super::row::rows;
use crate::value::STEADY_WORDS;

rows! {
    "Steady state";
    works "steadystate" | "ss": WordWithArguments(STEADY_WORDS), "iops_slope:0.01%",
        "What must have settled for the job to end and, after a colon, how far; for lat in nanoseconds.";
    works "steadystate_duration" | "ss_dur": SECONDS, "0",
        "Length of the window in which it must have settled; 0 turns the check off.";
    works "steadystate_ramp_time" | "ss_ramp": SECONDS, "0", "Time before the first sample.";
    works "steadystate_check_interval" | "ss_interval": SECONDS, "1", "Time between samples.";
    works "precision": Share, "",
        "End when each rate has settled and its 95 % interval reaches no farther than this to each side. An option of \
         cardiograph's own.",
        is_own: true;
    works "precision_ios": COUNT, "0", "Least number of I/Os before precision ends the job. Not an option of fio.",
        is_own: true;
}
