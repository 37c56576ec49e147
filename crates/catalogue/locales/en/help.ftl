### Help of the program. Ids follow from the command line: `help-COMMAND`, `help-COMMAND--OPTION`, `help-COMMAND-ARGUMENT`.
### `.after` stands below the rest, line by line as it is here: 80 columns at most.

## Words that stand for values

help-value-address = ADDRESS
help-value-date = DATE
help-value-device = DEVICE
help-value-directory = DIRECTORY
help-value-file = FILE
help-value-format = FORMAT
help-value-id = ID
help-value-kind = KIND
help-value-lang = LANG
help-value-units = UNITS
help-value-map = MAP
help-value-model = MODEL
help-value-n = N
help-value-name = NAME
help-value-number = NUMBER
help-value-operand = OPERAND
help-value-option = OPTION
help-value-path = PATH
help-value-percent = PERCENT
help-value-purpose = PURPOSE
help-value-role = ROLE
help-value-selector = SELECTOR
help-value-shell = SHELL
help-value-size = SIZE
help-value-source = SOURCE
help-value-store = STORE
help-value-text = TEXT
help-value-theme = THEME
help-value-time = TIME
help-value-value = VALUE
help-value-when = WHEN
help-value-word = WORD

## cardiograph

help-cardiograph = A storage checkup: measures a drive, says how far each figure can be trusted and what the drive is good for
    .after =
        Examples:
          cardiograph check                check the drive under this directory (1 min)
          cardiograph check /mnt/card      check the drive under any writable directory
          cardiograph drive                list the drives of this machine
          cardiograph check --dry-run      show what would run, and how much it writes
          cardiograph check --simulate sandisk-ultra-64
                                           check a simulated drive, in under a second
help--store = Save and find checkups in this file (created if missing) or PostgreSQL database (postgresql://USER@HOST/DATABASE) instead of the file in your data directory
help--lang = Language of all output; by default that of LC_ALL, LC_MESSAGES or LANG
help--units = Units of bandwidth: decimal (MB/s) or binary (MiB/s)
help--quiet = Print only results, warnings and errors: no header, no live view
help--color = Colour of text: auto (in a terminal, unless NO_COLOR is set), always or never
help--json = Print it as JSON on standard output (the same as --export-json -)
help--export-json = Write it as JSON to a file ('-': to standard output; text then goes to standard error)
help--export-csv = Write its figures as CSV, in base units
help--export-markdown = Write it as Markdown, to paste into an article
help--export-html = Write it as a page that needs no scripts and no network
help--export-svg = Draw it as SVG
help--export-png = Draw it as PNG, in this machine's fonts
help--help = Print help
help--version = Print the version

## check

help-check = Measure a drive and say what it is good for
    .after =
        What it does:
          Creates test files in PATH, measures with them and removes them. It needs no
          root and touches no other file. Before it writes, it shows the most it will
          write: with the default suite at most 1 % of the drive's capacity, and never
          more than 8.6 GB.

        After a kill -9 or a power cut:
          Test files are unnamed where the file system supports that, and then vanish.
          On other file systems they are named .cardiograph-*.tmp. The suite apps always
          works in a directory .cardiograph-*.dir, the suite capacity in files
          cardiograph-capacity-*. The next check in the same place removes what is
          provably left over from yours, and names what it leaves alone. Complete files
          of capacity stay, so that it can resume; --suite capacity --set
          leftovers=remove removes them. What capacity overwrote on a device is restored
          by its next check of that device ('cardiograph drive' lists it).

        Reading the result:
          A percentile with fewer than 10 samples above it decides nothing: it is in
          parentheses, or left out ('-') where its interval has no upper end. A figure
          that the kernel's own counters contradict is left out, too.
          Verdicts are: good, enough, not enough, not judged.

        Exit codes:
          0    done
          1    a --require is not met
          2    wrong usage, or the system does not allow it
          3    an I/O failed, the drive stopped responding, or the checkup could
               not be saved
          4    a --require cannot be judged
          129, 130, 143
               interrupted (terminal closed, Ctrl-C, SIGTERM); finished steps are saved

        Examples:
          cardiograph check /mnt/card --label 'card A' --require db-light
          cardiograph check --precision 2% --max-time 3m
          cardiograph check --suite sd-class --require claim:v30
          cardiograph check --suite article --export-json report.json
          cardiograph check --simulate my-drive.toml --seed 7
help-check-path = A directory on the drive; for some suites its block device
help-check--suite = The suite to run (see `cardiograph suites`)
help-check--set = Change a setting of the suite (see `cardiograph suites`); may be repeated
help-check--simulate = Check a simulated drive in simulated time instead: a model that cardiograph ships, or a TOML file
help-check--purposes = Also judge the purposes in this TOML file; an id of a shipped one replaces that (see `man cardiograph-purposes`)
help-check--dry-run = Show what would run and the most it would write, and do nothing
help-check--yes = Do not ask before a suite that may write over 5 % of the capacity, or 50 GB
help-check--max-time = Take no longer than this, such as 30s or 2m; steps are shortened or left out
help-check--precision = End each step that measures a rate as soon as the rate is known this precisely, such as 2%, and has settled; limited by --max-time
help-check--label = A name for the drive, to find the Report by
help-check--tag = A tag to find and compare the Report by, such as board="Pi 5" or price=980JPY; may be repeated
help-check--require = Exit with 1 unless the drive is enough for this purpose (or PURPOSE=good), or unless this claim holds: claim:v30, claim:capacity, claim:flush; may be repeated
help-check--buffered = Measure through the page cache instead of with direct I/O: the figures are then the system's, not the drive's
help-check--verbose = Show all figures of each step, and the equivalent fio command line
help-check--allow-erase = Allow the contents of the device with this id to be destroyed; a refusal shows the id
help-check--resume = Resume the last interrupted checkup (only --suite sweep) with the same suite, drive and settings
help-check--no-keep = Do not save the Report
help-check--send = Send the Report to a team's server once it is saved, and earlier ones that could not be sent; without ADDRESS to the one last named by send --to
help-check--seed = Seed of all random choices; with the same seed, a simulated checkup gives the same Report

## drive

help-drive = Show what a drive is and claims, or list all drives
    .after =
        Nothing is written or measured. Facts that only root can read, or that need a
        program that is not installed, are listed as unknown.

        Examples:
          cardiograph drive                      list all drives, with their ids
          cardiograph drive /mnt/card            show the drive under a path
          cardiograph drive /dev/mmcblk0 --json
help-drive-path = A path on the drive, its device or the kernel's name for it; without one, all drives are listed

## history

help-history = List saved checkups, newest first
    .after =
        Examples:
          cardiograph history --since 30d
          cardiograph history --suite sd-class --tag board='Pi 5'
help-history--drive = Only checkups of this drive: its model, serial number or id
help-history--suite = Only checkups with this suite
help-history--since = Only checkups since this day (2026-11-22), or from the last days or hours (30d, 12h)
help-history--host = Only checkups made on this machine
help-history--tag = Only checkups with this tag; may be repeated
help-history--limit = List at most this many

## show

help-show = Show a saved checkup at a glance, or with -v in full
    .after =
        A SELECTOR names one checkup or several, of which the newest is shown (see
        `man cardiograph-selectors`): an id or the beginning of one, a label, or
          @last, @last~1     the newest checkup, the one before
          label:NAME         the name given with --label
          tag:NAME=VALUE     a tag given with --tag
          drive:ID           the drive's serial number, id or model
          sender:NAME        all that a token sent to this server
          FILE               a Report that --export-json wrote

        Examples:
          cardiograph show @last
          cardiograph show 20261122 --verbose
          cardiograph show label:microsd --json
          cardiograph show @last --export-html report.html
          cardiograph show @last --export-markdown - --lang ja
help-show-selector = The checkup to show
help-show--verbose = Show all figures of each step as well
help-show--fio = Write what its steps measured as fio's JSON instead ('json+': with latency bins)

## remove

help-remove = Permanently remove saved checkups
    .after =
        A SELECTOR is the same as for `cardiograph show`, and may match several
        checkups. A checkup that is still running is saved again with its next step.

        Examples:
          cardiograph remove 20261122-101500-4f2a11
          cardiograph remove label:test tag:board=Pi-4 --yes
help-remove-selectors = The checkups to remove
help-remove--yes = Do not ask for confirmation

## label and tag

help-label = Label saved checkups (all of a drive: drive:ID)
    .after =
        An empty TEXT removes the label. A SELECTOR is the same as for
        `cardiograph show`, and may match several checkups.

        Examples:
          cardiograph label @last 'card A'
          cardiograph label drive:S4EWNX0R ssd
help-label-selector = The checkups to label
help-label-text = The label
help-tag = Add facts to saved checkups, by which they can be found and compared
    .after =
        NAME= without a value removes a tag.

        Examples:
          cardiograph tag @last board=Pi-5 price=980JPY
          cardiograph tag 'label:card A' reader=
help-tag-selector = The checkups to tag
help-tag-tags = The tags

## store

help-store = Repair the file that holds saved checkups, or copy them to another
help-store-copy = Copy all checkups of one store into another, and compare both
    .after =
        Examples:
          cardiograph store copy drives.db copy.db
          cardiograph store copy drives.db postgresql://ann@db.example.org/drives
        A checkup that is in both is replaced if it differs. The copy can be repeated.
help-store-copy-from = The file or address of the store to copy
help-store-copy-to = The file or address of the other; created if missing
help-store-export = Write all checkups to a file, one JSON object in a line
    .after =
        Examples:
          cardiograph store export checkups.jsonl
          cardiograph store export - | ssh server cardiograph store import -
help-store-export-file = The file; - for standard output
help-store-import = Save the checkups of an export that are not there yet
help-store-import-file = The file; - for standard input
help-store-repair = Restore what is readable of a damaged file; the damaged file is kept next to it

## send

help-send = Send saved checkups to a team's server
    .after =
        Without SELECTOR, those are sent that could not be sent yet. A checkup counts as
        sent when the server has it on disk; sending it twice does no harm.

        The server:
          --to asks for the token that the server's owner gave you (cardiograph token
          add), tries it, and writes both into ~/.config/cardiograph/server.toml, which
          only you can read. The server named last is used where none is named. HTTP
          proxies are taken from HTTPS_PROXY and NO_PROXY, or from that file.

        Exit codes:
          0    all sent
          2    wrong command line, no such checkup, or no such server
          3    not all sent

        Examples:
          cardiograph send --to https://drives.example
          cardiograph check --send
          cardiograph send drive:S4EW @last
          cardiograph send
help-send-selectors = Checkups to send: an id or its beginning, @last, label:TEXT, tag:NAME=VALUE, drive:ID
help-send--to = Make this server known, or, with SELECTOR, send to this one: https://HOST
help-send--token-file = Read the token from this file ('-': standard input) instead of asking
help-send--ca = Also trust the certificates in this PEM file

## token

help-token = Make, list and revoke tokens: who may use the server of a store
    .after =
        The commands change the store that the server uses, also while it runs.
        Roles: viewer reads; sender only sends checkups, for machines; operator also
        starts and stops checkups; admin does everything.

        Examples:
          cardiograph token add ann --role admin
          cardiograph token add pi5 --role sender --expires 365d
          cardiograph token list
help-token-add = Make a token and print it, once
help-token-add-name = Whose it is: letters, digits, hyphens, dots and underscores
help-token-add--role = What its owner may do
help-token-add--expires = Let it end after this time, such as 90d
help-token-list = List tokens, without their secrets
help-token-revoke = End a token
help-token-revoke-name = The name of the token
help-token-replace = Give a lost token a new secret; the old one ends
help-token-replace-name = The name of the token

## serve

help-serve = Show the saved checkups in a browser, and start new ones from there
    .after =
        Prints an address that signs one browser in; only this host can reach it.
        With TLS, or behind a proxy that does it, it serves a team: everybody signs in
        with a token (cardiograph token). docs/server.md says how to set it up.
        Ctrl-C ends the server: a checkup that is running is ended and saved.

        Examples:
          cardiograph serve --open
          cardiograph serve --listen 127.0.0.1:9000
help-serve--listen = Listen on this address of this host
help-serve--host = Also answer to this name, such as that of a proxy
help-serve--tls-cert = Use this certificate (PEM) for TLS, so that other hosts can connect
help-serve--tls-key = The private key of the certificate (PEM)
help-serve--behind-proxy = Expect a proxy that does TLS in front of --listen
help-serve--keep = Remove checkups that are older than this, such as 365d, each hour
help-serve--keep-newest = But keep this many newest checkups of each drive
help-serve--open = Open the page in the browser
help-serve--allow-erase = Let pages erase devices, after their id was typed

## shelf

help-shelf = Show published results of other drives, with their sources
    .after =
        A figure is only comparable with one that was measured the same way: a SOURCE
        shows the commands behind its figures.

        Examples:
          cardiograph shelf                      list the sources
          cardiograph shelf dramble-cards        show the tables of one
          cardiograph shelf --drive 'samsung evo'
                                                 show what all of them say about a drive
help-shelf-source = Show the tables of this source
help-shelf--drive = Show only drives with this in their names, with their tables

## import

help-import = Save what other programs measured: read their output and logs
    .after =
        What is imported:
          Only what a file says. A file may hold outputs of several programs, or parts
          of one, with prompts, quote marks, times of a log and text around them; what
          is missing is noted. Each drive in it becomes a separate checkup, and so does
          each run of a test that ran several times. A file whose figures contradict
          each other is left out as a whole, and its wrong lines are listed.

        Tables (--map):
          Markdown, columns of spaces or tabs, or comma-separated. MAP is a list of
          assignments separated by ';': drive=COLUMN, test=COLUMN,
          TEST.FIGURE=COLUMN UNIT, and TEST: COMMAND for how it was measured; name a
          test of iozone after what it does (random-read, rewrite). MB/s=MiB/s reads
          cells in MB/s that mean MiB/s. A COLUMN is a number from 1, a heading, or *
          for all columns with a drive as heading. Where single spaces separate the
          columns, use numbers, and put the names in column 1; a row that can be split
          in several ways is refused.

        Exit codes:
          0    done
          2    a file could not be read; the others are saved
          3    the store cannot be written

        Examples:
          cardiograph import fio.txt --label ssd --tag board='Pi 5'
          fio --output-format=json job.fio | cardiograph import -
          cardiograph import run_lat.1.log run_bw.1.log --dry-run
          cardiograph import --list-formats
          cardiograph import table.md --map 'drive=Card;
              w.write.bandwidth=dd write MB/s;
              w: dd if=/dev/zero of=x bs=8k count=50k conv=fsync'
help-import-files = Output and logs of other programs ('-': standard input)
help-import--as = Their format, if it is not recognised
help-import--map = Read tables, with these meanings of their columns, such as 'drive=1; read.bandwidth=2 MB/s' (see below)
help-import--label = A name for the drive, to find the checkups by
help-import--tag = A tag to find and compare the checkups by, such as board="Pi 5" or price=980JPY; may be repeated
help-import--capacity = The drive's capacity as sold, such as 480GB: output rarely contains it, and some purposes need it
help-import--send = Send the Report to a team's server once it is saved, and earlier ones that could not be sent; without ADDRESS to the one last named by send --to
help-import--list-formats = List the known formats
help-import--dry-run = Read and show, but save nothing

## compare

help-compare = Compare checkups, and say which differences are more than chance
    .after =
        A SELECTOR is the same as for `cardiograph show`. A label, a tag or a drive with
        several checkups selects a group: the larger the group, the smaller the
        differences that can be told apart from chance. Tests are paired by how they
        were measured, whatever their names.

        Exit codes:
          0    done; with --fail-if-worse: nothing is worse by more than chance
               (differences that may be chance are listed)
          2    wrong usage
          4    the same, but a test is missing, a checkup did not finish, or nothing
               could be judged (--fail-if-worse)
          5    something is worse (--fail-if-worse)

        Examples:
          cardiograph compare microsd ssd
          cardiograph compare microsd ssd --export-markdown tables.md
          cardiograph compare --by raid,scheduler --metric iops
          cardiograph compare --baseline label:march @last --fail-if-worse 10%
          cardiograph compare @last --shelf
help-compare-selectors = Two or more to compare; the first is the baseline
help-compare--verbose = Show all figures of each test, what else differs, and how it was judged
help-compare--baseline = The baseline for all others
help-compare--by = Group checkups (all saved ones, if none is named) by the values of these facts or tags, such as raid,scheduler
help-compare--pair = Show each drive with these facts or tags in common in a row, the values of --by beside each other: --pair board --by overclock
help-compare--rows = Show a row for each group and a column for each test, as articles do
help-compare--ratios = Of more than two groups, show ratios to the first as well
help-compare--metric = Only these metrics, such as iops,latency_p99: one table each, with a row per test and a column per group
help-compare--purposes = Also judge the purposes in this TOML file; an id of a shipped one replaces that (see `man cardiograph-purposes`)
help-compare--shelf = Rank a drive among published results that were measured in the same or a similar way; one SELECTOR is enough
help-compare--fail-if-worse = Show only what is worse by at least this much, such as 10%, and by more than chance; exit with 5 if anything is

## plot

help-plot = Draw saved checkups: dots, curves over time, percentiles, sweeps
    .after =
        Kinds:
          dots               each test's figures on their own scale, with intervals
          over-time          speed over time, with drops and stalls
          percentiles        latency by percentile
          distribution       number of I/Os by latency
          latency-over-time  latencies as a heat map, or mean and highest of each window
          sweep              the tables of a sweep as heat maps

        Examples:
          cardiograph plot @last --export-svg dots.svg
          cardiograph plot microsd ssd --kind percentiles --step durable-write \
              --title fsync --size 1200x630 --export-png fsync.png
          cardiograph plot @last --kind over-time --export-svg - --lang ja
help-plot-selectors = The checkups to draw side by side (see `cardiograph show --help`); of several matches, the newest
help-plot--kind = What to draw
help-plot--step = Draw only the step with this id (`show --verbose` shows the ids)
help-plot--title = Title of the chart
help-plot--size = Width in pixels, such as 720, or width and height, such as 1200x630
help-plot--theme = Colours; print is black and grey

## Lists

help-suites = List suites with their steps, and the purposes that are judged
help-engines = List engines, and why any are unavailable here
help-explain = Explain a word of reports: a purpose, figure, warning, mark or term
    .after =
        Examples:
          cardiograph explain                    list all words
          cardiograph explain a2
          cardiograph explain queue depth
help-explain-words = The word

## job and run

help-job = Run one job, given as fio options, and show its figures
    .after =
        Example:
          cardiograph job rw=randread bs=4k size=512M runtime=10 time_based=1 \
              direct=1 ioengine=io_uring iodepth=32
help-job-settings = fio options as NAME=VALUE
help-job--json = Print the result as JSON instead
help-job--each-line = Run the job once per line on standard input, on the same file, so that other programs can take turns
help-run = Run fio job files, then show and save the figures as a checkup
    .after =
        Example:
          cardiograph run ssd-test.fio --section seqread
help-run-files = fio job files ('-': standard input)
help-run--section = Run only this section; may be repeated
help-run--max-time = Take no longer than this, such as 30s or 2m; jobs are shortened or left out
help-run--tag = A tag to find and compare the Report by, such as board="Pi 5" or price=980JPY; may be repeated
help-run--label = A name for the drive, to find the Report by
help-run--allow-erase = Allow the contents of the device with this id to be destroyed; a refusal shows the id
help-run--verbose = Show all figures of each job, and the equivalent fio command line
help-run--no-keep = Do not save the Report
help-run--send = Send the Report to a team's server once it is saved, and earlier ones that could not be sent; without ADDRESS to the one last named by send --to

## Other programs

help-fio = Run fio's command lines and job files, with its output
help-fio-words = fio's options and job files
help-hdparm = Time a device as hdparm does, with the same output
    .after =
        hdparm's timings of block devices, with its output. Nothing is written.

        Usage: cardiograph hdparm [-t] [-T] [--direct] [--offset GIB] [--rest SECONDS]
                                  DEVICE...

          -t            read the device from its start for three seconds, 2 MiB at a
                        time, after dropping its pages from the cache
          -T            read its first 2 MiB from memory for two seconds
          --direct      bypass the page cache
          --offset GIB  start -t this far into the device
          --rest SECONDS
                        leave the device idle before each timing, once pending writes
                        are on the drives (default 3, as in hdparm, which lacks the
                        option)

        As in hdparm, a MB is 2^20 bytes. -T measures processor and memory, not the
        drive. Reading a device takes root, or membership in the device's group.

        Example:
          cardiograph hdparm -t /dev/mmcblk0
help-hdparm-words = hdparm's options and devices
help-dd = Copy to or from a drive as dd does, with the same output
    .after =
        Copies as people make them with dd to measure a drive, with its operands and
        output (on standard error). Numbers and suffixes are those of GNU dd 9.

        Usage: cardiograph dd if=/dev/zero|/dev/urandom of=FILE count=N [OPERAND...]
               cardiograph dd if=FILE of=/dev/null [OPERAND...]

          bs=N             read and write this many bytes at a time (512)
          count=N          copy this many blocks; bytes if N ends in B
          skip=N, seek=N   start this many blocks into the input, the output
          conv=LIST        fsync, fdatasync, notrunc
          iflag=LIST       direct, fullblock, count_bytes, skip_bytes
          oflag=LIST       direct, dsync, sync, seek_bytes
          status=WORD      none, noxfer, progress
          --allow-erase=ID
                           allow the device with this id to be overwritten; a refusal
                           shows the id

        Without conv=fsync, oflag=direct, dsync or sync the figure is that of memory,
        not of the drive; a note says so. conv=fdatasync ends with an fsync. Random
        bytes are generated faster than /dev/urandom provides them.

        An existing file is overwritten in place and never truncated: one that is longer
        than the copy is refused without conv=notrunc. Copying files to files is left to
        dd itself.

        Example:
          cardiograph dd if=/dev/zero of=/mnt/card/test bs=8k count=50k conv=fsync
help-dd-words = dd's operands
help-iozone = Run iozone's tests 0, 1 and 2, with the same output
    .after =
        iozone's tests 0, 1 and 2, with its output: KiB per second.

        Usage: cardiograph iozone -i 0 [-i 1] [-i 2] [OPTION...]

          -i 0        write a file, then rewrite it
          -i 1        read it, then reread it
          -i 2        read and write its records in random order, each once
          -s SIZE     file size (512k): 4k, 100M, 1g; KiB without a unit
          -r SIZE     record size (4k)
          -a          try all sizes that are not given: 64k to 512m, 4k to 16m
          -e          include a flush in the time of each test that writes
          -I          bypass the page cache
          -+n         skip rewriting and rereading
          -f FILE     measure in the directory of FILE (the current directory)

        The file has no name and disappears afterwards; an existing FILE is left alone.
        Its space is allocated before it is written, and its content is incompressible.
        Without -I the page cache absorbs writes and serves reads; a note says so.

        Example:
          cardiograph iozone -e -I -a -s 100M -r 4k -i 0 -i 1 -i 2
help-iozone-words = iozone's options

## Files for the shell and for man

help-completions = Print a completion script for a shell
help-completions-shell = The shell
help-man = Write man pages into a directory
help-man-directory = The directory
