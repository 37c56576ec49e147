### Errors of the command line.

# $error: one of the others.
errors-cli-error = error: { $error }
errors-cli-more = For more information, try '--help'.
errors-cli-tip = tip: { $tip }

# $argument: an option or an argument as help shows it; $other: another; $value: what was given.
errors-cli-unknown-argument = unexpected argument '{ $argument }' found
errors-cli-unknown-command = unknown command '{ $command }'
errors-cli-missing-arguments = required arguments are missing:
errors-cli-missing-value = a value is required for '{ $argument }' but none was supplied
errors-cli-invalid-value = invalid value '{ $value }' for '{ $argument }'
# $why: what is wrong with the value.
errors-cli-invalid-value-because = invalid value '{ $value }' for '{ $argument }': { $why }
errors-cli-too-many-values = unexpected value '{ $value }' for '{ $argument }'
errors-cli-repeated = the argument '{ $argument }' cannot be used multiple times
errors-cli-conflict = the argument '{ $argument }' cannot be used with '{ $other }'
# Followed by a list.
errors-cli-conflicts = the argument '{ $argument }' cannot be used with:
errors-cli-not-utf8 = an argument is not valid UTF-8
errors-cli-no-command = a command is missing, such as 'cardiograph check'
errors-cli-other = the command line is not valid
# $values: a list.
errors-cli-possible-values = [possible values: { $values }]

## Tips

# $old: an option of earlier versions; $new: what to write now.
errors-cli-renamed = '{ $old }' is now '{ $new }'

# $names: similar ones.
errors-cli-tip-similar = did you mean { $names }?
# $words: the replacement.
errors-cli-tip-as-value = to pass it as a value, write '{ $words }'

## Invalid values

errors-value-color = must be auto, always or never
errors-value-setting = write it as NAME=VALUE
errors-value-precision = must be greater than 0 and at most 100 %; write it as 2%
errors-value-age = must be a time greater than 0, such as 90d
errors-value-token-name = must be up to 64 letters, digits, hyphens, dots and underscores, and not begin with a hyphen
errors-value-time = must be a time greater than 0; write it as 30s, 2m or 1h
errors-value-time-unit = unknown unit '{ $unit }'; write it as 30s, 2m or 1h
errors-value-since = must be a date or a time; write it as 2026-11-22, 30d or 12h
errors-value-date = not a date since 1970; write it as 2026-11-22, 30d or 12h
errors-value-label = write a label, such as --label 'card A'
errors-value-price = a price is an amount and its currency; write it as price=980JPY or price='12.50 EUR'
errors-value-size = not a size; try 480GB
errors-value-units = must be decimal (MB/s) or binary (MiB/s)
errors-value-number = must be a whole number from { $low } to { $high }
errors-value-number-from = must be a whole number of at least { $low }
errors-value-level = '{ $level }' is not a level; use enough or good
errors-value-purpose = unknown purpose '{ $purpose }'; { $hint }
errors-value-claim = unknown claim '{ $claim }'; { $hint }
errors-value-claim-level = a claim has no level; write claim:{ $claim }

## compare

errors-compare-shelf = --shelf: name checkups of the drive to look for, such as @last
errors-compare-alone = one group cannot be compared; name two or more checkups or labels, or group them with --by
# $selector, $other: as they were given; $id: the checkup.
errors-compare-twice = '{ $selector }' and '{ $other }' both name { $id }: a checkup cannot be compared with itself
errors-compare-fact = --by: no checkup has '{ $name }'; { $hint }
errors-compare-same =
    --by { $by }: { $runs ->
        [one] the only checkup has
        *[other] all { $runs } checkups have
    } '{ $value }'; there is nothing to compare
errors-compare-pair = --pair: no drive has checkups with several values of { $by } and the same { $pair }; choose other facts, or add tags to checkups (check --tag NAME=VALUE)
errors-compare-metric = --metric: unknown metric '{ $metric }'; { $hint }
errors-compare-not-measured = --metric: no common test has { $asked }; choose from { $known }
