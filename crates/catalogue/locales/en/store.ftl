### The store: errors are phrases without a capital or a full stop.

store-bad-id = '{ $id }' is not the id of a report: letters, digits, '-', '_' and '.' are allowed, and no '.' at its start

store-not-found = there is no report '{ $id }' in { $path }

# $error: what SQLite says
store-database = { $path }: { $error }
    .full = no room is left for { $path }: make room; what was saved before is still there
    .read-only = { $path } cannot be written; name another file with --store (check can also save nothing: --no-keep)
    .not-opened = cannot open { $path }: { $error }; name another file with --store
    .busy = { $path } is held by another process; wait for it, or name another file with --store
    .io = { $path }: { $error }: its drive failed, or the file may not grow (a quota, or `ulimit -f`); name another file with --store
    .foreign = { $path } is not a store of cardiograph's
    .damaged = { $path } is damaged: { $error }

store-no-such-kind = a store of the kind '{ $kind }' cannot be used yet; name a file, as drives.db or sqlite:drives.db

store-foreign = { $path } is not a store of cardiograph's and is left as it is: name another file with --store; the JSON of a checkup is shown with cardiograph show FILE

store-not-a-file =
    .directory = { $path } is a directory; name a file with --store
    .link = { $path } is a link that leads nowhere; name a file with --store
    .block-device = { $path } is a block device; name a file with --store
    .device = { $path } is a device; name a file with --store
    .pipe = { $path } is a pipe; name a file with --store
    .socket = { $path } is a socket; name a file with --store

# $found, $wanted: numbers of versions
store-too-old = { $path } has version { $found } of the store's form and can only be read; version { $wanted } is needed: copy it to where it can be written, and name the copy with --store

store-too-new =
    .report = the report '{ $id }' has version { $found } of its form; this program reads versions up to { $known }: a newer one is needed
    .store = { $path } has version { $found } of the store's form; this program reads versions up to { $known }: a newer one is needed

store-log =
    .left = { $path } can only be read, and what was saved last is not in it yet but in { $path }-wal: its owner has to open it once, as with cardiograph history --store { $path }
    .alone = { $path } is not there, but { $path }-wal is, which can hold what was saved last: restore the file, move { $path }-wal away, or name another file with --store

store-damaged = { $path } is damaged ({ $reason }); repair it with: cardiograph store repair --store { $path }

store-report-damaged = the report '{ $id }' cannot be read: { $reason }

store-report-unreadable = checkup '{ $id }' cannot be read: { $reason }; remove it with: cardiograph remove { $id }

store-step-too-long = step '{ $step }' of checkup '{ $id }' is too long to be saved: at most 128 MiB of JSON; run fewer jobs at once

store-too-large = { $path } has texts longer than 4 MiB, or too many checkups for a list of 96 MiB; name another file with --store

store-missing = there is no store { $path }

store-not-a-report = { $path } is not a report: { $reason }

store-no-home = no place to save reports: neither XDG_DATA_HOME nor HOME is set to an absolute path

store-left-out = left out: { $error }

store-took-unsaved =
    { $checkups ->
        [one] 1 checkup that could not be saved earlier is saved now
        *[other] { $checkups } checkups that could not be saved earlier are saved now
    }

# Reasons why a store or a report is damaged.

store-damage =
    .compressed = its compressed part is damaged
    .endless = reading it does not end
    .too-large = it holds more than a store can
    .empty = it is empty, and its log is not
    .no-tables = its tables are missing
    .other-tables = its tables are not those of cardiograph
    .only-listed = it is listed, but not there
    .wrong-key = it is found by a value that it does not have
    .wrong-summary = the list does not match what was saved
    .wrong-figures = its figures are not those that were saved

# $other: the id of another report
store-damage-swapped = the report '{ $other }' stands in its place

store-damage-steps = it has { $found } of { $steps } steps

store-damage-list = { $found } of { $checkups } checkups are listed

store-damage-step =
    .missing = step { $step }: it is missing
    .compressed = step { $step }: its compressed part is damaged
    .swapped = step { $step }: another stands in its place

# $reason: what a parser says
store-step-unreadable = step { $step }: { $reason }

store-step-lost = Step { $step } was lost when the store was damaged.

# Selectors: how a user names checkups.

select-empty = no checkup is saved yet; cardiograph check makes one

# $reason: what is missing
select-nothing = '{ $selector }': { $reason }; cardiograph history lists the saved checkups
    .label = no checkup has the label '{ $label }'
    .drive = no checkup is of a drive '{ $drive }'
    .tag = no checkup has the tag { $name }={ $tag }
    .few =
        { $checkups ->
            [one] only 1 is saved
            *[other] only { $checkups } are saved
        }
    .word = no checkup has an id that begins so, or such a label

# $candidates: selectors that are not ambiguous
select-ambiguous = '{ $selector }' matches several: { $candidates }
    .others =
        { $checkups ->
            [one] 1 other
            *[other] { $checkups } others
        }

# $reason: how to write it
select-malformed = '{ $selector }': { $reason }
    .tag = write it as tag:NAME=VALUE
    .last = write it as @last, or @last~1 for the one before

# Why a file is not a report.

report-too-new = the report has version { $found } of its form; this program reads versions up to { $known }: a newer one is needed

# $problem: what a parser says
report-malformed = line { $line }, column { $column }: not a report: { $problem }

# $place: a path in the JSON, $problem: what is wrong there
report-problem = the report: { $problem }
    .at = { $place }: { $problem }

# Numbers are shown as they are in the JSON.
report-value =
    .id = '{ $id }' is not an id: letters, digits, '-', '_' and '.' are allowed
    .step-id = '{ $id }' is not the id of a step, which is a line of text
    .repeated-id = '{ $id }' is also the id of an earlier step
    .windows = { $ns } does not fit the windows of the first worker, which are { $first } ns long
    .less = { $number } is less than { $low }
    .range = { $number } is not from { $low } to { $high }
    .time = { $number } is longer than 10 years
    .greater = { $number } is beyond { $most }
    .falls = { $number } is greater than { $field }, which is { $other }
    .columns = it has { $windows } windows, but ios has { $ios }
    .bucket-sum = { $n } values, but the buckets count { $sum }
    .buckets = they are not rising numbers below { $most }
    .other-bucket = { $ns } does not belong in bucket { $bucket }
    .sum = with this sum, the mean of { $n } values is not between min_ns and max_ns
    .not-a-sum = it is not a sum of times
    .no-window = 0, but there are { $windows } windows
    .duration = { $ns } holds { $windows } windows of { $window } ns, but { $found } are there
    .entries = it has more than { $most } entries
    .text = it is { $bytes } bytes long, and { $most } are allowed
