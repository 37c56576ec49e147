### `cardiograph dd`, `hdparm` and `iozone`. They speak English only: other programs read them.

# $note: what a reader of the figures should know
tool-note = note: { $note }

tool-not-utf-8 = { $word }: not UTF-8; rename the file

## dd

# $kind: what it is, as "a directory"
dd-missing = if={ $path } does not exist; name a file or a block device

dd-kind =
    .from = if={ $path } is { $kind }; name a file or a block device
    .to = of={ $path } is { $kind }; name a file or a block device

# $length: in bytes
dd-nothing-left = if={ $path } has only { $length }, so nothing is left to read: reduce skip=, or name another file

dd-no-directory = of={ $path }: the directory { $directory } does not exist; create it, or name another

# $found, $left: in bytes
dd-would-cut = of={ $path } exists with { $found }, and dd would truncate it to { $left }; cardiograph does not truncate existing files: remove it first, or use conv=notrunc

# $end, $wanted: in bytes
dd-device-too-short = of={ $path } ends at { $end } bytes, but { $wanted } is requested: reduce count= or seek=

# $needed, $free: in bytes
dd-no-room = of={ $path } needs { $needed } more, but only { $free } is free: free some space, or reduce count=

dd-note =
    .cached = the page cache may answer from memory instead of the drive; iflag=direct bypasses it
    .fdatasync = conv=fdatasync ends with an fsync, which also makes the file's times durable
    .in-memory = the time ends when the data is in memory, not on the drive; conv=fsync waits for the drive
    .in-place = { $path } exists and is overwritten in place; dd would have truncated it first

# $operand: its name, $value: what was given
dd-too-many-blocks = { $operand }={ $value }: too many blocks for one file

dd-operand =
    .no-blocks = count=0 copies nothing: remove it, or give a number of blocks
    .too-far = count=, skip= or seek= reach beyond the longest possible file: reduce them
    .no-count = count= is missing: without it dd writes until the drive is full; add it, such as count=50k
    .block-sizes = with different ibs= and obs= dd copies each byte once more in memory, which would be measured too: use bs= for both
    .no-source = if= is missing; use if=/dev/zero or if=/dev/urandom to write, or if=FILE to read
    .no-sink = of= is missing; use of=FILE to write, or of=/dev/null to read
    .no-names = if= and of= need a name
    .no-drive = neither if= nor of= is on a drive, so there is nothing to measure: name a file for one of them

dd-empty-block = { $operand }=0: a block has at least one byte

# $problem: what is wrong with the value
dd-value = { $operand }={ $value }: { $problem }

dd-number = '{ $number }' is not a number; write digits with a suffix as in dd: c (1), w (2), b (512), kB (1,000), K (1,024), MB, M, GB, G, such as 8k or 1M, or a product such as 2x512

dd-status = status={ $value }: use none, noxfer or progress

dd-unknown-operand = unknown operand { $word }; use if, of, bs, count, skip, seek, conv, iflag, oflag and status, as in `cardiograph dd if=/dev/zero of=FILE bs=8k count=50k conv=fsync`

# $known: what there is
dd-unknown-flag = { $operand }={ $value }: not supported for measurements; use { $known }, remove it, or use dd itself

dd-copies-no-file = if={ $from } and of={ $to }: cardiograph does not copy files; to measure reading use of=/dev/null, to measure writing use if=/dev/urandom, or copy with dd itself

dd-idle =
    .written = { $operand }= has no effect here, because the data is generated in memory: remove it
    .read = { $operand }= has no effect here, because of=/dev/null discards everything: remove it

## hdparm

hdparm-no-device = the device { $path } does not exist or is not accessible; list devices with `cardiograph drive`

hdparm-not-a-device = { $path } is not a block device; name one, such as /dev/mmcblk0; to read a file, use `cardiograph dd if=FILE of=/dev/null`, to check a file system, `cardiograph check`

hdparm-note-memory = -T reads from memory: this figure is not the drive's

# $length, $offset: numbers of bytes
hdparm-too-small = { $path } is too small: it ends at { $length } bytes, and hdparm reads 2 MiB at a time from byte { $offset }

hdparm-option =
    .unknown = { $word }: only hdparm's timings are supported (-t, -T, --direct, --offset, --rest); to see what a drive reports, use `cardiograph drive`; to change its settings, hdparm itself
    .no-offset = --offset: the number of GiB is missing
    .offset = { $word }: --offset takes a whole number of GiB
    .no-rest = --rest: the number of seconds is missing
    .rest = { $word }: --rest takes whole seconds, up to 3600
    .no-timing = neither -t nor -T is given; add one, as in `cardiograph hdparm -t /dev/mmcblk0`; to see what a drive reports, use `cardiograph drive`
    .no-device = no device is named; add one, such as /dev/mmcblk0 (cardiograph drive lists them)
    .offset-alone = --offset sets where -t begins, but -t is missing: add it, or remove --offset

## iozone

iozone-note =
    .cached = without -I the page cache takes writes and answers reads: these may be figures of memory
    .left-alone = { $path } exists and is left unchanged; an unnamed file in its directory is used instead

iozone-path =
    .device = -f { $path }: a block device, whose contents would be destroyed; name a file on a file system of it
    .kind = -f { $path }: it is { $kind }; name a file in it

iozone-option =
    .unknown = { $word }: not supported; use -a, -e, -I, -+n, -s, -r, -i 0, -i 1, -i 2 and -f, as in `cardiograph iozone -e -I -a -s 100M -r 4k -i 0 -i 1 -i 2`; for other patterns, threads and rates, use `cardiograph fio`
    .no-value = { $option }: its value is missing
    .test = -i { $value }: the tests are 0 (write), 1 (read) and 2 (random); for other patterns, use `cardiograph fio`
    .length = { $option } { $value }: not a size; write it as 4k, 100M or 1g (without a unit: KiB)
    .no-test = -i is missing: iozone would run all of its tests, but only the first three are supported; add -i 0 -i 1 -i 2
    .no-write = -i 0 is missing: the other tests read what it writes; add it
    .record = a record is larger than its file: reduce -r, or increase -s
