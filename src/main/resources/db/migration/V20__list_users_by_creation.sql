-- Lists of users go by the time of creation. They went by the id, which was the same until imports could bring ids of
-- any form: a random one would stand before everybody who signs up from now on.

-- Null: added before this release, by an id that tells the time.
ALTER TABLE user_search ADD COLUMN created_at timestamptz;

CREATE FUNCTION listed_at(created_at timestamptz, id uuid) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT coalesce($1, to_timestamp(('x' || translate(left($2::text, 13), '-', ''))::bit(48)::bigint / 1000.0))
$$;

-- Includes the text, as the primary key did: the newest matching users are found by walking along it. Nodes of the release
-- before still find them by the primary key, only slower.
CREATE INDEX user_search_newest ON user_search (project_id, listed_at(created_at, id), id) INCLUDE (created_at, search_text);
ALTER TABLE user_search
    DROP CONSTRAINT user_search_pkey,
    ADD PRIMARY KEY (project_id, id);

CREATE OR REPLACE FUNCTION add_users() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    WITH counted AS (
        INSERT INTO counts AS kept (project_id, shard, users, changes)
        SELECT project_id, pg_backend_pid() % 32, count(*), count(*)
        FROM changed
        GROUP BY project_id
        ORDER BY project_id
        ON CONFLICT (project_id, shard) DO UPDATE
            SET users = kept.users + excluded.users, changes = kept.changes + excluded.changes
        RETURNING project_id, shard, changes)
    INSERT INTO user_search (project_id, id, created_at, shard, change, search_text)
    SELECT project_id, id, created_at, shard, changes - row_number() OVER (PARTITION BY project_id) + 1,
           search_text(email, display_name)
    FROM changed JOIN counted USING (project_id);
    RETURN NULL;
END $$;
