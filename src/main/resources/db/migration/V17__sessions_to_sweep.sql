-- A refresh moves a session's end. While an index had that column, each refresh wrote to every index of the table; now a
-- refresh changes no indexed column, and with some room in the page it stays in its page (HOT). Maintenance looks at a
-- session when its sweep_at has come, and removes it or moves sweep_at on to its end. Those that are there now are looked
-- at first of all, and those that nodes of the last release open are too.
ALTER TABLE sessions
    ADD COLUMN sweep_at timestamptz NOT NULL DEFAULT '-infinity',  -- not after expires_at
    SET (fillfactor = 80);

DROP INDEX sessions_by_expiry;
CREATE INDEX sessions_to_sweep ON sessions (sweep_at, project_id);
