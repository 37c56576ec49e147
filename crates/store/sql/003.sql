-- Checkups that are to be sent, and what lists show.

-- What is to be sent to a team's server, by the id of the run: noted before it is tried, deleted when the server has it.
CREATE TABLE outbox (
    server        TEXT NOT NULL,
    id            TEXT NOT NULL,
    since_unix_ms BIGINT NOT NULL,
    PRIMARY KEY (server, id)
);
CREATE INDEX outbox_id ON outbox (id);

-- Drives that are joined to one are found for every card.
CREATE INDEX drive_joined ON drive (joined);

-- As digest, without the figures of tests: trends and changes need no more. NULL in what was saved before.
ALTER TABLE run_head ADD COLUMN digest_of_deciding BIGINT;

-- What lists show of a drive, so that they read none of its checkups. Deleted when one of them is saved or removed.
CREATE TABLE card (
    drive_key TEXT PRIMARY KEY,
    -- By which program, and from which checkups: another one is made anew.
    made_of   TEXT NOT NULL,
    -- JSON as a zlib stream.
    body      {bytes} NOT NULL
);
