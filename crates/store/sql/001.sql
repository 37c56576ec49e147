-- What is kept of checkups. The same text serves SQLite and PostgreSQL but for three words: {key} is an integer key that
-- counts by itself, {bytes} the type of raw bytes, {ascii} what makes texts sort by their bytes. Numbers are BIGINT or
-- DOUBLE PRECISION, truth is 0 or 1, times are integers with their unit in the name.

CREATE TABLE run (
    number          {key},
    id              TEXT {ascii} NOT NULL UNIQUE,
    started_unix_ms BIGINT NOT NULL,
    -- When it began, or, of what has no date, when it was first kept: by this the newest is found.
    sorted_unix_ms  BIGINT NOT NULL,
    suite           TEXT NOT NULL,
    state           TEXT NOT NULL,
    label           TEXT,
    host            TEXT,
    path            TEXT NOT NULL,
    -- Models and ids of the drives, and tags as NAME=VALUE: one in each line.
    models          TEXT NOT NULL,
    drive_ids       TEXT NOT NULL,
    tags            TEXT NOT NULL,
    capacity_bytes  BIGINT,
    steps           BIGINT NOT NULL,
    -- Of the row: one that was not kept so is damaged.
    digest          BIGINT NOT NULL
);
CREATE INDEX run_sorted ON run (sorted_unix_ms, number);
CREATE INDEX run_label ON run (label);

-- What is large of a run, so that lists do not read it.
CREATE TABLE run_head (
    run          BIGINT PRIMARY KEY,
    -- What else could make the difference between two checkups, as a JSON object of texts.
    facts        TEXT NOT NULL,
    -- The figures that decide what the drive is good for, as a JSON object by metric.
    measurements TEXT NOT NULL,
    -- The Report as JSON without its steps, as a zlib stream.
    body         {bytes} NOT NULL,
    -- As the list has them: how many there are is known where that is damaged.
    steps        BIGINT NOT NULL,
    -- Of facts and measurements, and of the run's tests and figures.
    digest       BIGINT NOT NULL
);

CREATE TABLE run_tag (
    run   BIGINT NOT NULL,
    name  TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (run, name)
);
CREATE INDEX run_tag_value ON run_tag (name, value);

-- By what a drive is asked for, in lower case: serial numbers, ids, models.
CREATE TABLE run_drive (
    run  BIGINT NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (run, name)
);
CREATE INDEX run_drive_name ON run_drive (name);

CREATE TABLE step (
    run    BIGINT NOT NULL,
    number BIGINT NOT NULL,
    -- Of the JSON and its place: a step that has not changed is not written again.
    digest BIGINT NOT NULL,
    -- The step's result as JSON, as a zlib stream: histograms and series are in it.
    body   {bytes} NOT NULL,
    PRIMARY KEY (run, number)
);

-- What a step measured: one test, or one for each part of an application.
CREATE TABLE test (
    run    BIGINT NOT NULL,
    step   BIGINT NOT NULL,
    part   BIGINT NOT NULL,
    id     TEXT NOT NULL,
    title  TEXT NOT NULL,
    -- How it was measured, as JSON.
    method TEXT NOT NULL,
    PRIMARY KEY (run, step, part)
);

-- Figures in base units: bytes, nanoseconds, per second.
CREATE TABLE figure (
    run         BIGINT NOT NULL,
    step        BIGINT NOT NULL,
    part        BIGINT NOT NULL,
    number      BIGINT NOT NULL,
    direction   TEXT,
    metric      TEXT NOT NULL,
    value       DOUBLE PRECISION NOT NULL,
    n           BIGINT NOT NULL,
    n_effective DOUBLE PRECISION NOT NULL,
    low         DOUBLE PRECISION,
    high        DOUBLE PRECISION,
    window_ns   BIGINT,
    doubt       TEXT
);
CREATE INDEX figure_run ON figure (run, step);
