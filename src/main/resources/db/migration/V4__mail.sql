ALTER TABLE projects
    ADD COLUMN require_email_verification  boolean NOT NULL DEFAULT false,
    ADD COLUMN locale                      text    -- of mails; null: what the client's Accept-Language says
        CHECK (locale IN ('en', 'ko', 'ja', 'zh', 'de', 'fr', 'es', 'pt'));

-- What an address was sent, or would have been: a row comes with the first request, whether or not an account has the
-- address, so that nothing about a row tells which addresses have one. It counts the requests, and later holds the
-- code, which is bound to the user that it was sent to.
CREATE TABLE email_codes (
    project_id    uuid         NOT NULL REFERENCES projects,
    email_hash    bytea        NOT NULL,
    purpose       text         NOT NULL CHECK (purpose IN ('verification', 'password_reset')),
    requested_at  timestamptz  NOT NULL,              -- the last request that was granted
    window_start  timestamptz  NOT NULL,
    requests      integer      NOT NULL,              -- granted since then
    user_id       uuid,
    code_hash     bytea,                              -- keyed; null: none was sent yet, or it was used
    expires_at    timestamptz,
    tries         integer      NOT NULL DEFAULT 0,
    PRIMARY KEY (project_id, email_hash, purpose),
    CHECK (code_hash IS NULL OR (user_id IS NOT NULL AND expires_at IS NOT NULL))
);
CREATE INDEX email_codes_by_age ON email_codes (requested_at);

-- Mails to be sent. Who gets one, and the code in it, is found out when it is sent.
CREATE TABLE mails (
    project_id       uuid         NOT NULL REFERENCES projects,
    id               uuid         NOT NULL,
    purpose          text         NOT NULL CHECK (purpose IN ('verification', 'password_reset')),
    email            text         NOT NULL,
    language         text         NOT NULL,
    created_at       timestamptz  NOT NULL,
    attempts         integer      NOT NULL DEFAULT 0,
    next_attempt_at  timestamptz  NOT NULL,           -- while an attempt is under way, when it counts as lost
    PRIMARY KEY (project_id, id)
);
CREATE INDEX mails_due ON mails (next_attempt_at);
CREATE INDEX mails_of_address ON mails (project_id, email);
