-- How much goes on in a project, by the hour. Nodes add to a row every few seconds, hence the room for a second version.
CREATE TABLE project_statistics (
    project_id          uuid         NOT NULL REFERENCES projects,
    hour                timestamptz  NOT NULL,            -- its beginning
    sign_ups            bigint       NOT NULL,
    sign_ins            bigint       NOT NULL,
    failed_sign_ins     bigint       NOT NULL,
    webhooks_delivered  bigint       NOT NULL,
    webhooks_failed     bigint       NOT NULL,
    active_users        bytea        NOT NULL,            -- hashes of up to 127 users (8 bytes each), or a sketch of 1 KiB
    PRIMARY KEY (project_id, hour)
) WITH (fillfactor = 50);
CREATE INDEX project_statistics_by_hour ON project_statistics (hour);
