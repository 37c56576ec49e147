### Drives, layers and checkups in a few words.

# A value with its unit.
phrase-quantity = { $amount }

drive-kind =
    .sd-card = SD card
    .emmc = eMMC
    .nvme = NVMe SSD
    .usb = USB drive
    .sata = SATA drive
    .sata-hdd = SATA hard disk
    .scsi = SCSI drive
    .virtual = virtual disk
    .virtual-nvme = virtual disk (NVMe)
    .virtual-scsi = virtual disk (SCSI)
    .simulated = simulated drive
    .memory = memory
    .unknown = drive
    .only-memory = memory, not a drive
    .invisible = no drive visible from here
    .several = { $drives } drives as one

layer-kind =
    .partition = partition
    .md = software RAID
    .lvm = logical volume
    .crypt = encryption
    .device-mapper = device mapper
    .loop = loop device (a file as a device)
    .bcache = cache in front of a drive
    .drbd = copy on another machine
    .other = device

checkup-state =
    .running = not finished
    .interrupted = interrupted
    .failed = failed

# The list of drives.
drives-id = id { $id }
drives-mounted = mounted at { $points }
drives-next =
    .passport = Details: cardiograph drive DEVICE.
    .check = Measure: cardiograph check PATH.
drives-none =
    .seen = No drive is visible here.
    .container = A container sees none when /sys is hidden from it.

# The list of what is kept. $label: the user's name for the drive.
history-labelled = { $label }: { $drive }
history-host = on { $host }
history-next = View with: cardiograph show ID.
# $place: a directory or a database.
history-none = No such checkup in { $place }.
history-first = Nothing is saved in { $place } yet. Measure the drive under this directory, or a simulated one:

# How figures went. $drive: its name, $checkups: how many with this suite
history-drive = { $drive }: { $checkups } checkups with { $suite }:
history-column =
    .values = oldest to newest
    .latest = newest
    .trend = trend
# $since: a day
history-trend =
    .none = none
    .up = up { $share } since { $since }
    .down = down { $share } since { $since }
# $metric: its name, $day: of the first checkup after the change, $before, $after: values
history-change =
    .fell = { $metric } fell by { $share } on { $day }: from { $before } before that day to { $after }.
    .rose = { $metric } rose by { $share } on { $day }: from { $before } before that day to { $after }.
# $share: a probability
history-rule = Changes and trends are more than chance: an unchanged drive shows one in { $share } of its checkups.

# Why a path's drive could not be identified. $error: what the system says

drive-path-missing = { $path } does not exist

drive-path-unreadable = cannot examine { $path }: { $error }

drive-path-no-mount = { $path } is not on a file system that is visible here

# A figure of a drive in a list. $shape: bars of its values, $trend: history-trend
drive-figure = { $shape } { $trend }
# What changed around a drive. $fact: comparison-fact, $before, $after: its values
drive-event = { $fact }: { $before } before, { $after } from then on.
    .swap = Another drive behind the same adapter, or a fake: { $fact } was { $before }, and is { $after } from then on.
    .path = path
