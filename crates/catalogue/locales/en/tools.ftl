### `cardiograph dd`, `hdparm` and `iozone`. They speak English only: other programs read them.

# $note: what a reader of the figures should know
tool-note = note: { $note }

tool-not-utf-8 = { $word }: not UTF-8; rename what it names

## dd

# $kind: what it is, as "a directory"
dd-missing = if={ $path } does not exist: name a file or a block device

dd-kind =
    .from = if={ $path } is { $kind }: name a file or a block device
    .to = of={ $path } is { $kind }: name a file or a block device

# $length: in bytes
dd-nothing-left = if={ $path } has { $length }, and nothing is left of it to read: make skip= smaller, or name another

dd-no-directory = of={ $path }: there is no directory { $directory }; make it, or name another

# $found, $left: in bytes
dd-would-cut = of={ $path } exists and has { $found }, of which dd would leave { $left }; cardiograph does not truncate a file that it did not make: remove it first, or keep the rest with conv=notrunc

# $end, $wanted: in bytes
dd-device-too-short = of={ $path } ends at { $end } bytes, and { $wanted } are asked for: make count= or seek= smaller

# $needed, $free: in bytes
dd-no-room = of={ $path } needs { $needed } more, and { $free } are free there: make room, or make count= smaller

dd-note =
    .cached = the page cache answers what it holds from memory, not from the drive: iflag=direct bypasses it
    .fdatasync = conv=fdatasync ends with an fsync, which also makes the times of the file durable
    .in-memory = the time ends when memory has taken the data, not when it is on the drive: conv=fsync waits for that
    .in-place = { $path } exists and is overwritten in place; dd would have emptied it first

# $operand: its name, $value: what was given
dd-too-many-blocks = { $operand }={ $value }: that many blocks are longer than a file can be

dd-operand =
    .no-blocks = count=0 copies nothing: leave it out, or give a number of blocks
    .too-far = count=, skip= or seek= reach beyond the longest file: make them smaller
    .no-count = count= is missing: without it dd writes until the drive is full; add it, as count=50k
    .block-sizes = with different ibs= and obs= dd copies each byte once more between reading and writing, which would be measured, too: use bs= for both
    .no-source = if= is missing: dd would copy its standard input; name if=/dev/zero or if=/dev/urandom to write, or if=FILE to read
    .no-sink = of= is missing: dd would write to its standard output; name of=FILE, or of=/dev/null to read
    .no-names = if= and of= need a name
    .no-drive = neither if= nor of= is on a drive, so there is nothing to measure: name a file for one of them

dd-empty-block = { $operand }=0: a block has at least one byte

# $problem: what is wrong with the value
dd-value = { $operand }={ $value }: { $problem }

dd-number = '{ $number }' is not a number; write digits with a suffix as in dd: c (1), w (2), b (512), kB (1,000), K (1,024), MB, M, GB, G, as 8k or 1M, or a product as 2x512

dd-status = status={ $value }: use none, noxfer or progress

dd-unknown-operand = { $word }: unknown operand; use if, of, bs, count, skip, seek, conv, iflag, oflag and status, as `cardiograph dd if=/dev/zero of=FILE bs=8k count=50k conv=fsync`

# $known: what there is
dd-unknown-flag = { $operand }={ $value }: not supported for measurements; use { $known }, leave it out, or use dd itself

dd-copies-no-file = if={ $from } and of={ $to }: cardiograph does not copy files, dd does; to measure how fast one is read, use of=/dev/null instead, and how fast the other is written, if=/dev/urandom

dd-idle =
    .written = { $operand }= has no effect here, as the data is made in memory: leave it out
    .read = { $operand }= has no effect here, as of=/dev/null takes everything: leave it out

## hdparm

hdparm-no-device = there is no device { $path }, or no permission to look at it; `cardiograph drive` lists the devices

hdparm-not-a-device = { $path } is not a block device: name one, as /dev/mmcblk0; files are read with `cardiograph dd if=FILE of=/dev/null`, and a file system is checked with `cardiograph check`

hdparm-note-memory = -T reads from memory: its figure is not the drive's

# $length, $offset: numbers of bytes
hdparm-too-small = { $path } ends at { $length } bytes, and hdparm reads 2 MiB at a time from byte { $offset } on: it is too small for that

hdparm-option =
    .unknown = { $word }: only hdparm's timings are supported (-t, -T, --direct, --offset, --rest): cardiograph does not change a drive's settings, and `cardiograph drive` shows what a drive reports; leave it out
    .no-offset = --offset: the number of GiB is missing
    .offset = { $word }: --offset takes a whole number of GiB
    .no-rest = --rest: the number of seconds is missing
    .rest = { $word }: --rest takes whole seconds, up to 3600
    .no-timing = neither -t nor -T is given: add one, as `cardiograph hdparm -t /dev/mmcblk0`; `cardiograph drive` shows what a drive reports
    .no-device = no device is named: add one, as /dev/mmcblk0 (cardiograph drive lists them)
    .offset-alone = --offset says where -t begins, and -t is missing: add it, or leave --offset out

## iozone

iozone-note =
    .cached = without -I the page cache takes what is written and answers what is read: these may be figures of memory
    .left-alone = { $path } exists and is left alone: a file without a name in its directory is used

iozone-path =
    .device = -f { $path }: a block device, and all that is on it would be lost: name a file on a file system of it
    .kind = -f { $path }: it is { $kind }: name a file in it

iozone-option =
    .unknown = { $word }: not supported; use -a, -e, -I, -+n, -s, -r, -i 0, -i 1, -i 2 and -f, as `cardiograph iozone -e -I -a -s 100M -r 4k -i 0 -i 1 -i 2`; other patterns, threads and rates are jobs of `cardiograph fio`
    .no-value = { $option }: its value is missing
    .test = -i { $value }: the tests are 0 (write), 1 (read) and 2 (random); other patterns are jobs of `cardiograph fio`
    .length = { $option } { $value }: not a length; write it as 4k, 100M or 1g (without a unit: KiB)
    .no-test = -i is missing: iozone would run all of its tests, and only the first three are supported; add -i 0 -i 1 -i 2
    .no-write = -i 0 is missing: the other tests read what it writes; add it
    .record = a record is longer than its file: make -r smaller, or -s larger
