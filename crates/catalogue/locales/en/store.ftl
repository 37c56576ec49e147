### The store: errors are phrases without a capital or a full stop.

store-bad-id = '{ $id }' is not a report id: use letters, digits, '-', '_' and '.', and do not begin with '.'

store-not-found = { $path } has no report '{ $id }'

# $error: what SQLite says
store-database = { $path }: { $error }
    .full = no space left for { $path }: free some space; everything saved earlier is intact
    .read-only = cannot write { $path }; name another file with --store (or save nothing: check --no-keep)
    .not-opened = cannot open { $path }: { $error }; name another file with --store
    .busy = { $path } is locked by another process; wait for it, or name another file with --store
    .io = { $path }: { $error }: its drive failed, or a limit was reached (a quota, or ulimit -f); name another file with --store
    .foreign = { $path } is not a cardiograph store
    .damaged = { $path } is damaged: { $error }

store-no-such-kind = stores of the kind '{ $kind }' are not supported; name a file, such as drives.db, or a PostgreSQL database, such as postgresql://user@host/drives

store-foreign = { $path } is not a cardiograph store and is left unchanged: name another file with --store; to show a checkup in a JSON file, use cardiograph show FILE

store-not-a-file =
    .directory = { $path } is a directory; name a file with --store
    .link = { $path } is a broken link; name a file with --store
    .block-device = { $path } is a block device; name a file with --store
    .device = { $path } is a device; name a file with --store
    .pipe = { $path } is a pipe; name a file with --store
    .socket = { $path } is a socket; name a file with --store

# $found, $wanted: numbers of versions
store-too-old = { $path } has the older format version { $found } and is read-only; version { $wanted } is needed: copy it to a writable place, and name the copy with --store

store-too-new =
    .report = report '{ $id }' has format version { $found }; this program supports versions up to { $known }: use a newer one
    .store = { $path } has format version { $found }; this program supports versions up to { $known }: use a newer one

store-log =
    .left = { $path } is read-only, and the latest checkups are still in { $path }-wal: its owner must open it once, for example with cardiograph history --store { $path }
    .alone = { $path } is missing, but { $path }-wal, which may hold the latest checkups, exists: restore the file, move { $path }-wal away, or name another file with --store

store-damaged = { $path } is damaged ({ $reason }); repair it with: cardiograph store repair --store { $path }

store-report-damaged = report '{ $id }' cannot be read: { $reason }

store-report-unreadable = checkup '{ $id }' cannot be read: { $reason }; remove it with: cardiograph remove { $id }

store-step-too-long = step '{ $step }' of checkup '{ $id }' is too large to save: the limit is 128 MiB of JSON; run fewer jobs at once

store-too-large = { $path } has texts over 4 MiB, or a list of checkups over 96 MiB; name another file with --store

store-missing = the store { $path } does not exist

store-not-a-report = { $path } is not a report: { $reason }

store-no-home = no place to save checkups: neither XDG_DATA_HOME nor HOME is set to an absolute path

store-left-out = left out: { $error }

store-took-unsaved =
    { $checkups ->
        [one] 1 checkup that could not be saved earlier is now saved
        *[other] { $checkups } checkups that could not be saved earlier are now saved
    }

# Reasons why a store or a report is damaged.

store-damage =
    .compressed = its compressed data is damaged
    .endless = it contains a loop
    .too-large = it is larger than a store can be
    .empty = it is empty, but its log is not
    .no-tables = its tables are missing
    .other-tables = its tables are not cardiograph's
    .only-listed = it is listed, but its data is missing
    .wrong-drive = the entry of a drive is not what was saved
    .wrong-key = its index is wrong
    .wrong-summary = its list entry does not match its data
    .wrong-figures = its figures do not match its data

# $other: the id of another report
store-damage-swapped = report '{ $other }' is in its place

store-damage-steps = it has { $found } of { $steps } steps

store-damage-list = { $found } of { $checkups } checkups are listed

store-damage-step =
    .missing = step { $step }: it is missing
    .compressed = step { $step }: its compressed data is damaged
    .swapped = step { $step }: another step is in its place

# $reason: what a parser says
store-step-unreadable = step { $step }: { $reason }

store-step-lost = Step { $step } was lost when the store was damaged.

# Selectors: how a user names checkups.

select-empty = no checkups are saved yet; run cardiograph check to make one

# $reason: what is missing, $hint: what to write instead
select-nothing = { $reason }; { $hint }
    .list = list checkups with: cardiograph history
    .suite = no checkup of the suite '{ $suite }'
    .host = no checkup of the host '{ $host }'
    .label = no checkup has the label '{ $label }'
    .drive = no checkup of the drive '{ $drive }'
    .tag = no checkup has the tag { $name }={ $tag }
    .few =
        { $checkups ->
            [one] only 1 is saved
            *[other] only { $checkups } are saved
        }
    .word = '{ $selector }': no checkup has an id that begins with this, or has this label

# $candidates: selectors that are not ambiguous
select-ambiguous = '{ $selector }' is ambiguous: { $candidates }
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

report-too-new = the report has format version { $found }; this program supports versions up to { $known }: use a newer one

# $problem: what a parser says
report-malformed = line { $line }, column { $column }: not a report: { $problem }

# $place: a path in the JSON, $problem: what is wrong there
report-problem = report: { $problem }
    .at = { $place }: { $problem }

# Numbers are shown as they are in the JSON.
report-value =
    .id = '{ $id }' is not an id: use letters, digits, '-', '_' and '.'
    .step-id = '{ $id }' is not a step id, which is a line of text
    .repeated-id = '{ $id }' is also the id of an earlier step
    .windows = { $ns } does not match the windows of the first worker, which are { $first } ns long
    .less = { $number } is less than { $low }
    .range = { $number } is not between { $low } and { $high }
    .time = { $number } is longer than 10 years
    .greater = { $number } is greater than { $most }
    .falls = { $number } is greater than { $field }, which is { $other }
    .columns = it has { $windows } windows, but ios has { $ios }
    .bucket-sum = { $n } values, but the buckets count { $sum }
    .buckets = they are not increasing numbers below { $most }
    .other-bucket = { $ns } does not belong in bucket { $bucket }
    .sum = with this sum, the mean of { $n } values is not between min_ns and max_ns
    .not-a-sum = it is not a sum of times
    .no-window = 0, but there are { $windows } windows
    .duration = { $ns } ns make { $windows } windows of { $window } ns, but there are { $found }
    .entries = it has more than { $most } entries
    .text = it is { $bytes } bytes long, but at most { $most } are allowed

# Why a database server cannot be used.

store-server =
    .silent = the server does not answer

# $reason: what is wrong with it, in English; without the address, which may have a password
store-server-address = the address of the PostgreSQL database cannot be read: { $reason }; write postgresql://USER@HOST/DATABASE

store-server-at-sign = the address of the PostgreSQL database has two '@': write %40 for one that belongs to the password, or put the password into ~/.pgpass

store-server-ssl-mode = sslmode={ $mode } is not supported, because it may go without TLS silently: use verify-full, or disable

# $reason: what the TLS library says
store-server-certificates = the certificates to check the server with cannot be used: { $reason }

# $found: the server's version
store-server-too-old = { $path } is a PostgreSQL { $found } server; version 15 or later is needed

store-server-foreign = { $path } has tables of another program and is left unchanged: create a database for cardiograph, or name another one with --store

store-server-busy = { $path }: all connections are in use; try again later

store-server-lost = { $path }: the connection was lost while the change was being made; look whether it was, and repeat it if not

store-server-repair = { $path } is a PostgreSQL database: check it with pg_amcheck, and restore it from a backup made with pg_dump

store-server-no-aside = { $path } is a PostgreSQL database: a checkup that cannot be saved there is not kept elsewhere; export it with --export-json

store-no-such-drive = there is no drive with the key '{ $key }'

# $id: of the last checkup of the list before
store-no-such-page = the list cannot be continued after checkup '{ $id }', which was removed: begin again

store-not-yours = report '{ $id }' was saved by somebody else and is left unchanged

store-token-exists = there is a token '{ $name }' already: revoke it, or choose another name
