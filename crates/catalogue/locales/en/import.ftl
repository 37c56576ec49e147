### Results of other programs: formats, what is wrong with a text, what should be known of a result.

# The formats.
import-format =
    .report = reports of cardiograph, as check --json writes them
    .fio-json = fio's JSON and json+
    .fio-normal = fio's normal output
    .fio-terse = fio's terse output, versions 2 to 5
    .fio-batch = tables of fio jobs: job, bandwidth, iops
    .fio-log = fio's logs: NAME_bw.1.log, _iops, _lat, _slat, _clat, _clat_hist
    .fio-log-ios = fio's logs with a line for each I/O (only with --as)
    .fio-log-windows = fio's logs with a line for each window (only with --as)
    .hdparm = hdparm's timings
    .dd = dd's records and transfer
    .iozone = iozone's table, and its results of several processes (-t)
    .ioping = ioping's statistics
    .bonnie = bonnie++'s comma-separated values
    .sysbench = sysbench's fileio test
    .crystaldiskmark = CrystalDiskMark's text
    .kdiskmark = KDiskMark's text
    .yabs = yabs.sh's JSON
    .pibenchmarks = the table of PiBenchmarks' Storage.sh
    .table = a table described by --map

# Where something is wrong.
# $part: a test, a job or another part of the text.
import-at =
    .line = line { $line }: { $problem }
    .column = line { $line }, column { $column }: { $problem }
    .part = { $part }: { $problem }
    .field = field { $field }: { $problem }
    .more = and { $count } more

# What is wrong with a text as a whole. $reason: as the system or a parser says it.
import-text =
    .nothing = nothing was recognised as { $format }
    .too-many-tests = more than { $max } tests; split the file
    .too-long = longer than { $max }; split the file
    .too-many-lines = more than { $max } lines; split the file
    .unreadable = cannot read it: { $reason }
    .figure-too-large = a figure is too large
    .not-storable = { $place }: { $reason }
    .windows-assumed = Intervals of rates follow from the deviation of their windows, assuming that neighbours are correlated: one window in four counts.
    .missing = Not in the text: { $parts }.
    .cut-off = Line { $line } ends early and was left out: { $problem }.
    .line-left-out = Line { $line } is incomplete and was left out: { $problem }.
    .left-out = Not imported: { $format } in line { $line }. Import it from a separate file.

# Parts of an output that may not be in the text.
import-part =
    .rates = the rates
    .latencies = the latencies
    .time = the run time
    .direction = whether { $test } reads or writes
    .job-line = the first line of { $job } (groupid, err)
    .job-end = the end of { $job }, with the number of I/Os
    .jobs = the jobs, with IOPS and latencies
    .amounts = amount or run time of the summary
    .summary = the summary of all jobs and the drives

# A number or an amount that cannot be read. $text: as written.
import-value =
    .not-a-size = '{ $text }' is not a size; try 480GB
    .not-a-number = '{ $text }' is not a number
    .not-whole = '{ $text }' is not a whole number
    .not-a-figure = '{ $text }' is not a figure
    .no-unit = '{ $text }' has no unit
    .unknown-unit = '{ $text }' has the unknown unit '{ $unit }'
    .wrong-unit = '{ $text }' is not a number with a fitting unit
    .not-a-percentile = '{ $text }' is not a percentile
    .no-such-percentile = there is no percentile { $percent }
    .not-a-speed = '{ $text }' is not a speed
    .not-a-unit-of-speed = '{ $unit }' is not a unit of speed
    .not-a-unit-of-time = '{ $unit }' is not a unit of time; choose from { $units }
    .not-msec = '{ $text }' is not a time in msec
    .not-an-error-number = '{ $text }' is not an error number

# Figures that contradict each other or cannot be. $figure, $other: names of figures.
import-figure =
    .negative = { $figure } is below zero
    .impossible = { $figure } is { $found }, but no drive exceeds { $limit }; is its unit wrong, or did a counter overflow?
    .shorter = { $figure } is lower than { $other }, which is impossible
    .not-rate = { $figure } is { $found }, but the amount done in { $runtime } gives { $expected }; one of them is wrong
    .not-ios = { $figure } is { $found }, but { $iops } of { $block } give { $expected }; one of them is wrong

# When something was measured. $tool: the program.
import-moment =
    .no-zone = { $tool } reports local time without a time zone; it is read as UTC.
    .no-time = { $tool } reports the day without a time or time zone; it is read as midnight UTC.
    .measured-on = Measured on { $machine }

# How a test was done, from the command line that made it.
import-command =
    .unknown-program = '{ $program }': how it measures is unknown
    .no-file = the file that it names is not available
    .no-job = fio: there is no job
    .fio = fio: { $problems }
    .timing-not-asked = hdparm: the command line does not ask for that timing
    .iozone-part = iozone does several tests; name this one write, rewrite, read, reread, random-read or random-write, as in 'iozone.random-read: iozone ...'
    .iozone-rows = iozone: several rows

# fio's outputs.
import-fio =
    .no-job-below = no job follows this heading
    .not-three-cells = '{ $line }' has { $count } cells, not job, bandwidth and iops
    .document-too-long = this JSON document of fio is longer than { $max }
    .not-json = not fio's JSON: { $reason }
    .no-jobs = the document has no jobs
    .runtime-too-long = the run time is too long
    .bytes-too-many = too many bytes
    .line-too-long = the line is longer than any of fio's
    .too-few-fields = a line of version { $version } has at least { $least } fields in their order; this one has { $count }; was it cut off?
    .key-missing = { $key } is missing
    .ios-missing = the number of I/Os is missing
    .no-data-line = expected IOPS=..., BW=... (...)(...)
    .latency-without-direction = latencies without a line 'read:', 'write:' or 'trim:' before them
    .windows-without-direction = windows without a line 'read:', 'write:' or 'trim:' before them
    .mixed-jobs = The jobs did different things, so there is no single method.

# fio's logs.
import-log =
    .name-unknown = the name of a log says what it contains; give it a name such as NAME_lat.1.log or NAME_bw.1.log
    .line-too-long = the line is longer than any of a log
    .time-of-another-run = the time { $time } does not belong to the same run as those before it
    .not-a-latency = { $latency } is too long for the latency of an I/O
    .histogram-of-ios = a histogram of single I/Os
    .value-too-large = the value { $found } is too large
    .counts-too-large = the counts are too large
    .largest-below-mean = the largest value of the window, { $largest }, is below its mean, { $mean }
    .unknown-direction = { $number } is not a direction; 0 is read, 1 write, 2 trim, 3 sync
    .wrong-bins = { $count } counts; a histogram has { $bins }, or with log_hist_coarseness half or a quarter of that, and so on
    .fields-missing = expected time, value, direction and length of an I/O, separated by commas
    .shape-unknown = its lines could be of single I/Os or of windows (log_avg_msec); choose with --as fio-log-ios or --as fio-log-windows
    .means-only = A log of windows has the mean latency of each window but not its number of I/Os: each window counts as one in the series, and there is no distribution.
    .too-long = The log is too long to keep a distribution of each second: its latency over time has the mean and the slowest of each window.

# bonnie++.
import-bonnie =
    .fields = { $count } fields, but bonnie++'s format { $format } has { $expected }
    .table-for-people = bonnie++'s table is rounded and is not read; use the line of comma-separated values after it (-q prints only that)
    .cache-unknown = bonnie++ does not report whether it bypassed the page cache (-D), and some versions do not report its block size

# dd.
import-dd =
    .unit-of-time = '{ $unit }' is not a unit of dd's time
    .no-speed = nothing was copied, or no time passed; there is no speed
    .two-records = dd has two lines with records
    .no-command = The command line of dd is not in the text: whether it read or wrote the drive is unknown

# CrystalDiskMark and KDiskMark.
import-diskmark =
    .skips-jobs = KDiskMark 1.6.1 to 3.2.0 adds up only every other of several jobs
    .unknown-test = '{ $text }' is not the name of a test
    .profile = Profile { $profile }

# hdparm.
import-hdparm =
    .no-figures = '{ $text }' has no figures such as '66 MB in 3.04 seconds = 21.71 MB/sec'

# PiBenchmarks.
import-pibench =
    .any-unit = PiBenchmarks prints dd's number as MB/s, even where dd printed kB/s or GB/s.

# ioping.
import-ioping =
    .completed-missing = after the heading, the lines with the completed requests and with min/avg/max/mdev are missing
    .no-rate = '{ $text }' has no rate
    .no-direction = '{ $text }' is neither read nor written
    .not-four-times = '{ $text }' is not four times
    .raw-columns = a raw line of ioping has { $count } numbers
    .raw-contradiction = requests, their time and their rate do not agree; are its times in nanoseconds?
    .requests-only = ioping's speed covers only its requests, without the time between them
    .no-command = The command line of ioping is not in the text: whether its requests were sequential is unknown

# iozone.
import-iozone =
    .unit-missing = above this, the line with the unit is missing ('Output is in kBytes/sec')
    .unit-unsupported = '{ $unit }' is not supported; kBytes/sec and operations per second are
    .columns-unknown = it is unknown which tests the { $count } figures belong to; they match neither the command line nor iozone's columns
    .not-numbers = '{ $line }' contains more than numbers
    .record-too-long = the record is longer than the file, or 0
    .no-figure = no figure follows the two lengths; the line was cut off
    .unknown-test = '{ $test }' is not a known test of iozone
    .throughput-unsupported = '{ $text }' is not supported; kB/sec and ops/sec are

# sysbench.
import-sysbench =
    .no-seconds = '{ $text }' has no unit s
    .no-operations = '{ $line }' has no reads, writes and others
    .no-transfer = '{ $line }' does not say what was read and written
    .figures-missing = after this, the figures are missing; the text was cut off

# yabs.sh.
import-yabs =
    .block-size = fio: '{ $block }' is not a block size
    .unknown-unit = fio, block size { $block }: unknown unit '{ $unit }'; only KBps is supported

# Tables, and --map, which says what their columns are.
# $part: of --map
import-map =
    .at = '{ $part }': { $problem }
    .column-missing = a column is missing
    .column-from-1 = '{ $column }': columns count from 1
    .twice = it is named twice
    .one-column = name one column, by its number or heading
    .no-figures = no column with figures is named; try read.bandwidth=2 MB/s
    .unused-command = '{ $test }: ...' belongs to no figure; try { $test }.read.bandwidth=2 MB/s
    .form = write it as NAME=COLUMN or as TEST: COMMAND
    .unknown-figure = unknown metric '{ $metric }'; { $hint }
    .wrong-unit = { $metric } is not in { $unit }
    .unit-missing = the unit is missing after the column, as in '2 MB/s'; others are MiB/s, IOPS and ms

# What is wrong with a table. $columns, $others: how many columns there are.
import-table =
    .unit-meant = In this table, { $unit } means { $meant }.
    .of-drive = drive: { $problem }
    .of-test = test: { $problem }
    .same-heading = columns { $first } and { $second } are both called '{ $heading }'; name one by its number
    .no-heading-here = no heading '{ $heading }' above; { $known }
    .no-heading-anywhere = no table has the heading '{ $heading }'; { $known }
    .by-number = where single spaces separate the columns, --map names them by number, as in '2 MB/s'
    .headings = the headings are { $headings }
    .no-headings = no headings were found
    .no-column = no column { $column }; the row has { $columns }
    .no-column-anywhere = no row has a column { $column }; the widest has { $columns }
    .column-unnamed = no column is named
    .only-first-named = where single spaces separate the columns, only the first can have names; separate the columns with tabs, |, commas or two spaces
    .no-heading-for-drive = column { $column } has no heading; with * the heading is the name of the drive
    .not-a-figure = '{ $cell }' (column { $column }) is not a figure in { $unit }; write the figure, or - where there is none
    .not-a-figure-or-heading = '{ $cell }' (column { $column }) is not a figure in { $unit }; write the figure, or - where there is none; if these are headings, leave an empty line above them
    .limit = '{ $cell }' (column { $column }) is a limit, not a figure; write the figure, or - where there is none
    .limit-or-heading = '{ $cell }' (column { $column }) is a limit, not a figure; write the figure, or - where there is none; if these are headings, leave an empty line above them
    .plain-numbers = plain numbers
    .words-for-figure = The table has words in place of a figure: { $figure }, '{ $cell }'
    .about = The table gives an approximate figure: { $figure }, '{ $cell }'
    .figure-of-test = { $figure } of { $test }
    .method-unknown = How this was measured is unknown, so no figure can be compared with it (TEST: COMMAND in --map says how)
    .count-differs-spaces = { $columns } columns, but the lines above have { $others }; write - where a cell is empty, or separate the columns with | or tabs
    .count-differs-commas = { $columns } columns, but the lines above have { $others }; separate the columns with | or tabs where a cell has commas
    .no-rows = no row has a figure in a column that --map names
    .explained = { $problem }; { $more }
    .figures-unknown = it is unknown which columns are figures; separate them with tabs, |, commas or two spaces
    .name-end-unknown = it is unknown where the name ends and the figures begin ('{ $cell }'); separate the columns with tabs, |, commas or two spaces
    .count-seems-different = this row seems to have { $columns } columns, but the rows above have { $others }; separate the columns with tabs, |, commas or two spaces
    .too-few-columns = { $columns } columns, but --map names column { $wanted }; separate the columns with tabs, |, commas or two spaces
    .number-or-cells = '{ $text }' may be one number or several cells; separate the columns with tabs or |

# How a job of fio ended. $code: an error number, $said: fio's words for it
import-fio-failed = fio ended with error { $code }
    .said = fio ended with error { $code }: { $said }

## The shelf: what should be known of each source.

shelf-app-class =
    .pictures-only = The results are shown only in pictures (bandwidth, p70, p99 and p99.99 in µs), so no figures are listed. In short: bandwidth hardly differs between the cards, A2 cards have much better p99 and p99.99, and the USB SSD is far ahead of all cards.
    .same-jobs = The jobs are fio's example ssd-test.fio, unchanged; cardiograph check --suite ssd-test runs the same.
shelf-dramble =
    .hdparm = The wiki labels every column MB/s. For hdparm, 1 MB is 2^20 bytes.
    .dd = For dd, 1 MB is 10^6 bytes.
    .iozone = iozone prints kBytes of 1,024 bytes, and the wiki does not say how it converted them. They are read as divided by 1,024; if it divided by 1,000, these figures are 2.4 % lower.
    .slower-clock = This card failed at 100 MHz; 80 MHz was the fastest reliable clock.
shelf-iot =
    .units = The article says kB/s, but 1 kB is 1,024 bytes there: the numbers are fields 7 and 48 of fio's terse output, and only then do 243 IOPS of 1 MiB make 249,512.
    .reader = All cards have ext4 and are in a BSCRA35U2 card reader (USB 2.0), which the author considers the limit for sequential reads.
    .files = Each job has its own files in the current directory: 400 MiB for four jobs, 320 MiB for 32.
shelf-microsd-ssd =
    .adapter = Raspberry Pi OS (64-bit). The SSD is attached by a SATA to USB 3.2 adapter to a USB 3.0 port.
    .truncated = The article truncates two figures instead of rounding them: fio printed 4152.80 and 5232.38 usec for fsync.
shelf-pg-test-fsync = The usecs/op of pg_test_fsync cover a write of 8 KiB and making it durable, so they are longer than a flush alone as fio reports it.
shelf-pi-claims = These are the maker's claims, not measurements. The queue depth is not stated.
shelf-pi5 = IOPS are medians of three tries, calculated from the published logs. Sequential writes are left out, because the logs do not say whether 1 MB/s is 1,000 or 1,024 KiB/s.
shelf-server =
    .units = The report says MB/s; for fio 2.0.7, 1 MB is 2^20 bytes.
    .conditions = All drives were new. CentOS 6.2 (Linux 2.6.32-220.17.1.el6.x86_64), XFS made with -b size=4096 -i size=512 -l size=64m and mounted with noatime,logbufs=8.
    .write-back = With write back, writes of 32 MiB end in the controller's cache (1 GB): they do not show the speed of the drives.

## Titles of tests that other programs ran

import-title = { $name }: { $what }
    .group = all jobs of group { $group }: { $what }
import-hdparm-reads =
    .start = reads from the start of the device
    .offset = reads from { $offset } on
    .same = reads of the same 2 MiB, page cache bypassed
    .cached = reads of the same 2 MiB, from memory
import-log-kind =
    .bandwidth = bandwidth log
    .iops = IOPS log
    .submission = submission latency log
    .completion = completion latency log
    .total = latency log
    .histogram = completion latency histogram log
