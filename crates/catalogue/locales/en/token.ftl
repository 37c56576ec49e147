### Tokens of a server.

# $role: viewer, sender, operator or admin
token-made = The token of { $name } ({ $role }) follows. It is shown only this once: keep it where only { $name } can read it.
token-revoked = The token of { $name } is revoked. Whoever used it is signed out within seconds.
token-revoked-before = the token of { $name } is revoked already
token-unknown = there is no token '{ $name }'; { $hint }
token-none = There are no tokens. Make one with: cardiograph token add NAME --role viewer
token-column =
    .name = Name
    .role = Role
    .state = State
    .used = Last used
# $when: a time
token-state =
    .valid = valid
    .until = valid until { $when }
    .expired = expired on { $when }
    .revoked = revoked on { $when }
    .never = never
