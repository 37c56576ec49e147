### Measurement warnings ("traps"): what can make a figure wrong. The value is a phrase: what is looked for. Attributes are sentences: what was seen, with
### its numbers; what that means for the figures, or what to do (`meaning`); why nothing could be seen (`unknown`). Where an attribute is a phrase, a
### comment says so.

traps-heading = Measurement warnings
traps-not-seen = { $title }: not checked. { $why }
traps-rest = { $absent ->
        [one] { $absent } other problem
       *[other] { $absent } other problems
    } ruled out{ $unknown ->
        [0] .
       *[other] ; { $unknown } could not be checked.
    }
traps-none = { $absent ->
        [one] { $absent } problem
       *[other] { $absent } problems
    } ruled out{ $unknown ->
        [0] .
       *[other] ; { $unknown } could not be checked.
    }

trap-nothing-measured = Nothing was measured.
trap-no-drive = No drive is visible under the path.
trap-no-file-system = There is no file system to check.
trap-link-unknown = The link is unknown.
trap-link-speed-unknown = The speed of the link is unknown.
trap-machine-unknown = The machine is unknown.
# A phrase, in place of the name of a bridge.
trap-unnamed-bridge = an unnamed USB bridge

trap-bypassed = Fewer bytes at the drive than requested
    .seen = As little as { $least } of the requested bytes reached the drive in: { $tests }.
    .meaning = A cache, a hole in the file or compression answered. These figures are withheld.
    .unknown = No test was compared with the kernel's counters.

trap-above-link = More bytes per second than the link to the drive can carry
    .seen = The link carries at most { $carried }, but more was measured in: { $tests }.
    .meaning = Something closer than the drive answered. These figures are not the drive's.

# `stopped` to `no-processor` are phrases: causes.
trap-paused = Program stopped, frozen or suspended while measuring
    .seen = The program did not run for { $paused } ({ $cause }) in: { $tests }.
    .meaning = Latencies and rates of these tests include that time and are not the drive's. Measure again without the pause.
    .stopped = SIGSTOP, Ctrl-Z, a debugger or a frozen cgroup
    .frozen = a frozen cgroup or a paused virtual machine
    .suspended = the machine was suspended
    .no-processor = no processor was free
    .unknown-cause = stopped, or no processor was free

trap-fast-flush = Flushes faster than flash can store data
    .seen = The median flush took { $median }, but flash needs { $least } to store a page.
    .meaning = Either the drive has capacitors for power loss, or it ignores flushes. Only pulling the plug can show which.
    .meaning-host = Memory answers: the host's cache, or capacitors in its drives. The figures are the host's, and only its operator knows whether data survives a power loss.
    .unknown = No durable write was measured.
    .simulated = The drive is simulated.

trap-new-errors = Errors counted by the drive while it was measured
    .reads = While it was measured, drive { $drive } counted { $count ->
        [one] one failed read.
       *[other] { $count } failed reads.
    }
    .pending = While it was measured, drive { $drive } counted { $count ->
        [one] one new unreadable sector.
       *[other] { $count } new unreadable sectors.
    }
    .replaced = While it was measured, drive { $drive } counted { $count ->
        [one] one replaced sector.
       *[other] { $count } replaced sectors.
    }
    .power = While it was measured, drive { $drive } counted { $count ->
        [one] one power loss.
       *[other] { $count } power losses.
    }
    .transfers = While it was measured, drive { $drive } counted { $count ->
        [one] one transfer damaged by the link.
       *[other] { $count } transfers damaged by the link.
    }
    .meaning = The figures are those of a failing drive. Save its data and replace it.
    .meaning-link = Each was repeated, which takes time. Change the cable or the slot, and measure again.
    .unknown = The drive's error counters were not read before and after.

# Several sentences about a file system follow `type`.
trap-file-system-cache = File system that does not pass I/O through to a drive
    .type = The file system is { $file_system }.
    .memory = It is in memory.
    .zfs = Its own cache (ARC) answers reads, and before OpenZFS 2.3 it accepts O_DIRECT but ignores it.
    .overlay = Files come from a lower layer and are copied up when they are first written.
    .union = Files come from a lower layer.
    .server = A server and its caches answer.
    .host = The host of this virtual machine answers.
    .cluster = A cluster of servers answers.
    .encrypted = It encrypts through the page cache.
    .compressed = It decompresses through the page cache.
    .read-only = It cannot be written to.
    .program = A program implements the file system.
    .ends-in-memory = What is written here ends up in memory.
    .meaning = The figures are those of the file system with its cache, not of a drive.
    .meaning-memory = No drive can be measured here.

trap-layers = Encryption, RAID, volumes or files between file system and drive
    .crypt = Device { $device } encrypts, which costs processor time.
    .md = Device { $device } is a RAID: it spreads or copies blocks over several drives.
    .loop = Device { $device } is a file that acts as a device, on another file system.
    .lvm = Device { $device } is a logical volume.
    .other = Device { $device } is between file system and drive.
    .meaning = The figures are those of the whole stack. Compare them only with figures of the same stack.

trap-no-barriers = File system mounted not to flush the drive's cache
    .seen = { $mount } is mounted with { $option }.
    .meaning = What counts as durable is only in the drive's cache. Figures of durable writes are those of writes that are not durable.

trap-copy-on-write = File system that never overwrites, or that compresses
    .compressed = { $file_system } is mounted with { $option }.
    .compressed-meaning = Test data does not compress, but other files do. Compressed files bypass direct I/O.
    .copied = { $file_system } writes each block to a new place.
    .copied-meaning = Random writes become new extents with their own checksums: figures are those of the file system, and fall as files fragment. A directory without copy-on-write (chattr +C) comes closer to the drive.

trap-prepared-data = Content that repeats or compresses, which some drives store at lower cost
    .seen = The content repeats or compresses, as the job requests, in: { $tests }.
    .meaning = Drives and volumes that compress or deduplicate are faster with it than with other data.

trap-controller-cache = RAID controller that answers from its own cache
    .back = { $controller } acknowledges writes when they are in its cache.
    .back-meaning = Figures of writes that fit into the cache are the controller's. Measure with more data than it holds.
    .always-back = { $controller } acknowledges writes when they are in its cache, even without a battery.
    .always-back-meaning = Durable writes are not durable: a power loss destroys them.
    .through = { $controller } writes through, although it is set to use its cache.
    .through-meaning = Its battery or capacitor is missing, worn or charging. Writes are slower now than they will be.
    .unknown = The controller's program does not report the cache policy.

trap-harness = Program or processors at their limit instead of the drive
    .seen = The processors had no time left in: { $tests }.
    .calibration = Without a drive, one worker reaches { $iops } here, or makes new content at { $content }.
    .meaning = The drive can do more than these figures. Give the job more workers, larger blocks or an engine that costs less.
    .unknown = The processor time of the workers is unknown.

trap-io-limits = Control group limits on the I/O of this process
    .read-bandwidth = A control group limits reads from device { $device } to { $limit }.
    .write-bandwidth = A control group limits writes to device { $device } to { $limit }.
    .read-iops = A control group limits reads from device { $device } to { $limit }.
    .write-iops = A control group limits writes to device { $device } to { $limit }.
    .other = A control group limits { $what } of device { $device } to { $limit } per second.
    .meaning = Figures close to these limits are the limits. Measure outside the container or group to see the drive.

trap-background-load = Other programs, a resync or the kernel using the drive
    .sync = Array { $set } is busy with maintenance: { $action }.
    .sync-progress = Array { $set } is busy with maintenance: { $action }, { $done } done.
    .ext4 = The kernel is still writing the tables of a new ext4 file system (ext4lazyinit).
    .pressure = During { $waited } of the preceding ten seconds, some program waited for I/O.
    .load = The load was { $load } on { $processors ->
        [one] one processor.
       *[other] { $processors } processors.
    }
    .readers = Something else read from the drive in: { $tests }.
    .meaning = Other activity takes part of what the drive can do. Measure when the machine is idle.
    .unknown = The load of the machine is unknown.

trap-swapping = Swap on the drive, or memory swapped while measuring
    .busy = { $swapped } was swapped, with swap on this drive ({ $swaps }), in: { $tests }.
    .busy-meaning = The drive did that in addition to what was measured. Close other programs or switch that swap off (swapoff), and measure again.
    .busy-other = { $swapped } was swapped, but not to this drive, in: { $tests }.
    .busy-other-meaning = Memory ran short: processors that compress or wait for swap delay I/Os. Close other programs and measure again.
    .idle = This drive holds swap ({ $swaps }), { $used } of { $size } in use.
    .idle-meaning = When memory runs short, the drive serves swap in addition to what is measured.
    .unknown = The kernel does not report what is used as swap.

# `voltage` to `warmth` are phrases: causes.
trap-pi-throttling = Raspberry Pi slowed down by heat or a weak power supply
    .now = The Raspberry Pi is being slowed down now. Causes: { $causes }.
    .now-meaning = The figures are those of a throttled board. Cool it, or give it the power supply that it requires, and measure again.
    .before = The Raspberry Pi has been slowed down since it was started. Causes: { $causes }.
    .before-meaning = That may have been before this checkup or during it.
    .voltage = low voltage
    .clock = a lowered clock
    .heat = heat
    .warmth = the soft temperature limit
    .unknown = The board's throttling state cannot be read.

trap-hot = Drive at the temperature at which it slows down
    .throttled = Heat or voltage slowed down the drive or the board in: { $tests }.
    .throttled-meaning = These figures are lower than the drive's own. Cool it and measure again.
    .slowed = While it was measured, drive { $drive } counted { $count ->
        [one] one slowdown caused by heat.
       *[other] { $count } slowdowns caused by heat.
    }
    .above = While it was measured, drive { $drive } spent { $minutes ->
        [one] one minute above its warning temperature.
       *[other] { $minutes } minutes above its warning temperature.
    }
    .slowed-meaning = Heat slowed it down. Give it airflow or a heat sink, let it cool, and measure again.
    .now = Drive { $drive } is at { $temperature } °C and slows down from about { $limit } °C.
    .now-meaning = The figures are those of a hot drive. Give it airflow or a heat sink, let it cool, and measure again.
    .before = Drive { $drive } has spent { $minutes ->
        [one] one minute of its life above its warning temperature.
       *[other] { $minutes } minutes of its life above its warning temperature.
    }
    .before-meaning = Under sustained load it gets too hot where it is installed.
    .unknown = The drive's temperature is unknown.

trap-link-limit = Figures at the limit of the link between host and drive
    .seen = The link carries at most { $carried } and was full in: { $tests }.
    .meaning = On a faster link the drive may do better.

trap-reduced-link = Link slower than drive and host support
    .pcie = Drive { $drive } runs at PCIe { $generation }.0 x{ $lanes } but supports { $generation_max }.0 x{ $lanes_max }.
    .pcie-below = Drive { $drive } runs PCIe below what it supports.
    .sata = Drive { $drive } runs SATA below what both sides support.
    .usb = Drive { $drive } runs USB below what the device supports.
    .other = Drive { $drive } runs its link below what it supports.
    .carried = The link carries at most { $carried }.
    .meaning = Try another cable and port.
    .meaning-pcie = Try another slot. Look for a loose contact, and for power-saving (ASPM) and firmware settings.
    .meaning-usb = Try another cable and port. A USB 3 drive needs a blue or SS port and a fully wired cable.
    .unknown = Neither side reports what it supports.

trap-card-bus-mode = SD card in a slower bus mode than it supports
    .seen = The card is made for UHS-I (U{ $grade }), but the bus runs in a slower mode.
    .carried = The bus carries at most { $carried }.
    .meaning = The figures are those of the slot: the host does not support UHS-I, or tuning failed (see the kernel log). Clean the contacts, and try another slot or reader.
    .unknown = The bus mode or the speed grade of the card is unknown.

trap-card-reader = Card in a USB reader, which may be the limit
    .named = Drive { $drive } is a card in a reader, { $bridge }.
    .slot = Drive { $drive } is one of several slots of { $bridge }, as in a card reader.
    .registers = Card { $drive } is in a USB reader, { $bridge }.
    .rate = The reader is connected at { $rate }.
    .one-command = It takes one command at a time.
    .hidden = It hides the registers of the card.
    .meaning = The figures are those of card and reader together, and the reader may be the limit. Before judging the card, measure it in a slot of the board or in a second reader.
    .registers-meaning = The reader may be the limit. Compare with figures from the same reader, or from a slot of the board.

trap-usb-driver = USB bridge that takes one command at a time
    .seen = Drive { $drive } is behind { $bridge } with the driver usb-storage.
    .quirk = The kernel is set to use this driver for it (usb-storage.quirks).
    .meaning = This driver sends one command at a time: figures at high queue depths are those of QD1. With a bridge that supports UAS the drive may do better.

trap-boot-settings = Overclocked card slot or uncertified PCIe generation on a Raspberry Pi
    .card = The card's bus is set to { $mhz } MHz instead of 50 MHz ({ $file }, line { $line }).
    .pcie = PCIe is set to generation { $generation }, for which the board is not certified ({ $file }, line { $line }).
    .meaning = The figures are not those of a board as sold. Errors and corrupt data are more likely; the kernel log shows them.

trap-command-queue = A2 card on a host that does not use its command queue
    .registers = The card is marked A2, but its registers offer no command queue that the kernel would trust.
    .host-only = The card is marked A2, but the host sends its queued commands to the card one at a time.
    .off = The card is marked A2, but the kernel does not use its command queue.
    .meaning = A2 requires a command queue and cannot be tested here. Of the Raspberry Pis only the 5 can use it, for cards on a list, or for all with dtparam=sd_cqe=2.
    .failed = The card's command queue failed and was emptied ("running CQE recovery", { $recoveries ->
        [one] once in the kernel log).
       *[other] { $recoveries } times in the kernel log).
    }
    .failed-meaning = Each failure is a stall in the figures. Switch the queue off (on a Raspberry Pi 5: dtparam=sd_cqe=0) and measure again.
    .no-status = The kernel does not show the status of the card.
    .unknown = The kernel log, which may be readable by root only, shows whether the kernel uses this A2 card's command queue.

trap-cache-cliff = Writes that slow down when the drive's cache is full
    .seen = In { $test }, the speed fell from { $before } to { $after } after { $written }.
    .meaning = Shorter tests and smaller files see only the fast part. The second figure is what the drive sustains.
    .unknown = Nothing was written for long enough.

trap-open-units = Writes to several files at once that become slow
    .seen = { $files ->
        [one] One file at a time can be written fast.
       *[other] { $files } files at once can be written fast.
    } With { $more }, the speed falls to { $share } of the speed of one.
    .meaning = Figures of a single file, and of random writes within a short one, are better than those of several files at once.
    .unknown = No test wrote several files in turn; --suite open-units does that.
    .unfinished = The search for the limit was not finished.

trap-failing = Drive that reports itself as failing, or loses sectors
    .unfit = Drive { $drive } reports that it is failing.
    .warning = Drive { $drive } reports critical warning { $code }.
    .reads = Drive { $drive } has counted { $count ->
        [one] one failed read.
       *[other] { $count } failed reads.
    }
    .sectors = Drive { $drive } has { $count ->
        [one] one unreadable sector.
       *[other] { $count } unreadable sectors.
    }
    .meaning = It retries and remaps while it is measured. Save its data and replace it.
    .unknown = The drive does not report its health.

trap-worn = Drive at the end of its rated life
    .beyond = Drive { $drive } is beyond its rated life.
    .used = Drive { $drive } has used { $used } of its rated life.
    .used-at-most = Drive { $drive } has used up to { $used } of its rated life.
    .spare = Drive { $drive } has used { $used } of its spare blocks.
    .spare-used-up = Drive { $drive } has used up its spare blocks.
    .meaning = Worn flash is slower and loses data sooner. The figures are those of a worn drive, which should be replaced.
    .unknown = The drive does not report its wear.

trap-nearly-full = File system nearly full
    .seen = Only { $free } of { $mount } is free.
    .meaning = Files fragment and the drive has few erased blocks: it is slower now than with more free space.
    .unknown = There is no file system of known size.

# `allocation-unit` to `convention` are phrases: units.
trap-misaligned = Partitions or volumes that begin within an erase block or a stripe
    .seen = Device { $device } begins on { $on } at { $start }, which is not a multiple of { $unit } ({ $length }).
    .allocation-unit = the card's allocation unit
    .erase = the drive's preferred erase size
    .optimal = the drive's preferred I/O size
    .stripe = the array's stripe
    .convention = the customary unit
    .meaning = Writes of whole units touch one unit more than they need to. A partition that begins at a multiple avoids that.
    .unknown = It is unknown where the data begins.

trap-skimpy = Card that claims less than the capacity that its label must show
    .seen = Card { $drive } claims { $capacity }, { $share } of the { $label } that its label must show.
    .meaning = Look at the label: cards keep a few percent for themselves, but not more.
    .unknown = The drive does not report its capacity.

trap-zones = Drive that is written in zones (SMR or ZNS) and reports it
    .host-aware = Drive { $drive } is written in zones and takes random writes into its cache.
    .host-managed = Drive { $drive } is written in zones and accepts only sequential writes.
    .meaning = Random writes are fast until its cache is full, and then slow for hours: short tests flatter it.
    .unknown = The drive does not report whether it has zones.

trap-shingled = Hard disk that hides its overlapping tracks (drive-managed SMR)
    .reported = Drive { $drive } reports that its tracks overlap and that it manages them itself.
    .trim = Hard disk { $drive } accepts TRIM, which is a sign but no proof of overlapping tracks (SMR).
    .meaning = Writes are fast until its cache is full, and then slow for hours: short tests flatter it, and a RAID rebuild may fail.
    .unknown = It is unknown whether the drive rotates or accepts TRIM.

trap-discard = Flash without TRIM, which cannot learn which blocks are free
    .seen = Drive { $drive } does not accept discards.
    .seen-bridge = Drive { $drive } does not accept discards, according to its USB bridge.
    .meaning = It keeps everything ever written, and writing slows down over weeks. A fresh drive measures better than a used one.
    .unknown = It is unknown whether the drive accepts discards.

trap-virtual-disk = Disk provided by a host or a cloud
    .seen = Disk { $drive } belongs to a virtual machine.
    .product = Disk { $drive } belongs to a virtual machine: { $product }.
    .meaning = The host's caches, limits, bursts and other guests affect it: figures vary over the day, and are the volume's, not a drive's. Measure for longer, and again at other times of day.
    .meaning-network = A network, limits, burst credits and neighbours affect it, and a volume made from a snapshot is slow when a block is first read. Measure for longer, and again at other times of day.

trap-false-rotational = Drive without rotating parts that reports itself as rotational
    .seen = Drive { $drive } reports itself as rotational.
    .meaning = The kernel treats it as a hard disk: it chooses another scheduler, and waits and sorts where nothing rotates (queue/rotational).
    .unknown = The drive does not report whether it is rotational.

trap-volatile-cache = Cache that can lose acknowledged writes
    .seen = Drive { $drive } has a write-back cache.
    .meaning = Writes complete when they are in the cache. Only figures of durable writes (fsync) show what survives a power loss.
    .unknown = The drive does not report whether it has a write cache.

trap-emulated-blocks = Blocks smaller than the drive's own (512e)
    .seen = Drive { $drive } is addressed in blocks of { $logical } and written in blocks of { $physical }.
    .meaning = A write that is smaller than { $physical }, or not aligned to it, reads before it writes.
    .unknown = The drive does not report its block sizes.

trap-slow-cores = Slow processors among fast ones, serving the drive's interrupts
    .seen = Some processors are slow, down to { $speed } of the fastest: { $processors }.
    .meaning = The kernel chooses which of them runs this program. To compare figures, pin it to the fast ones (taskset, or cpus_allowed in a job).
    .served = They served the drive's interrupts in: { $tests }.
    .served-meaning = Their speed is part of each latency. Let fast ones serve the drive (smp_affinity_list in /proc/irq), pin this program to them, and measure again.
    .unknown = The kernel does not report how fast each processor is.

trap-cpu-governor = Processor allowed to slow down
    .seen = The frequency governor is { $governor }.
    .meaning = A processor that slows down between I/Os delays each of them. Compare only with figures under the same governor.
    .unknown = The kernel shows no frequency governor.

trap-idle-states = Processor that wakes up slowly for each I/O at QD1
    .seen = An I/O takes { $median }, and a processor that sleeps in { $state } meanwhile takes up to { $wakeup } to wake up, in: { $tests }.
    .meaning = Part of that latency is the processor's. Without deep idle states (cpupower idle-set -D 1) it would be the drive's alone.
    .unknown = The kernel shows no idle states of the processor.
    .no-test = Nothing was measured at QD1.

trap-queue-settings = Scheduler or kernel queue settings that change figures
    .scheduler = Drive { $drive } uses the scheduler { $scheduler }.
    .merges = The kernel merges few or no adjacent requests for drive { $drive }.
    .requests = The kernel's queue for drive { $drive } has room for only { $requests ->
        [one] one request.
       *[other] { $requests } requests.
    }
    .meaning = Figures at high queue depths depend on this. Compare them only under the same settings.
    .unknown = The kernel does not show its queue for the drive.

trap-small-sample = Figures based on a handful of I/Os
    .seen = Fewer than { $limit } I/Os were done in: { $tests }.
    .meaning = Another run may give different figures. Look at their intervals, and measure for longer.

trap-own-wear = Checkup that uses a noticeable share of the drive's rated life
    .seen = This checkup wrote { $written }, about { $share } of the rated life of drive { $drive }.
    .meaning = This follows from the drive's counters so far. Repeat the checkup less often, or with --max-time.
    .unknown = The drive does not report how much of its rated life a written amount uses.
    .nothing-written = Nothing was written.
