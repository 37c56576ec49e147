### The shelf: what others published.

shelf-sources = All figures of a source: cardiograph shelf SOURCE.
shelf-nothing-similar = Nothing on the shelf was measured in the same or a similar way. How it was measured: cardiograph shelf SOURCE.

shelf-list =
    .drives =
        { $drives ->
            [one] 1 drive
           *[other] { $drives } drives
        }
    .figures =
        { $figures ->
            [one] 1 figure
           *[other] { $figures } figures
        }
    .no-figures = no figures
    .next = Tables of one source, and how it was measured: cardiograph shelf SOURCE. To rank your drive among them: cardiograph compare @last --shelf.

# Whether drives were written over before they were measured.
preconditioning =
    .new = no: the drives were new
    .left-out = no: the author considers it important, but left it out because it takes long
    .not-in-commands = no: none of its commands does that
    .trimmed = no: it trims the free space instead
    .not-stated = not stated

shelf-source =
    .preconditioning = Preconditioned
    .author = Author
    .date = Date
    .place = Published at
    .tests = How it was measured
    .drives = Drives
    .drives-only = Drives, without figures
    .notes = Notes

# $name, $value: a condition, such as "board" and "Raspberry Pi 5".
shelf-condition = { $name } { $value }

shelf-tag =
    .app-class = app class
    .board = board
    .bus = bus
    .bus-mode = bus mode
    .capacity = capacity
    .command-queue = command queue
    .controller = controller
    .file-system = file system
    .kind = kind
    .model = model
    .overclocked = overclocked
    .raid = RAID
    .read-policy = read policy
    .reader = reader
    .speed-class = speed class
    .ssd-controller = SSD controller
    .write-policy = write policy
shelf-row = { $drive } [{ $note }]
# $column: as the source heads it; $doubt: why its figure is in doubt.
shelf-doubt = { $column }: { $doubt }

shelf-standing =
    .heading = { $drive }: { $test }
    .same = { $figure }: place { $rank } of { $of } measured in the same way
    .similar = { $figure }: place { $rank } of { $of } measured similarly
    .place = Place
    .value = Value
    .drive = Drive
    .own = > { $drive }
    .source = Source
    .by = { $source } (by { $tool })
    .conditions = Conditions
    .differences = Measured differently

## Errors

errors-shelf-source = no source on the shelf is called '{ $source }'; { $hint }
errors-shelf-drive = no drive on the shelf has '{ $drive }' in its name; `cardiograph shelf SOURCE` lists those of a source
errors-shelf-drive-in = no drive in { $source } has '{ $drive }' in its name; `cardiograph shelf { $source }` lists them
# $heading: of a column, in words of the source; $unit: its unit there.
shelf-column = { $heading } { $unit }
