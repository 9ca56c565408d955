-- Signing in, and up, by a mailed code or link.

-- What is known of an address that asked for such a mail: how often it did, the mail that waits to be sent, and the secret
-- that was sent last. Not rows of mails: a node of the last release claims every mail that is due, and knows no links.
CREATE TABLE passwordless_mails (
    project_id       uuid         NOT NULL REFERENCES projects,
    email_hash       bytea        NOT NULL,
    kind             text         NOT NULL,            -- email_otp, magic_link; no CHECK: releases add kinds
    email            text         NOT NULL,            -- a link does not name it
    id               uuid         NOT NULL,            -- of the last request that was granted
    language         text         NOT NULL,
    signs_up         boolean      NOT NULL,            -- whether an address without an account gets one
    browser_hash     bytea,                            -- keyed; of the user agent that asked; null: unknown
    requested_at     timestamptz  NOT NULL,
    window_start     timestamptz  NOT NULL,
    requests         integer      NOT NULL,            -- granted since window_start
    attempts         integer      NOT NULL DEFAULT 0,  -- to send the mail
    next_attempt_at  timestamptz,                      -- null: sent, or nothing to send
    secret_hash      bytea,                            -- keyed for a code; null: not sent yet, or used
    expires_at       timestamptz,
    tries            integer      NOT NULL DEFAULT 0,  -- of the code
    guesses          integer      NOT NULL DEFAULT 0,  -- since the last request, whether or not a code was sent
    PRIMARY KEY (project_id, email_hash, kind)
);
CREATE UNIQUE INDEX passwordless_mails_by_id ON passwordless_mails (project_id, id);
CREATE INDEX passwordless_mails_by_link ON passwordless_mails (project_id, secret_hash) WHERE kind = 'magic_link';
CREATE INDEX passwordless_mails_due ON passwordless_mails (next_attempt_at) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX passwordless_mails_by_age ON passwordless_mails (requested_at);

ALTER TABLE projects
    ADD COLUMN passwordless_enabled  boolean  NOT NULL DEFAULT true,
    ADD COLUMN passwordless_sign_up  boolean  NOT NULL DEFAULT true,
    ADD COLUMN magic_link_url        text;               -- the page that takes a link's token; null: callback_url
