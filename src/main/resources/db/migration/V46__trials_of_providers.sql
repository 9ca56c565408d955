-- The last trial of each provider: a sign in that an owner of the project makes to see whether its settings work. It makes no
-- account and no session, and what the provider told is kept for minutes only. A table of its own, since a node of an earlier
-- release would take a row of oauth_states for a sign in.
CREATE TABLE provider_trials (
    project_id      uuid         NOT NULL,
    provider        text         NOT NULL,
    state_hash      bytea        NOT NULL,
    begun_at        timestamptz  NOT NULL,
    expires_at      timestamptz  NOT NULL,
    is_claimed      boolean      NOT NULL DEFAULT false,  -- the browser is back
    problem         text,                                 -- a word for what went wrong
    message         text,                                 -- and a sentence
    subject         text,                                 -- whom the provider told of
    email           text,
    email_verified  boolean      NOT NULL DEFAULT false,
    display_name    text,
    PRIMARY KEY (project_id, provider),
    FOREIGN KEY (project_id, provider) REFERENCES identity_providers ON DELETE CASCADE,
    CHECK ((problem IS NULL) = (message IS NULL)),
    CHECK (problem IS NULL OR subject IS NULL)
);
CREATE INDEX provider_trials_by_expiry ON provider_trials (expires_at);
