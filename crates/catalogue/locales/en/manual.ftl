### Words of help and man pages.

manual-usage = Usage
manual-commands = Commands
manual-arguments = Arguments
manual-options = Options
# $options: a list
manual-global-options = For all commands: { $options } (see cardiograph --help)

# What stands for any options and for a command in a usage: cardiograph [OPTIONS] <COMMAND>.
manual-any-options = OPTIONS
manual-any-command = COMMAND

# $help: what an argument is, $values: what it is unless given.
manual-with-default = { $help } [default: { $values }]

# $help: what an argument is, $values: what it can be.
manual-with-possible-values = { $help } [possible values: { $values }]

## Sections of man pages

manual-name = NAME
manual-synopsis = SYNOPSIS
manual-description = DESCRIPTION
manual-section-arguments = ARGUMENTS
manual-section-options = OPTIONS
manual-section-commands = COMMANDS

## Pages that are not about one command

manual-purposes = what the program judges a drive for
    .description = A verdict says whether a drive is good enough for a purpose. Each limit has a source; a limit is a minimum, or for latencies a maximum. check --require PURPOSE makes the exit code depend on one.
    .shipped = PURPOSES
    .terms = TERMS
    .own = PURPOSES OF YOUR OWN
    .file =
        check --purposes FILE and compare --purposes FILE judge those of a TOML file
        as well. It has a table for each purpose:

          {"[["}purpose]]
          id = "our-logging"
          title = "our logging servers"
          limits = [
            {"{"} figure = "durable_write_iops", enough = "200/s",
              good = "1000/s", source = "three times our busiest day" {"}"},
            {"{"} figure = ["sequential_write", "easier sustained_write"],
              enough = "40 MB/s", if_measured = true, source = "our backup" {"}"},
          ]

        A limit names its figure, or several that can prove it, best first: "easier"
        stands before one that was measured under easier conditions, so that only a
        miss counts, "harder" before one that only counts if it meets the limit.
        Without if_measured, the verdict needs the figure. Names of figures are
        listed by: cardiograph explain

manual-selectors = how to name saved checkups
    .sets = SETS
    .rules = A selector names a set of checkups. show and plot take the newest and say so; compare, remove, label and tag take the whole. Upper and lower case are the same. A name that no checkup has is an error with the nearest known one.

manual-fio = which options of fio work, and which are refused
    .description = cardiograph fio takes fio's command lines and job files. An option that changes what is measured works or is refused, with the reason; one that changes nothing here is accepted with a note. docs/fio.md has the same with defaults and differences.
    .works = OPTIONS THAT WORK
    .hints = OPTIONS WITHOUT EFFECT
    .refused = OPTIONS THAT ARE REFUSED
