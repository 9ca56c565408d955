-- Wrong codes of email verification, counted for all nodes together. Only a wrong code writes here, whether or not the
-- address has an account. The rows are updated in the order account, network, project, so that none wait in a circle.
CREATE TABLE wrong_codes (
    project_id    uuid         NOT NULL REFERENCES projects,
    scope         text         NOT NULL CHECK (scope IN ('account', 'network', 'project')),
    key_hash      bytea        NOT NULL,              -- keyed: of the address, of the client's network; empty: project
    window_start  timestamptz  NOT NULL,
    tries         integer      NOT NULL,              -- since window_start
    PRIMARY KEY (project_id, scope, key_hash)
) WITH (fillfactor = 50);
CREATE INDEX wrong_codes_by_age ON wrong_codes (window_start);
