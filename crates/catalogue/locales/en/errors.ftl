### Errors: phrases without a capital or a full stop. A program's name and a colon stand before the first line.

# What to write instead of an unknown name: the end of an error. $meant: the nearest known one, $known: all
name-meant = did you mean '{ $meant }'?
name-choose = choose from { $known }

# The system's words (strerror), and the number behind those that are rare.
os-error =
    .eperm = Operation not permitted
    .enoent = No such file or directory
    .eio = Input/output error
    .enxio = No such device or address
    .enomem = Cannot allocate memory
    .eacces = Permission denied
    .ebusy = Device or resource busy
    .eexist = File exists
    .enodev = No such device
    .enotdir = Not a directory
    .eisdir = Is a directory
    .einval = Invalid argument
    .emfile = Too many open files
    .efbig = File too large
    .enospc = No space left on device
    .erofs = Read-only file system
    .epipe = Broken pipe
    .enametoolong = File name too long
    .eloop = Too many levels of symbolic links
    .etimedout = Connection timed out
    .edquot = Disk quota exceeded

# $text: the system's words, $number: its number (errno)
os-error-other = { $text } (os error { $number })

# Causes, as parts of other errors.

io-cut-short = unexpected end of file

io-not-written = nothing more can be written

io-not-utf-8 = not UTF-8 text

io-name-taken = something other than a file has its name

io-saved-aside = { $error }; the complete new content is in { $path }

io-not-ours = nothing in it shows that cardiograph created it

# $limit: a length in bytes, $kind: what has this limit, as "job files"
input-too-long = longer than { $limit }, the limit for { $kind }

input-directory = it is a directory; name files in it

input-kind =
    .purposes = purposes
    .reports = Reports
    .tokens = files with a token
    .job-files = job files
    .patterns = patterns
    .models = simulated drives

# $user: the number of a user
foreign-link = user { $user } created a link in a directory that all users can write to

tree =
    .unexpected = not a name that cardiograph creates
    .others-write = other users can write there
    .two-names = the file has more than one name (hard links)
    .owner = it belongs to user { $user }
    .mounted = another file system is mounted there

output-changed = it was replaced meanwhile

# Failed operations on files and directories. $error: the system's reason.

cannot-create = cannot create { $path }: { $error }

cannot-open = cannot open { $path }: { $error }

cannot-read = cannot read { $path }: { $error }

cannot-write = cannot write { $path }: { $error }

cannot-copy = cannot copy { $path }: { $error }

cannot-rename = cannot rename { $path }: { $error }

cannot-sync = cannot sync { $path }: { $error }

cannot-remove = cannot remove { $path }: { $error }

cannot-start-thread = cannot start a thread for { $path }: { $error }

# Paths that users name for output.

output-unfit =
    .kernel = { $path } belongs to the kernel, not to a drive; name a file
    .block-device = { $path } is a block device and is not overwritten; name a file
    .device = { $path } is a device other than a terminal or /dev/null; name a file
    .directory = { $path } is a directory; name a file in it
    .socket = { $path } is a socket; name a file
    .other = { $path } is not a regular file; name a file

output-not-written = cannot write { $path }: { $error }; name a file that you can write to
    .no-directory = cannot write { $path }: { $error }; create its directory first, or name another path
    .full = cannot write { $path }: { $error }; free some space, or name another path

# Input and output files, and the store.

# $option: an option with a path, $refused: the path, the reason, and what to do
option-refused = { $option }: { $refused }

stdout-failed = standard output: { $error }

# $error: why there is no store
store-or-no-keep = { $error }, or use --no-keep

store-not-saved = { $error }; use --no-keep to save nothing

# $path: a file
store-set-aside = It is kept in { $path } and will be saved when the store can be written again.

# $error: why
report-not-saved = the report was not saved: { $error }

input-unreadable = { $path }: { $error }

# $other: another selector
select-or-file = '{ $selector }' is ambiguous: { $other }, or the file ./{ $selector }

# $format: whose output it is
report-other-format = { $path } is not a report but output of { $format }; import it with: cardiograph import { $path }

select-no-file = { $selector }: no such file or saved checkup; list checkups with: cardiograph history
    .directory = { $selector } is a directory, and no checkup has this name; list checkups with: cardiograph history

# $process: its number, $since: a moment
process-held = process { $process }, which did the I/O of an earlier run on { $path }, has been held by the kernel since { $since }: its drive does not respond

## Files of purposes

# $path, $line, $column: where; $problem: a phrase
purpose-file = { $path }:{ $line }:{ $column }: { $problem }
    .figure = unknown figure '{ $figure }'; { $hint }
    .count = there must be from 1 to { $most } purposes: [[purpose]]
    .id = an id has lower-case letters, digits and hyphens, such as 'our-logging'
    .twice = the purpose '{ $purpose }' is there twice
    .limits = the purpose '{ $purpose }' must have from 1 to { $most } limits
    .none-needed = the purpose '{ $purpose }' needs no figure for 'enough': at least one such limit must be without if_measured
    .text = a text must have from 1 to { $most } characters, and no control characters
    .first-figure = the first figure must be what the limit asks for, without 'easier' or 'harder'
    .units = all figures of a limit must have the same unit
    .no-level = a limit needs 'enough', 'good' or both
    .limit = '{ $limit }' is not a limit for this figure; write it as '{ $example }'
