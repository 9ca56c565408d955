-- Mails that tell a user what happened to the account. Not rows of mails: a node of the last release claims every mail that
-- is due, and knows codes only.
CREATE TABLE notices (
    project_id       uuid         NOT NULL REFERENCES projects,
    id               uuid         NOT NULL,
    user_id          uuid         NOT NULL,
    kind             text         NOT NULL,           -- no CHECK: releases add kinds, and nodes send those that they know
    email            text         NOT NULL,           -- at the time of the change
    language         text         NOT NULL,
    sealed_details   bytea        NOT NULL,           -- when, from where, and maybe a token
    created_at       timestamptz  NOT NULL,
    attempts         integer      NOT NULL DEFAULT 0,
    next_attempt_at  timestamptz  NOT NULL,           -- during an attempt: when to consider it lost
    PRIMARY KEY (project_id, id),
    FOREIGN KEY (project_id, user_id) REFERENCES users ON DELETE CASCADE
);
CREATE INDEX notices_due ON notices (next_attempt_at);
CREATE INDEX notices_of_user ON notices (project_id, user_id);

-- When an account was last told of something of a kind, so that nobody can flood its owner.
CREATE TABLE notice_quotas (
    project_id  uuid         NOT NULL REFERENCES projects,
    user_id     uuid         NOT NULL,
    kind        text         NOT NULL,
    queued_at   timestamptz  NOT NULL,
    PRIMARY KEY (project_id, user_id, kind),
    FOREIGN KEY (project_id, user_id) REFERENCES users ON DELETE CASCADE
);
CREATE INDEX notice_quotas_by_age ON notice_quotas (queued_at);

-- Whether the users of a project are told.
ALTER TABLE projects ADD COLUMN security_notices boolean NOT NULL DEFAULT true;
