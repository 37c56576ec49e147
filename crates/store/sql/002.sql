-- Drives, who sent a checkup, and what a team's server keeps.

-- The drive of a run, by number, joined ones as the one that they are joined to.
ALTER TABLE run ADD COLUMN drive BIGINT;
-- The name of the token that sent it; nothing for what was saved here.
ALTER TABLE run ADD COLUMN sender TEXT;
-- SHA-256 of what was sent, so that it can be sent again.
ALTER TABLE run ADD COLUMN sent {bytes};
CREATE INDEX run_of_drive ON run (drive, sorted_unix_ms, number);
-- Names and values are found ignoring case.
DROP INDEX run_label;
DROP INDEX run_tag_value;
CREATE INDEX run_label_lower ON run (lower(label));
CREATE INDEX run_tag_lower ON run_tag (lower(name), lower(value), run);
CREATE INDEX run_host_lower ON run (lower(host));

-- A drive, with what a list shows of its checkups, kept up to date with each.
CREATE TABLE drive (
    number         {key},
    -- 16 hexadecimal digits, from its ids, else from its models, capacity, host and path.
    key            TEXT NOT NULL UNIQUE,
    -- The number of the drive that this one is joined to: the same drive under another key.
    joined         BIGINT,
    checkups       BIGINT NOT NULL,
    first_unix_ms  BIGINT NOT NULL,
    -- When the newest checkup began, or was first kept; its number and id, and what it says.
    last_unix_ms   BIGINT NOT NULL,
    newest_run     BIGINT NOT NULL,
    newest         TEXT NOT NULL,
    models         TEXT NOT NULL,
    drive_ids      TEXT NOT NULL,
    label          TEXT,
    host           TEXT,
    path           TEXT NOT NULL,
    capacity_bytes BIGINT,
    -- By which drives are sorted: the label, else the models, in lower case.
    name           TEXT NOT NULL,
    -- Of the row: one that was not kept so is damaged.
    digest         BIGINT NOT NULL
);
CREATE INDEX drive_last ON drive (last_unix_ms, number);

CREATE TABLE token (
    name            TEXT NOT NULL PRIMARY KEY,
    role            TEXT NOT NULL,
    -- SHA-256: the token itself is not kept.
    hash            {bytes} NOT NULL UNIQUE,
    created_unix_ms BIGINT NOT NULL,
    expires_unix_ms BIGINT,
    revoked_unix_ms BIGINT,
    used_unix_ms    BIGINT
);

-- Who did what, in order.
CREATE TABLE audit (
    number  {key},
    unix_ms BIGINT NOT NULL,
    who     TEXT NOT NULL,
    what    TEXT NOT NULL,
    subject TEXT NOT NULL
);
CREATE INDEX audit_time ON audit (unix_ms);
