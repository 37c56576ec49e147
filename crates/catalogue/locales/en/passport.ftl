### The passport of a drive: labels and values, without a full stop.

# $path: what was asked for, $drive: what it is.
drive-of = { $path }: { $drive }
drive-label =
    .device = Device
    .id = ID
    .serial = Serial
    .firmware = Firmware
    .capacity = Capacity
    .rotation = Rotation
    .blocks = Block size
    .write-cache = Write cache
    .trim = TRIM
    .scheduler = Scheduler
    .served-by = Served by
    .mounted-at = Mounted at
# $decimal: in GB, $binary: in GiB.
drive-capacity = { $decimal } ({ $binary }, { $bytes } bytes)
drive-rotation =
    .speed = { $turns } rpm
    .shingled = hides that its tracks overlap (SMR)
drive-blocks =
    .logical = { $size } logical
    .physical = { $size } physical
drive-write-cache =
    .back = write back: a power cut can lose acknowledged writes until a flush
    .through = write through: acknowledged writes are kept, as reported by the drive
drive-trim =
    .accepted = accepted
    .refused = not accepted: the drive never learns which blocks are free
drive-mounts-more =
    { $places ->
        [one] { $places } more place
       *[other] { $places } more places
    }

# Disks that another machine serves.
virtual-disk =
    .local = in the machine that serves it
    .remote = over a network

link-label =
    .bus = Bus
    .limit = Bus limit
    .speed = Bus speed
    .bridge = Bridge
    .slots = Slots
    .driver = Driver
    .quirks = Quirks
link-ceiling = at most { $rate }
link-pcie = PCIe { $generation }.0 x{ $lanes }
link-lanes = { $lanes } lanes
link-rate =
    .mbit = { $rate } Mbit/s
    .gbit = { $rate } Gbit/s
# $transport: TCP, RDMA.
link-fabric = NVMe over { $transport }
link-limit =
    .drive = drive supports { $speed }
    .slot = slot supports { $speed }
    .host = host supports { $speed }
    .controller = controller or expander supports { $speed }
link-reduced = lower than possible: limits all results
link-slots = { $slots } drives or slots behind one bridge
link-driver =
    .uas = uas: many commands at a time
    .usb-storage = usb-storage: one command at a time
# $quirks: letters that the kernel was given.
link-quirks-uas = { $quirks } (u disables uas)
link-mmc = SD or eMMC
link-data-lines =
    { $lines ->
        [one] { $lines } data line
       *[other] { $lines } data lines
    }
link-clock = { $mhz } MHz

queue-label =
    .fua = FUA
    .trim-unit = TRIM unit
    .preferred-io = Best I/O size
    .alignment = Alignment
    .zones = Zones
    .queue = Queue
queue-fua =
    .yes = yes: a single write can be made durable
    .no = no: each flush covers the whole cache
# $command: unmap, writesame_16.
queue-provisioning = by { $command }
queue-preferred-io = multiples of { $size }
queue-offset = blocks shifted by { $offset }
queue-zones =
    .host-aware = prefers sequential writes
    .host-managed = refuses writes that are not sequential
queue-setting =
    .requests = { $requests } requests
    .ahead = { $size } read-ahead
    .throttle = writes throttled when reads take longer than { $latency }
    .no-merges = no merging
    .polled = polled

raid-label =
    .controller = Controller
    .backup = Cache backup
    .volume = Volume
    .writes = Writes
    .reads = Reads
    .drive-caches = Drive caches
raid-controller =
    .driver = driver { $driver }
    .firmware = firmware { $version }
raid-volume =
    .drives =
        { $drives ->
            [one] { $drives } drive
           *[other] { $drives } drives
        }
    .strip = strips of { $size }
raid-writes =
    .through = write through: complete when on the drives
    .back = write back: complete when in the controller's cache
    .always-back = always write back: a power cut can lose acknowledged writes
    .not-as-set = write back is configured
raid-reads =
    .ahead = read ahead
    .not-ahead = no read-ahead
    .cached = kept in the controller's cache
    .not-cached = not cached
raid-backup =
    .flash = flash
    .battery = battery

health-label =
    .health = Health
    .temperature = Temperature
    .wear = Wear
    .spare = Spare blocks
    .written = Total written
    .read = Total read
    .powered = Powered on
    .errors = Errors
health-judgement =
    .passed = healthy, as reported by the drive
    .warning = warning, as reported by the drive
    .failing = FAILING, as reported by the drive
    .source = read by { $program }
temperature-celsius = { $celsius } °C
health-temperature =
    .warning = warning at { $celsius } °C
    .critical = critical at { $celsius } °C
    .above = { $minutes } min above the limits so far
health-wear = { $used } of rated life used
health-spare =
    .left = { $left } left
    .limit = warning below { $limit }
health-powered =
    .hours = { $hours } h
    .cycles =
        { $times ->
            [one] switched on once
           *[other] switched on { $times } times
        }
    .cuts =
        { $times ->
            [one] lost power once
           *[other] lost power { $times } times
        }
health-errors =
    .media =
        { $errors ->
            [one] { $errors } media error
           *[other] { $errors } media errors
        }
    .reallocated =
        { $sectors ->
            [one] { $sectors } sector replaced
           *[other] { $sectors } sectors replaced
        }
    .pending =
        { $sectors ->
            [one] { $sectors } sector pending
           *[other] { $sectors } sectors pending
        }
    .link =
        { $errors ->
            [one] { $errors } transfer damaged by the link
           *[other] { $errors } transfers damaged by the link
        }
health-attribute = attribute { $attribute }

# Why a fact is missing, behind its label.
unknown-label =
    .identity = Identity
    .geometry = Geometry
    .cipher = Cipher
    .segments = Segments
    .throttling = Throttling
# $source: where to get the program.
unknown =
    .needs-root = unknown: needs root (run with sudo)
    .not-installed = unknown: { $program } is not installed
    .not-installed-from = unknown: { $program } is not installed ({ $source })
    .not-asked = unknown: ask { $program }, which this program does not run
    .not-asked-from = unknown: ask { $program } ({ $source }), which this program does not run
    .timed-out = unknown: { $program } did not respond in time
    .not-understood = unknown: { $program } printed: { $answer }
    .no-answer = unknown: { $program } gave no usable answer
    .drive-timed-out = unknown: the drive did not respond in time
    .unreadable = unknown: { $error }
    .asleep = unknown: the drive is asleep and was not woken
    .senseless = unknown: the value is invalid
    .not-reported = unknown: not reported
program-source =
    .debian = Debian: apt install { $package }
    .raspberry-pi-os = Raspberry Pi OS: apt install { $package }
    .maker = package { $package } from { $maker }
    .areca = from Areca

# What lies between a path and its drives.
layer-heading = Storage stack
layer-label =
    .alignment = Alignment
layer-shown = as above
layer-unknown = unknown
layer-partition =
    .start = starts at { $start }
    .length = { $length } long
    .type = type { $id }
    .type-of = type { $id } in { $scheme }
layer-md =
    .chunks = chunks of { $size }
    .drives =
        { $drives ->
            [one] { $drives } drive
           *[other] { $drives } drives
        }
    .reshaped = growing from { $before } to { $drives } drives
    .degraded = DEGRADED: { $missing } missing
    .action = { $action } { $done }
    .member = { $member } is { $states }
    .bitmap = with a bitmap
    .no-bitmap = without a bitmap
layer-lvm =
    .volume = { $volume } in group { $group }
    .part = its part { $part }
layer-crypt-unit = in units of { $size }
layer-loop =
    .deleted = deleted
    .direct = direct I/O
    .cached = through the page cache of the file's file system
    .offset = from { $offset } on
    .blocks = blocks of { $size }
layer-bcache = in front of { $device }
# $source: why this unit counts.
layer-alignment =
    .right = { $device } starts on { $on } at { $start }, a multiple of { $unit } ({ $source })
    .wrong = { $device } starts on { $on } at { $start }, NOT a multiple of { $unit } ({ $source })
layer-unit =
    .allocation = the card's allocation unit
    .erase = the erase unit
    .preferred-io = the drive's best I/O size
    .stripe = a stripe
    .convention = the usual unit: the drive reports none

segment =
    .striped = striped over { $stripes } in chunks of { $chunk }
    .raid = { $level } of { $devices } devices
    .raid-chunks = { $level } of { $devices } devices in chunks of { $chunk }
    .thin-pool = pool of thin volumes in blocks of { $block }
    .cache = cache ({ $mode }) in blocks of { $block }
    .snapshot = snapshot in chunks of { $chunk }
    .delay = delays reads by { $read_ms } ms and writes by { $write_ms } ms
    .flaky = fails for { $down_s } s after each { $up_s } s
segment-repeated = { $times } times { $segment }
segment-next = then { $segment }
segment-more =
    { $kinds ->
        [one] { $kinds } more kind
       *[other] { $kinds } more kinds
    }

partition-type =
    .efi-system = EFI system
    .bios-boot = BIOS boot
    .linux-extended-boot = Linux extended boot
    .linux-file-system = Linux file system
    .linux-root-x86 = Linux root (x86)
    .linux-root-x86-64 = Linux root (x86-64)
    .linux-root-arm = Linux root (ARM)
    .linux-root-arm-64 = Linux root (ARM-64)
    .linux-home = Linux home
    .linux-server-data = Linux server data
    .linux-variable-data = Linux variable data
    .linux-swap = Linux swap
    .linux-raid = Linux RAID
    .linux-lvm = Linux LVM
    .linux-luks = Linux LUKS
    .microsoft-basic-data = Microsoft basic data
    .microsoft-reserved = Microsoft reserved
    .windows-recovery = Windows recovery
    .apple-hfs-plus = Apple HFS+
    .apple-apfs = Apple APFS
    .zfs = ZFS
    .extended = extended
    .fat16 = FAT16
    .ntfs-or-exfat = NTFS or exFAT
    .fat32 = FAT32
    .fat32-lba = FAT32 (LBA)
    .fat16-lba = FAT16 (LBA)
    .extended-lba = extended (LBA)
    .linux-extended = Linux extended
    .freebsd = FreeBSD
    .cover-of-a-gpt = GPT protective MBR
