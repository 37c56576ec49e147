### The file system of a path: labels and values.

fs-heading = File system of { $path }
fs-label =
    .type = Type
    .source = Source
    .options = Options
    .free = Free
    .inodes-free = Free inodes
    .created = Created
    .blocks = Block size
    .inode-size = Inode size
    .log = Log
    .journal = Journal
    .groups = Groups
    .sectors = Sector size
    .stripe = Stripe
    .reserved = For root only
    .devices = Devices
    .nodes = Node size
    .data = Data
    .metadata = Metadata
    .checksums = Checksums
    .features = Features
    .copy-on-write = Copy on write
    .longest-file = Longest file
    .effect = Mounted with
    .flag = Path flag
fs-free = { $free } of { $size }
fs-free-inodes = { $free } of { $inodes }
fs-created =
    .root = from the date of its root directory
    .seconds = { $seconds } s after 1970-01-01
fs-journal =
    .none = none
    .internal = internal
    .external = on a separate device
fs-log-stripe = in stripes of { $size }
fs-stripe = { $unit } per drive, { $width } in all
fs-copy-on-write =
    .yes = yes: overwritten data is written to a new place
    .no = no
fs-longest-file = { $size } minus 1 byte
# What a mount option means.
fs-effect =
    .sync = sync: each write waits for the drive
    .dirsync = dirsync: each change of a directory waits for the drive
    .data-journal = data=journal: data is written twice
    .data-writeback = data=writeback: a file's length can be stored before its data
    .no-barriers = no barriers: a sync does not flush the drive's cache
    .discard-later = discard=async: freed blocks are discarded later
    .discard = discard: freed blocks are discarded at once
    .noatime = noatime: reads write nothing
    .strictatime = strictatime: each read updates the access time
    .compress = compressed with { $method }
    .compress-force = compressed with { $method }, even data that does not seem to shrink
    .nodatacow = nodatacow: overwritten data stays in place
    .dax = dax: data bypasses the page cache
    .commit = commits every { $seconds } s
# How the path is marked.
fs-flag =
    .no-copy-on-write = no copy on write
    .compressed = compressed
    .not-compressed = not compressed
    .encrypted = encrypted by the file system
    .append-only = files can only grow
    .immutable = nothing can be changed
    .sync = each write waits for the drive
    .data-journal = data is written twice
    .dax = data bypasses the page cache
