-- Who did what to whom, from where. Partitioned by month, so that what is older than the retention goes by dropping
-- whole tables. No foreign key: its check would lock the project's row at each sign in.
CREATE TABLE audit_log (
    project_id   uuid         NOT NULL,
    created_at   timestamptz  NOT NULL,
    id           uuid         NOT NULL,
    actor_type   text         NOT NULL,               -- user, admin (a dashboard user), api_key, system
    actor_id     uuid,                                -- null: the system, or nobody proved to be anyone
    event        text         NOT NULL,
    target_type  text,
    target_id    uuid,
    metadata     jsonb,                               -- no secret, no password, no code, no email
    ip_address   text,
    user_agent   text,
    PRIMARY KEY (project_id, created_at, id)
) PARTITION BY RANGE (created_at);

-- One for each filter of a list, newest first.
CREATE INDEX audit_log_by_event ON audit_log (project_id, event, created_at, id);
CREATE INDEX audit_log_by_actor ON audit_log (project_id, actor_id, created_at, id) WHERE actor_id IS NOT NULL;
CREATE INDEX audit_log_by_target ON audit_log (project_id, target_id, created_at, id) WHERE target_id IS NOT NULL;

-- Append-only, except for the rows of a project that has been deleted.
CREATE FUNCTION keep_audit_log() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        IF NOT EXISTS (SELECT FROM projects WHERE id = OLD.project_id AND deleted_at IS NULL) THEN
            RETURN OLD;
        END IF;
    END IF;
    RAISE EXCEPTION 'audit_log is append-only' USING ERRCODE = 'insufficient_privilege';
END $$;

-- Every partition gets this trigger by itself.
CREATE TRIGGER audit_log_kept BEFORE UPDATE OR DELETE ON audit_log
    FOR EACH ROW EXECUTE FUNCTION keep_audit_log();
CREATE TRIGGER audit_log_not_emptied BEFORE TRUNCATE ON audit_log
    FOR EACH STATEMENT EXECUTE FUNCTION keep_audit_log();

-- Takes what no month has a partition for, such as the rows of a node whose clock is wrong: no write fails for the lack
-- of one.
CREATE FUNCTION make_audit_log_default() RETURNS void LANGUAGE sql AS $$
    CREATE TABLE audit_log_default PARTITION OF audit_log DEFAULT;
    CREATE TRIGGER audit_log_default_not_emptied BEFORE TRUNCATE ON audit_log_default
        FOR EACH STATEMENT EXECUTE FUNCTION keep_audit_log();
$$;
SELECT make_audit_log_default();

-- Makes the partition of a month in UTC, if it is missing. It is made beside the table and then attached, which stops no
-- write. A month that has rows in audit_log_default stays there: they cannot be moved.
CREATE FUNCTION make_audit_log_month(moment timestamptz) RETURNS void LANGUAGE plpgsql
SET lock_timeout = '2s' SET timezone = 'UTC' AS $$
DECLARE
    first constant timestamptz := date_trunc('month', moment);
    next  constant timestamptz := first + interval '1 month';
    name  constant text := to_char(first, '"audit_log_"YYYY_MM');
    is_in_default boolean;
BEGIN
    IF to_regclass(name) IS NOT NULL THEN
        RETURN;
    END IF;
    LOCK TABLE audit_log IN SHARE UPDATE EXCLUSIVE MODE;  -- several nodes may try at once
    SELECT EXISTS (SELECT FROM audit_log_default WHERE created_at >= first AND created_at < next) INTO is_in_default;
    IF to_regclass(name) IS NOT NULL OR is_in_default THEN
        RETURN;
    END IF;
    EXECUTE format('CREATE TABLE %I (LIKE audit_log)', name);
    EXECUTE format('CREATE TRIGGER %I BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION keep_audit_log()',
                   name || '_not_emptied', name);
    EXECUTE format('ALTER TABLE audit_log ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', name, first, next);
END $$;

-- Makes the partitions of this month and the next three.
CREATE FUNCTION make_audit_log_months(now timestamptz) RETURNS void LANGUAGE sql AS $$
    SELECT make_audit_log_month(now + ahead * interval '1 month') FROM generate_series(0, 3) AS ahead
$$;
SELECT make_audit_log_months(now());

-- Drops the oldest partition that has only rows from before the given time, and returns its name; null if there is none.
-- Dropping waits for statements under way, and others wait behind it: hence the short limit.
CREATE FUNCTION drop_audit_log_partition(before timestamptz) RETURNS text LANGUAGE plpgsql
SET lock_timeout = '200ms' SET timezone = 'UTC' AS $$
DECLARE
    name text;
BEGIN
    SELECT relname INTO name
    FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
    WHERE inhparent = 'audit_log'::regclass AND relname ~ '^audit_log_\d{4}_\d\d$'
      AND to_date(right(relname, 7), 'YYYY_MM') + interval '1 month' <= before
    ORDER BY relname LIMIT 1;
    IF name IS NOT NULL THEN
        EXECUTE format('DROP TABLE %I', name);
        RETURN name;
    END IF;
    -- The one for all other months cannot go by its name, only when all of it is old.
    IF EXISTS (SELECT FROM audit_log_default)
       AND NOT EXISTS (SELECT FROM audit_log_default WHERE created_at >= before) THEN
        DROP TABLE audit_log_default;
        PERFORM make_audit_log_default();
        RETURN 'audit_log_default';
    END IF;
    RETURN NULL;
END $$;
