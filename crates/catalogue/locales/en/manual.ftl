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
