-- Who is told of what happens in a project.
CREATE TABLE webhooks (
    project_id                  uuid         NOT NULL REFERENCES projects,
    id                          uuid         NOT NULL,
    url                         text         NOT NULL,
    events                      text[]       NOT NULL,   -- kinds of events; '*': all, also those to come
    status                      text         NOT NULL CHECK (status IN ('active', 'disabled')),
    sealed_secret               bytea        NOT NULL,
    sealed_previous_secret      bytea,                   -- signs too, until it expires
    previous_secret_expires_at  timestamptz,
    failing_since               timestamptz,             -- the first failure since the last success
    created_at                  timestamptz  NOT NULL,
    updated_at                  timestamptz  NOT NULL,
    PRIMARY KEY (project_id, id),
    CHECK ((sealed_previous_secret IS NULL) = (previous_secret_expires_at IS NULL))
);

-- What happened: a row is written in the transaction of the change that it tells of, if anybody wants to know.
CREATE TABLE webhook_events (
    project_id  uuid         NOT NULL REFERENCES projects,
    id          uuid         NOT NULL,
    type        text         NOT NULL,
    payload     text         NOT NULL,                   -- as it is sent, byte for byte
    created_at  timestamptz  NOT NULL,
    PRIMARY KEY (project_id, id)
);

-- One event on its way to one endpoint, and afterwards the log of it. A claim writes to no indexed column, so that it
-- costs no index entry.
CREATE TABLE webhook_deliveries (
    project_id       uuid         NOT NULL REFERENCES projects,
    webhook_id       uuid         NOT NULL,
    event_id         uuid         NOT NULL,
    status           text         NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'delivered', 'dead')),
    attempts         integer      NOT NULL DEFAULT 0,
    next_attempt_at  timestamptz,                        -- null: it no longer waits
    claimed_until    timestamptz,                        -- when the attempt that is under way counts as lost
    created_at       timestamptz  NOT NULL,
    attempted_at     timestamptz,                        -- of the last attempt, as the rest
    response_status  integer,
    response_body    text,                               -- the beginning
    duration_millis  integer,
    error            text,                               -- why there was no response
    PRIMARY KEY (project_id, webhook_id, event_id),
    CHECK ((status = 'waiting') = (next_attempt_at IS NOT NULL))
) WITH (fillfactor = 75);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (project_id, webhook_id, next_attempt_at)
    WHERE next_attempt_at IS NOT NULL;

-- For the log of one status.
CREATE INDEX webhook_deliveries_by_status ON webhook_deliveries (project_id, webhook_id, status, event_id);

-- How many deliveries of an endpoint are done, so that a total counts no more than what waits. Triggers keep it. It is
-- written where results are, many at once and one endpoint after the other in order, so that no two transactions wait
-- for each other in a circle; an event that begins to wait writes nothing here.
CREATE TABLE webhook_delivery_counts (
    project_id  uuid    NOT NULL REFERENCES projects,
    webhook_id  uuid    NOT NULL,
    delivered   bigint  NOT NULL,
    dead        bigint  NOT NULL,
    PRIMARY KEY (project_id, webhook_id)
) WITH (fillfactor = 50);

-- What nothing is left of is forgotten, as a deleted endpoint is when its log has gone.
CREATE FUNCTION count_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO webhook_delivery_counts AS kept (project_id, webhook_id, delivered, dead)
    SELECT project_id, webhook_id,
           count(*) FILTER (WHERE status = 'delivered') * TG_ARGV[0]::integer,
           count(*) FILTER (WHERE status = 'dead') * TG_ARGV[0]::integer
    FROM changed
    WHERE status <> 'waiting'
    GROUP BY project_id, webhook_id
    ORDER BY project_id, webhook_id
    ON CONFLICT (project_id, webhook_id) DO UPDATE
    SET delivered = kept.delivered + excluded.delivered, dead = kept.dead + excluded.dead;
    IF TG_OP = 'DELETE' THEN
        DELETE FROM webhook_delivery_counts
        WHERE (project_id, webhook_id) IN (SELECT project_id, webhook_id FROM changed)
          AND delivered = 0 AND dead = 0;
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER webhook_deliveries_inserted AFTER INSERT ON webhook_deliveries
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_deliveries('1');
CREATE TRIGGER webhook_deliveries_left AFTER UPDATE ON webhook_deliveries
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_deliveries('-1');
CREATE TRIGGER webhook_deliveries_reached AFTER UPDATE ON webhook_deliveries
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_deliveries('1');
CREATE TRIGGER webhook_deliveries_deleted AFTER DELETE ON webhook_deliveries
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_deliveries('-1');
