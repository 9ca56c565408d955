-- How many mails were asked for, and sent to addresses without an account, on all nodes together.
CREATE TABLE mail_budgets (
    project_id    uuid         NOT NULL REFERENCES projects,
    scope         text         NOT NULL,               -- address, unproven, network, project, known_network, known_project
    key_hash      bytea        NOT NULL,               -- keyed: of the address, of the client's network; empty: project
    window_start  timestamptz  NOT NULL,
    mails         integer      NOT NULL,               -- since window_start
    PRIMARY KEY (project_id, scope, key_hash)
) WITH (fillfactor = 50);
CREATE INDEX mail_budgets_by_age ON mail_budgets (window_start);

-- How many refused attempts there were in a project on a day in UTC, whether or not the audit log has an entry of each.
CREATE TABLE audit_refusals (
    project_id  uuid         NOT NULL REFERENCES projects,
    day         date         NOT NULL,
    attempts    bigint       NOT NULL,
    told        bigint       NOT NULL DEFAULT 0,       -- of those without an entry, how many the log tells of
    told_at     timestamptz,                           -- null: never yet
    PRIMARY KEY (project_id, day)
) WITH (fillfactor = 50);
