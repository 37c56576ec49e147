### Reports: what was measured, what it means, and what a reader should know.

# $suite: its name.
report-suite = suite { $suite }
# $program: with its version.
report-imported-by = imported by { $program }
# $source: program, format and place, as a list.
report-source = Imported, not measured here: { $source }.
source-standard-input = standard input
source-line = line { $line }
drive-unknown = drive unknown
# $drive, $program: what was imported, $state: what became of it, with its id.
imported-line = { $drive }, { $program }, { $state }

# $low, $high: the ends of an interval; $value: a figure.
range = { $low } to { $high }
interval = 95 % interval { $low } to { $high }
interval-of = { $value } ({ $low } to { $high })
per-second = { $count }/s
# Clauses of a phrase.
list-clauses = { $head }; { $tail }

## Figures.

figures-heading = Figures
figures-column =
    .test = Test
# Where a direction is not reported.
direction-all = all
# $first: a test's title, $more: how many others.
tests-more = { $first } and { $more } more
# $test, $part: names.
test-part = { $test }: { $part }
# $value: a percentile with few samples above it; $low, $high: its interval
figure-light = ({ $value })
    .interval = ({ $value }; { $low } to { $high })
figures-legend =
    .few = -: too few samples lie above this percentile to bound it.
    .light = In parentheses: fewer than 10 samples lie above it, so that nothing is judged by it; its interval is with the step.
    .unknown = An empty cell is a figure that the source does not report.
# $doubt: a doubt, $tests: titles. Phrases: doubts have no full stop.
doubt-note =
    .withheld = withheld: { $doubt }
    .withheld-of = withheld ({ $tests }): { $doubt }
    .doubtful = in doubt: { $doubt }
    .doubtful-of = in doubt ({ $tests }): { $doubt }
windows-heading = Variation of speed
windows-column =
    .length = window
    .count = windows

# $written, $time: how much in all; $low, $high, $deviation: speeds of windows; $window: their length; $stall: the longest.
sustained =
    .windows = { $written } in { $time } at { $low } to { $high } ({ $window } windows, deviation { $deviation }), longest stall { $stall }.
    .whole = { $written } in { $time }, longest stall { $stall }.
# $written: before it fell; $before, $after: speeds; $searched: how much was looked at.
sustained-fall =
    .found = Falls off after { $written }, from { $before } to { $after }.
    .none = No fall-off in the first { $searched }; one in the rest would not show.
    .too-short = Too short to show a fall-off.

# $test: a title, $times: as 7.0x
counted-brief = { $test }: the drive wrote { $times } the bytes requested
# $counted: by the kernel, $asked: by the test; $times: how many times as much.
counted =
    .less-read = Only { $counted } of { $asked } was read: a cache, a hole or compression answered instead of the drive, and the figures are withheld.
    .less-written = Only { $counted } of { $asked } was written: a cache, a hole or compression answered instead of the drive, and the figures are withheld.
    .more-read = The drive read { $times } the bytes requested ({ $counted } for { $asked }): another program was reading, and the figures may be too low.
    .more-written = The drive wrote { $times } the bytes requested ({ $counted } for { $asked }): journal and metadata, or another program.
counted-steps = { $steps } steps
# $low, $high: how many times as much.
counted-amplified = The drive wrote { $low } to { $high } the bytes requested: journal and metadata, or another program.

# $wanted: a share of the rate.
precision-heading = Precision of rates (target { $wanted })
precision-wanted = Target { $wanted }.
# $share: of the rate, $after: how long it took.
precision-known = Known to { $share } after { $after }.
precision-not-known = Precision unknown after { $after }.
precision-end =
    .too-few = It ended early: too few I/Os.
    .not-narrow = It ended before the target was reached.
    .not-settled = It was still rising or falling at the end.
    .too-short = It ended too early to have settled.

## Tables of suites.

tables-heading = Tables
# $rows, $first, $last: names of rows, $why: a reason.
table-reason =
    .rows = { $rows }: { $why }
    .range = { $first } … { $last }: { $why }

## Claims.

claims-heading = Claims checked
claim-outcome =
    .kept = kept
    .yes = yes
    .broken = broken
    .no = no
    .unknown = unknown
# $statement: what is claimed, $by: who claims it.
claim-stated = { $statement } ({ $by })
# $name: what was measured, $measured: a figure; $limit, $outcome: what was asked, and whether it was met; $tries: figures.
evidence = { $name }: { $measured }
    .none = not measured
    .at-least = at least { $limit }: { $outcome }
    .at-most = at most { $limit }: { $outcome }
    .tries = tries: { $tries }

## Verdicts.

verdicts-heading = What it is good for
verdicts-none = No purpose was judged.
limits-heading = All limits and their sources
# $purpose: its id, $title: what it is, $level: a level.
verdict-heading = { $purpose }: { $level } ({ $title })
level =
    .good = good
    .enough = enough
    .cannot-be-judged = not judged
    .not-enough = not enough
# $metrics: names of metrics.
verdict-also =
    .missed = Also missed: { $metrics }.
    .open = Also not judged: { $metrics }.
    .open-good = Not judged for good: { $metrics }.
verdict-doubt = Reason: { $doubt }.

metric =
    .capacity = capacity
    .real-capacity = real capacity
    .life-left = rated life left
    .sequential-read = sequential read
    .mixed-read = read while writing
    .mixed-write = write while reading
    .sustained-write = sustained write
    .sequential-write = sequential write
    .random-read = random read
    .random-read-p99 = random read p99
    .random-read-deep = deep random read
    .random-write = random write
    .random-write-p99 = random write p99
    .durable-write = durable write
    .sync-p99 = fsync p99
    .sync-p999 = fsync p99.9
    .write-stall = longest stall
    .commits = SQLite commits
    .commit-pause = longest pause of commits
    .cameras = number of cameras
    .cameras-tried = number of cameras tried
    .recording-missed = missed deadlines
    .recording-stall = longest stall of recording
# $metric, $value, $asked: a figure and what its limit asks; $why: a reason.
finding = { $metric } { $value }; { $asked }
    .missing = { $metric } unknown
    .doubtful = { $metric } is in doubt
    .why = { $metric }, { $asked }: { $why }
# $figure: finding-measured, $limit: that was missed, or met; $why: finding-open.
finding-brief = { $figure } ({ $limit })
    .unproven = good not proven: { $why }
# $metric: a name.
finding-open =
    .missing = { $metric } not measured
    .samples = too few samples of { $metric }
    .short = { $metric } too short; try --suite article
finding-measured = { $metric } { $value }
finding-asked =
    .enough-from = enough from { $limit }
    .enough-up-to = enough up to { $limit }
    .good-from = good from { $limit }
    .good-up-to = good up to { $limit }
    .claimed = { $limit } claimed
finding-outcome =
    .met = met
    .missed = missed
    .open = not judged
# $low, $high: the ends of an interval.
finding-close = Close: 95 % interval { $low } to { $high }.
    .of = Close: { $metric }, { $asked }, 95 % interval { $low } to { $high }.

## What a reader should know.

traps-all-heading = All checks for measurement problems
trap-word =
    .spoils = Spoiled
    .caution = Caution
    .note = Note
    .absent = absent
    .unknown = unknown
notes-heading = Notes
# $tests: titles.
ended-by-size = Ended by size, not by time: { $tests }.
unfinished-heading = Not finished
unfinished =
    .interrupted = Interrupted.
    .failed = Failed: { $error }.
    .hung = The drive stopped responding.
    .partly = Its figures cover the time until then.
unfinished-whole =
    .running = The checkup did not finish: it was killed, or is still running.
    .interrupted = The checkup was stopped early: anything not shown above was not measured.
    .failed = The checkup could not continue: anything not shown above was not measured.
commands-heading = Equivalent fio commands
passport-heading = Drive and machine

## The page around a report.

page-untitled = cardiograph
page-skip = Skip to the verdicts
page-sections = Sections
page-raw = Report data
    .explained = Everything that was measured, with histograms and time series. cardiograph show FILE reads the JSON.
