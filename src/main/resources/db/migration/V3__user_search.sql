-- What the search of users reads. It has a table of its own, so that a sign in, which changes a user's row, touches
-- neither this nor its indexes. Triggers keep it, so that nothing that writes can forget to.

-- For what is found and for what is looked for alike: compatible forms of a character are one (NFKC), and so are upper
-- and lower case, whatever the database's locale is. Lower-casing leaves a final sigma, a dotless i and the dot of the
-- Turkish capital i; these become what they are upper case of.
CREATE FUNCTION search_fold(text) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT translate(lower(normalize($1, NFKC) COLLATE "und-x-icu"), U&'\03C2\0131\0307', U&'\03C3i') COLLATE "C"
$$;

-- The email and the name, a line each; bounded, since an index entry can hold no more than 2,700 bytes.
CREATE FUNCTION search_text(email text, display_name text) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT left(coalesce(search_fold(email), ''), 300) || E'\n' || left(coalesce(search_fold(display_name), ''), 200)
$$;

-- The hashes of all parts of two and three characters, and of the characters beyond ASCII: one letter of ASCII finds
-- so many that an index would be no help. The project is in the hash, so that each has lists of its own.
CREATE FUNCTION search_grams(project_id uuid, text) RETURNS bigint[] LANGUAGE sql IMMUTABLE PARALLEL SAFE COST 1000 AS $$
    SELECT array_agg(hashtextextended(substr($2, n, 2) COLLATE "C", uuid_hash_extended($1, 0)))
        || array_agg(hashtextextended(substr($2, n, 3) COLLATE "C", uuid_hash_extended($1, 0)))
        || array_agg(hashtextextended(substr($2, n, 1) COLLATE "C", uuid_hash_extended($1, 0)))
               FILTER (WHERE ascii(substr($2, n, 1)) > 127)
    FROM generate_series(1, length($2)) AS n
$$;

-- Those of the longest parts of a term alone.
CREATE FUNCTION search_probe(project_id uuid, text) RETURNS bigint[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT array_agg(hashtextextended(substr($2, n, least(length($2), 3)) COLLATE "C", uuid_hash_extended($1, 0)))
    FROM generate_series(1, greatest(length($2) - 2, 1)) AS n
$$;

-- How often the project's users were changed in a way that changes what a search finds. Like the counts, each shard
-- has its own, and the row's lock makes the numbers of a shard commit in their order.
ALTER TABLE counts ADD COLUMN changes bigint NOT NULL DEFAULT 0;

CREATE TABLE user_search (
    project_id   uuid      NOT NULL,
    id           uuid      NOT NULL,
    shard        smallint  NOT NULL,                  -- with the number of the change that added the user:
    change       bigint    NOT NULL,                  -- by both, what came since a total was counted is found
    search_text  text      NOT NULL COLLATE "C"
);

INSERT INTO user_search (project_id, id, shard, change, search_text)
SELECT project_id, id, 0, row_number() OVER (PARTITION BY project_id), search_text(email, display_name) FROM users;

INSERT INTO counts (project_id, shard, changes)
SELECT project_id, 0, count(*) FROM user_search GROUP BY project_id
ON CONFLICT (project_id, shard) DO UPDATE SET changes = excluded.changes;

-- An index that holds the text too: the newest who match are found by a walk along it, and all are counted by it.
ALTER TABLE user_search
    ADD PRIMARY KEY (project_id, id) INCLUDE (search_text),
    ADD FOREIGN KEY (project_id, id) REFERENCES users ON DELETE CASCADE;
CREATE INDEX user_search_changes ON user_search (project_id, shard, change);

-- The list of what waits to be entered into the index, which every search reads, is kept short.
CREATE INDEX user_search_grams ON user_search USING gin (search_grams(project_id, search_text))
    WITH (fastupdate = on, gin_pending_list_limit = 256);
ALTER INDEX user_search_grams ALTER COLUMN 1 SET STATISTICS 0; -- no plan depends on them, and they would be dear to take

DROP TRIGGER users_inserted ON users;
DROP TRIGGER users_deleted ON users;
DROP FUNCTION count_users;

CREATE FUNCTION add_users() RETURNS trigger LANGUAGE plpgsql AS $$
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
    INSERT INTO user_search (project_id, id, shard, change, search_text)
    SELECT project_id, id, shard, changes - row_number() OVER (PARTITION BY project_id) + 1,
           search_text(email, display_name)
    FROM changed JOIN counted USING (project_id);
    RETURN NULL;
END $$;

CREATE FUNCTION remove_users() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO counts AS kept (project_id, shard, users, changes)
    SELECT project_id, pg_backend_pid() % 32, -count(*), count(*)
    FROM changed
    GROUP BY project_id
    ORDER BY project_id
    ON CONFLICT (project_id, shard) DO UPDATE
        SET users = kept.users + excluded.users, changes = kept.changes + excluded.changes;
    RETURN NULL;
END $$;

CREATE FUNCTION rename_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO counts AS kept (project_id, shard, changes)
    VALUES (NEW.project_id, pg_backend_pid() % 32, 1)
    ON CONFLICT (project_id, shard) DO UPDATE SET changes = kept.changes + 1;
    UPDATE user_search SET search_text = search_text(NEW.email, NEW.display_name)
    WHERE project_id = NEW.project_id AND id = NEW.id;
    RETURN NULL;
END $$;

CREATE TRIGGER users_inserted AFTER INSERT ON users
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION add_users();
CREATE TRIGGER users_deleted AFTER DELETE ON users
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION remove_users();
CREATE TRIGGER users_renamed AFTER UPDATE OF email, display_name ON users
    FOR EACH ROW WHEN ((OLD.email, OLD.display_name) IS DISTINCT FROM (NEW.email, NEW.display_name))
    EXECUTE FUNCTION rename_user();
