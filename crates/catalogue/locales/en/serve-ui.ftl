### What scripts show on the pages of `cardiograph serve`. `crates/serve/ui/words.json` lists them.

# A checkup while it runs
ui-live =
    .now = Now
    .latency = p99 latency
    .written = Written
    .temperature = Temperature
    .time = Time
    .progress = Steps done
    .waiting = Waiting for the first step
    .cardiogram = Cardiogram
    .latencies = p99 latency
    .summary = Rate over time: { $title }, now { $rate }, stalls: { $stalls }
    .so-far = Measured so far
    .troubles = Problems
    .warnings = Measurement warnings
    .notes = Notes
    .stopping = Stopping. What is measured so far is kept.
    .not-stopped = The checkup could not be stopped. Try again.

# $part, $whole: sizes
ui-of = { $part } of { $whole }

ui-chart =
    .keys = Arrow keys read out the points
    .table = As a table
    .empty = There is nothing to draw yet.
    .failed = The chart could not be loaded.
    .none = not measured
    .withheld = withheld: { $why }
    .interval = { $value } ({ $low } to { $high })
ui-again = Try again
ui-lost = Connection lost, trying again

# $count: a number
ui-filter =
    .found = Found: { $count }

# $count, $most: numbers
ui-compare =
    .few = Choose at least two
    .some = Chosen: { $count }
    .many = Chosen: { $count }. At most { $most } fit side by side.

# On a button that changes it
ui-theme =
    .auto = Theme: automatic
    .light = Theme: light
    .dark = Theme: dark
