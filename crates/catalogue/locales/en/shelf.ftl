### The shelf: what others published.

shelf-sources = All figures of a source: cardiograph shelf SOURCE.
shelf-nothing-similar = Nothing on the shelf was measured in the same or a similar way. How it was measured: cardiograph shelf SOURCE.
