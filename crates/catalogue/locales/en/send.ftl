### Sending checkups to a team's server: errors are phrases without a capital or a full stop.

# $address: a server's address, in all of these
send-address = '{ $address }' is not a server's address: write https://HOST or https://HOST:PORT (and --send after other arguments)
    .path = '{ $address }' is the address of a page: name the server alone, as https://HOST
    .open = a token is not sent to { $address }, because everybody on the way could read it: use https (http works on this machine only)
    .secret = an address has no token and no password: the program asks for the token, or reads it with --token-file FILE

send-not-a-token = not a token: one has cg_ and 64 hexadecimal digits, and is printed by cardiograph token add on the server
send-token-shown = a token on a command line can be read by all users of this machine: revoke it on the server, and give a new one to cardiograph send --to https://HOST, which asks for it, or in a file with --token-file FILE
send-no-terminal = no terminal to ask for the token: name a file that has it with --token-file FILE, or - for standard input
send-token-question = Token for { $address } (it is not shown):

send-no-home = no place for server.toml: neither XDG_CONFIG_HOME nor HOME is set to an absolute path
send-file = { $path }: { $error }
    .readable = { $path } has tokens, but others may read it (mode { $mode }): run chmod 600 on it
    .not-servers = { $path } is not a list of servers
    # $line: its number. What stands there may be a token
    .malformed = { $path }: line { $line } is not what docs/sending.md describes; correct or remove it
send-no-server = no server is known to send to: name one with cardiograph send --to https://HOST
    .address = { $address } is not known: cardiograph send --to { $address } asks for a token for it
# $place: a variable or a file
send-no-proxy = { $place } does not have the address of an HTTP proxy, such as http://proxy.example:3128
send-no-ca = certificates in { $path }: { $error }
    .empty = { $path } has no certificates: name a PEM file, with lines -----BEGIN CERTIFICATE-----

send-unreachable = { $address }: { $error }
    .timeout = { $address } did not answer in time
    .no-host = there is no host { $host }, or no name server answers
    # $error: what is wrong with it, in the words of the TLS library
    .certificate = the certificate of { $address } is not trusted ({ $error }): name the PEM file of its authority with cardiograph send --to { $address } --ca FILE
    .proxy = the proxy did not connect to { $address }: { $error }
send-stranger = { $address } answers, but not as a cardiograph server of this version
# $said: the server's words
send-answer = { $address }: { $said }
    # $status: a number of HTTP
    .status = { $address } answered with status { $status }
    .redirect = { $address } sends its visitors to another address, to which the token is not sent: name that with cardiograph send --to
    .token = { $address } does not know the token, or no longer: get a new one for cardiograph send --to { $address }
    .role = { $address } does not let this token send checkups: it needs the role sender

send-unread = checkup '{ $id }' is not sent: { $error }

### What the program says

# $name, $role: of the token
send-ready = Checkups are sent to { $address } as { $name } ({ $role }). Send with: cardiograph check --send
send-cannot = the token { $name } has the role { $role }, which may not send: get one with the role sender
send-early = { $error }; the checkup is saved here, and can be sent later
send-done = Sent: { $page }
send-earlier =
    { $checkups ->
        [one] 1 earlier checkup was sent, too.
       *[other] { $checkups } earlier checkups were sent, too.
    }
send-refused = checkup '{ $id }' is not sent, and not tried again: { $error }
send-kept = checkup '{ $id }' is not sent yet: { $error }
# $command: sends it
send-later =
    { $checkups ->
        [one] 1 checkup is not sent yet: { $error }. Send it later with: { $command }
       *[other] { $checkups } checkups are not sent yet: { $error }. Send them later with: { $command }
    }
send-not-tried = Not sent yet. Send with: { $command }
send-nothing = Everything is sent.
