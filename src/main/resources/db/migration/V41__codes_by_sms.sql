-- Codes by SMS. A row is the last request for a code, the message while it waits to be sent, and the code once it was.
CREATE TABLE sms_codes (
    project_id       uuid         NOT NULL REFERENCES projects,
    purpose          text         NOT NULL,            -- no CHECK: releases add purposes
    key_hash         bytea        NOT NULL,            -- keyed: of the number, and of the user who verifies it
    user_id          uuid,                             -- who verifies the number as the own; null: a sign in
    message_id       uuid         NOT NULL,
    requested_at     timestamptz  NOT NULL,
    language         text         NOT NULL,
    phone            text,                             -- null: sent, or given up
    attempts         integer      NOT NULL DEFAULT 0,
    next_attempt_at  timestamptz,                      -- during an attempt: when to consider it lost
    code_hash        bytea,                            -- keyed; null: not sent yet, or used
    expires_at       timestamptz,
    tries            integer      NOT NULL DEFAULT 0,  -- since the request
    PRIMARY KEY (project_id, purpose, key_hash),
    FOREIGN KEY (project_id, user_id) REFERENCES users ON DELETE CASCADE,
    CHECK ((phone IS NULL) = (next_attempt_at IS NULL)),
    CHECK ((code_hash IS NULL) = (expires_at IS NULL))
);
CREATE INDEX sms_codes_due ON sms_codes (next_attempt_at) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX sms_codes_by_age ON sms_codes (requested_at);
CREATE INDEX sms_codes_of_user ON sms_codes (project_id, user_id) WHERE user_id IS NOT NULL;

-- How many SMS were asked for, on all nodes together. The rows are updated in the order number, network, project, so that
-- none wait in a circle.
CREATE TABLE sms_budgets (
    project_id    uuid         NOT NULL REFERENCES projects,
    scope         text         NOT NULL,               -- number, network or project
    key_hash      bytea        NOT NULL,               -- keyed: of the number, of the client's network; empty: project
    window_start  timestamptz  NOT NULL,
    requests      integer      NOT NULL,               -- since window_start
    PRIMARY KEY (project_id, scope, key_hash)
) WITH (fillfactor = 50);
CREATE INDEX sms_budgets_by_age ON sms_budgets (window_start);

-- Whose number it is. Not unique: imports have brought numbers that the same application had verified for several users,
-- and a migration cannot say whose they are. The server lets no number in that several users have.
CREATE INDEX users_by_verified_phone ON users (project_id, phone) WHERE phone_verified;

-- Whether users of the project may sign in by SMS.
ALTER TABLE projects ADD COLUMN sms_enabled boolean NOT NULL DEFAULT false;
