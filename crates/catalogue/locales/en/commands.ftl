### What commands ask and say. Errors are phrases without a capital or a full stop; the rest are sentences.

## check and run

# $command: a command line
report-saved = Saved: { $command } (or --export-html page.html)

report-not-wanted = The report was not saved, as requested.

# $effort: a time and an amount
report-effort = { $effort }.

check-resume = To continue, run the same command with --resume.

check-no-files = pages, tables and pictures are not written while the drive hangs; write them later with: cardiograph show @last

outline-heading = Would run, at most:

# $step: a title, $time: as 1:30, $bytes: how much is written at most
outline-step = { $step } ({ $time }, writes nothing)
    .writes = { $step } ({ $time }, writes up to { $bytes })
    .untimed = { $step } (no time limit, writes nothing)
    .untimed-writes = { $step } (no time limit, writes up to { $bytes })

# $load: the name of an application
outline-app = the application { $load }

# Suites that may write much. $bytes: at most, $share: of the capacity, $much: a phrase of these
check-much = the suite { $suite } may write up to { $bytes }
    .of-capacity = the suite { $suite } may write up to { $bytes }, { $share } of the drive's { $capacity }
check-much-question = Note: { $much }. Begin?
check-much-unapproved = { $much }; approve that with --yes
check-much-declined = not approved: nothing was measured or written

# $why: the error without a terminal
check-would-ask = This asks on a terminal, and is refused elsewhere: { $why }.

outline-end = Nothing was written.

# $jobs: names
run-cut = --max-time ended { $jobs } early.
run-left-out = --max-time left no time for { $jobs }.

run-no-jobs = the job files contain no job; a job begins with its name in brackets, such as [seqread]

# $requirement: as given to --require, $figure: the figure that decided
require-item = --require { $requirement }: { $figure }
    .alone = --require { $requirement }
require-outcome =
    .holds = holds
    .fails = fails
    .open = not judged

# $claim: its id, $suite: a name, $suites: options that choose others
require-claim-not-checked = --require claim:{ $claim }: the suite { $suite } does not check it; use { $suites }

## What is shown while a step runs

# $step: a title
live-inquiring = reading the drive's health
live-trimming = { $step }: trimming the free space
live-making-room = { $step }: making room
live-saving = { $step }: saving original data, { $saved } of { $places } places
# $what: what is restored
live-restoring = { $what }: { $percent } %
live-preparing = preparing or checking

# $step: a number, $steps: how many there are
live-step = step { $step }
    .of = step { $step } of { $steps }
# $elapsed, $left: such as 1:23
live-time =
    .at-most = { $elapsed }, at most { $left } left
    .about = { $elapsed }, about { $left } left
# $now, $limit: degrees Celsius
live-temperature = { $now } °C
    .hot = { $now } °C (limit { $limit })
# $written, $most: sizes
live-written = written { $written }
    .of = written { $written } of { $most }
# On the axis of a chart. $time: a duration
live-stall = stall { $time }
# On the axis of a chart. $before, $after: speeds
live-fall-off = fall-off { $before } → { $after }
# Parts of a drive; their number follows
live-part =
    .verified = verified
    .written = written
    .waiting = to do
    .bad = bad
live-cameras = { $cameras ->
        [one] 1 camera
       *[other] { $cameras } cameras
    }
# How cameras recorded. $late, $recorded, $due: seconds of video, $share: of the due ones
live-cameras-end =
    .in-time = in time
    .late = { $late } s of video missed the deadline
    .behind = recorded only { $share }
    .now = recorded { $recorded } of { $due } s due

## job

job-of-fio = '{ $setting }' only affects files or outputs of `cardiograph fio`: remove it, or use that command

job-path = filename={ $path }: a job makes its own test file; name the directory for it with directory=DIR

job-file-names = ioengine={ $engine } handles files by their names, and the test file of a job has none: use `cardiograph fio`

job-scheduler = ioscheduler needs `cardiograph fio`: remove it, or use that command

job-simulated = a simulated drive is checked with `cardiograph check --simulate`

## Selectors

# $checkups: how many there are, $id: that of the newest
select-newest = { $selector }: { $checkups } checkups; using the newest, { $id }

# $error: why there is no store
store-or-name = { $error }; name a file with --store

## remove and store repair

remove-question =
    { $checkups ->
        [one] Remove 1 checkup permanently?
        *[other] Remove { $checkups } checkups permanently?
    }

remove-no-terminal = nothing was removed: there is no terminal to confirm at; add --yes to remove without asking

remove-nothing = Nothing was removed.

edit-done =
    { $checkups ->
        [one] 1 checkup changed.
        *[other] { $checkups } checkups changed.
    }

# $path: the file
store-exported =
    { $checkups ->
        [one] 1 checkup exported to { $path }.
        *[other] { $checkups } checkups exported to { $path }.
    }
# $known: those that were there before, $path: the store
store-imported = { $path }: { $checkups } new, { $known } already there.
# $from, $to: files or addresses; $known: those that were the same in both
store-copied = { $from } to { $to }: { $checkups } copied, { $known } already there.
store-copy-progress = { $done } of { $checkups } checkups
store-copy-compared =
    { $checkups ->
        [one] 1 checkup compared: the same in both.
        *[other] { $checkups } checkups compared: the same in both.
    }
store-copy-differs =
    { $checkups ->
        [one] { $to }: 1 checkup differs after the copy, because it was changed meanwhile: { $ids }; repeat the copy
        *[other] { $to }: { $checkups } checkups differ after the copy, because they were changed meanwhile: { $ids }; repeat the copy
    }
store-copy-same = { $path } cannot be copied to itself
store-import-line = { $path }, line { $line }: { $why }; this line is left out, the others are read
store-not-an-export = { $path }: not an export of a store; import a single report or other programs' output with: cardiograph import

remove-done =
    { $checkups ->
        [one] Removed 1 checkup.
        *[other] Removed { $checkups } checkups.
    }

repair-undamaged = { $path } is not damaged. Nothing was changed.

repair-done =
    { $checkups ->
        [one] Repaired { $path }: 1 checkup saved.
        *[other] Repaired { $path }: { $checkups } checkups saved.
    }

repair-steps-lost =
    { $steps ->
        [one] 1 of their steps was lost; a note in the checkup says which.
        *[other] { $steps } of their steps were lost; notes in the checkups say which.
    }

# $ids: those of the checkups
repair-lost =
    { $checkups ->
        [one] Lost 1 checkup: { $ids }
        *[other] Lost { $checkups } checkups: { $ids }
    }

repair-aside = The damaged file is kept as { $path }

## import

# $file: its name
import-standard-input = standard input

import-empty = { $file } is empty

import-unknown = { $file }: unknown format; name it with --as FORMAT (cardiograph import --list-formats)

# Followed by what is wrong, one problem in a line. $format: its name.
import-refused = { $file }: nothing was imported as { $format }:
    .map = { $file }: nothing was imported by --map:

import-no-format = unknown format '{ $name }'; { $hint }

import-view = View with: { $command }

# $id: that of a checkup, $before and $after: labels.
import-state =
    .would-be-new = would be saved as { $id }
    .new = saved as { $id }
    .would-change = already saved as { $id }; its notes would change
    .changed = already saved as { $id }; its notes changed
    .relabelled = already saved as { $id }; its label changed from { $before } to { $after }
    .known = already saved as { $id }

## Pictures and pages

# $packages: of Debian
png-no-fonts = PNG needs a font, and none is installed: install one (Debian: { $packages }), or use --export-svg
    .japanese = PNG needs a Japanese font, and none is installed: install one (Debian: { $packages }), or use --export-svg
    .letters = PNG needs a font with '{ $letters }', and none is installed: install one (Debian: { $packages }), or use --export-svg

png-failed = cannot draw the chart as PNG: { $error }
    .too-large = cannot draw the chart as PNG: it is too large

png-not-built = this program was built without PNG support (feature png): use --export-svg, which browsers and office programs display

# $option, $other: options
export-one-stdout = { $option } and { $other } both write to standard output: name a file for one of them

show-fio-or-export = --fio writes to standard output: name files for the exports

# $format: HTML, SVG or PNG
export-written = { $format }: { $path }

# $refused: which file, why, and what to do
man-not-written = cannot write man pages to { $directory }: { $refused }

man-written = man pages written to { $directory }

show-no-fio = none of its steps ran jobs, so there is no fio output for it; use --json or --export-csv

## suites and engines

# $group: of suites
list-suites = { $group } (check --suite NAME):

list-suites-default = { $suite } (default)

list-suites-apps = Applications (check --suite apps --set load=NAME,...):

list-suites-purposes = Purposes (check --require PURPOSE):

# $claims: ids
list-suites-claims = --require claim:ID: exit with 1 unless the claim holds: { $claims }

list-suites-preconditioning = Drive written over first: { $state }.

# $name: of a setting, $form: of its value, $help: what it is for, $default: its value
list-suites-setting = --set { $name }={ $form }: { $help }
    .default = --set { $name }={ $form }: { $help } [{ $default }]

list-engines = Engines:

# $reason: why
list-engines-missing = not available: { $reason }
    .instead = not available: { $reason }; { $engine } is used instead

list-engines-drives = Simulated drives (check --simulate NAME):
