### Pages of `cardiograph serve`.

# On the terminal. $address: with the token that signs the browser in
serve-listening = Open { $address }
    .again = To open it in another browser: { $address }
    .ended = Ended. Checkups that were running are saved.
    .open-failed = no browser could be started ({ $error }): open the address yourself
serve-not-bound = cannot listen on { $address }: { $error }; name another address with --listen
serve-not-alone = --listen { $address } is reachable from other hosts: give a certificate with --tls-cert and --tls-key, or put a proxy that does TLS in front, with --behind-proxy and --host NAME; to use it alone, listen on 127.0.0.1:7878 and reach it through SSH (ssh -L 7878:127.0.0.1:7878 HOST)
serve-no-admin = nobody could sign in: make a token first with { $command }
serve-tls-unreadable = cannot read { $path }: { $error }
serve-tls-empty = { $path } has no certificate in PEM
serve-tls-unfit = { $certificate } and { $key } do not fit together: { $error }
serve-tls-renewed = The changed certificate is in use.
serve-pruned = Removed { $checkups ->
    [one] one old checkup
   *[other] { $checkups } old checkups
}.
serve-failed = the server ended: { $error }

# Frame
serve-nav = Pages
    .home = Drives
    .checkups = Checkups
    .compare = Compare
    .shelf = Published
    .start = New checkup
serve-skip = To the content
serve-language = English
serve-to-home = To the home page

# Problems
serve-problem = This did not work
serve-defect = internal error; details are on the server's terminal
serve-no-page = there is no page { $path }
serve-other-host = this server is not '{ $host }': open the address that it printed, or start it with --host { $host }
serve-other-origin = the request came from another site's page: open this page from the address that the server printed
serve-no-such-token = this token is unknown, expired or revoked
serve-not-signed-in = not signed in: sign in with a token, or open the address that the server printed
# $role: viewer, sender, operator or admin
serve-not-allowed = the role { $role } may not do this
serve-no-order = the order '{ $order }' is unknown: choose last_seen, name or checkups
serve-busy = another checkup is running on this host: two would measure each other. Wait for its end, or stop it
serve-not-running = no checkup { $id } is running
# $most, $given: numbers
serve-too-many = { $given } drives do not fit side by side; choose at most { $most }
serve-no-model = '{ $model }' is not one of the simulated drives that come with the program
serve-not-absolute = '{ $path }' is not an absolute path: write it from the root, as /mnt/card
serve-no-erase = this server does not erase devices; start it with --allow-erase for that
serve-not-a-setting = '{ $line }' is not a setting: write NAME=VALUE, one in each line

# Senders
serve-too-often = too many checkups at once with this token: send the rest later
serve-too-much = too many checkups arrive at once: send this one later
serve-body-slow = the checkup did not arrive in time: send it again
serve-body-broken = the checkup did not arrive whole
# $most: bytes
serve-too-long = the checkup is longer than { $most }
serve-not-gzip = the checkup is not a whole gzip stream
serve-not-json = '{ $kind }' cannot be taken: send application/json
serve-not-packed = the encoding '{ $encoding }' cannot be taken: send gzip, or none

serve-sign-in = Sign in
    .out = Sign out
    .token = Token
    .wrong = This token is unknown, expired or revoked.
    .local = Open the address that the server printed on its terminal: it signs this browser in, once. If it was used already, the terminal has a new one.

serve-team = Team
serve-tokens = Tokens
    .how = On the server's command line: cardiograph token add NAME --role ROLE
    .until = Valid until
    .end = End it
    .ended = expired or revoked
    .revoke = Revoke { $name }
serve-audit = Who did what
    .who = Who
    .what = What
    .subject = To what
    .older = Older entries
serve-deed =
    .sign-in = signed in
    .token-added = made a token
    .token-revoked = revoked a token
    .token-replaced = replaced a token
    .checkup-started = started a checkup
    .checkup-stopped = stopped a checkup
    .checkup-removed = removed a checkup
    .drive-removed = removed a drive
    .drives-joined = joined drives
    .drives-separated = separated drives
    .retention = removed old checkups (number)

serve-checkups = Checkups
serve-empty = Nothing is saved yet.
    .start = Check a drive of this host
    .examples = What you will see, with simulated drives:
serve-simulated = simulated
# $name: a simulated drive
serve-no-example = there is no example '{ $name }'
serve-no-source = there is no published source '{ $source }'; /shelf lists them
serve-nothing-to-draw = these have no figures in common that could be drawn

# $host: its name, $path: there, $when: a time, $checkups: a number, $name: of a drive
serve-drives = Drives
    .filter = Filter
    .find = Find
    .order = Sort by:
    .by-seen = last seen
    .by-name = name
    .by-checkups = checkups
    .none = No drive matches.
    .before = Previous drives
    .after = More drives
    .place = { $host }: { $path }
    .seen = Last seen { $when }; { $checkups ->
        [one] 1 checkup
       *[other] { $checkups } checkups
    }.
    .undated = { $checkups ->
        [one] 1 checkup
       *[other] { $checkups } checkups
    }.
    .choose = Compare { $name }

serve-drive =
    .report = Newest report
    .compare = Compare with others
    .events = What changed around it
    .all = All checkups of this drive
    .published = Beside published results
    .ranks = Its rank in each test
    .joined = The same drive
    .joined-how = A drive that was seen through another adapter, or without its serial number, has a second entry. Join both to see all its checkups together.
    .same = This drive is also
    .join = Join
# $key: of a drive
serve-drive-separate = Separate entry { $key } again
serve-chart =
    .time = time
    .interval = { $low } to { $high }

serve-older = Older checkups
serve-column =
    .when = When
    .suite = Suite
    .drive = Drive
    .label = Label
    .host = Host

serve-compare =
    .how = Name two to eight drives or checkups by label or id; drive:NAME names all checkups of a drive by its serial number or model.
    .all = All figures
# $number: from 1
serve-compare-side = Drive or checkup { $number }

serve-live = Checkup in progress
serve-is-running = Checkup { $id } is running.
serve-look-again = Look again
serve-stop = Stop and keep what is measured

serve-start =
    .place = Where
    .known = Settings of each suite
    .path = Or another directory on a drive, or a device
    .simulate = Real or simulated
    .real = the real one at the place above
    .suite = Suite
    .label = Label (optional): what you call the drive
    .settings = Settings of the suite (optional): NAME=VALUE, one in each line
    .consent = Id of the device, only if a suite asks to erase it
    .much = It may write a large part of the drive
    .begin = Start
    .plan = Show what it would do
# $about: a sentence
serve-start-suite = { $suite }: { $about }
serve-outline = What it would do
# $time: at most, $writes: bytes
serve-outline-most = { $suite }: at most { $time }, writes up to { $writes }. Nothing is written yet.
    .untimed = { $suite }: writes up to { $writes }. Nothing is written yet.
