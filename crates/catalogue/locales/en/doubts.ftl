### Why a figure is not the drive's, or may not be. Phrases: they stand behind a colon, in parentheses, or get a full stop.

# $share: of the bytes that were asked for, in percent.
doubt-contradicted = the kernel counted only { $share } of the bytes on the drive: a cache, a hole or compression answered instead
doubt-above-link = more than the link to the drive carries: something closer answered
# $paused: how long.
# $duration: how long the step took.
doubt-paused = the program did not run for { $paused }
    .of-step = the program did not run for { $paused } of { $duration }
# $error: what the system or another program reported.
# $step: its title.
doubt-failed = the step failed: { $error }
    .named = '{ $step }' failed: { $error }
doubt-hung = the drive stopped responding during the step
    .named = the drive stopped responding during '{ $step }'
doubt-memory = the file system is in memory, not on a drive
doubt-no-page-cache = a simulated drive has no page cache in front of it
doubt-page-cache = buffered: the page cache may have answered for the drive
doubt-controller-cache = the controller's cache took the writes
doubt-cache-unknown = its source does not say whether the page cache was bypassed
# $depth: how many I/Os in flight were asked for.
doubt-one-at-a-time = the engine ran one I/O at a time instead of { $depth }
doubt-few-samples =
    { $above ->
        [one] only 1 sample lies above it
       *[other] only { $above } samples lie above it
    }
doubt-interrupted = the step was stopped before it finished
    .named = '{ $step }' was stopped before it finished
# $ended: how a step ended, with its name.
doubt-not-proved = not proved: { $ended }
# $step: its title, $doubt: another doubt.
doubt-of-step = '{ $step }': { $doubt }
# In place of an answer.
