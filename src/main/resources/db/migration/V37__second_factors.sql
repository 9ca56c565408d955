-- One-time passwords by an authenticator app (RFC 6238), as a second factor beside the password, and their backup codes.
CREATE TABLE totp_factors (
    project_id      uuid         NOT NULL,
    user_id         uuid         NOT NULL,
    sealed_secret   bytea        NOT NULL,
    backup_codes    bytea[]      NOT NULL,            -- keyed hashes of those that are left
    created_at      timestamptz  NOT NULL,
    confirmed_at    timestamptz,                      -- null: only set up, which counts for nothing and expires
    last_step       bigint       NOT NULL DEFAULT 0,  -- the time step whose code was taken last: none is taken twice
    wrong_tries     integer      NOT NULL DEFAULT 0,  -- since wrong_since
    wrong_since     timestamptz,
    PRIMARY KEY (project_id, user_id),
    FOREIGN KEY (project_id, user_id) REFERENCES users ON DELETE CASCADE
);
CREATE INDEX totp_factors_unconfirmed ON totp_factors (created_at) WHERE confirmed_at IS NULL;

-- Sign ins whose password was right and that wait for the second factor.
CREATE TABLE mfa_challenges (
    project_id       uuid         NOT NULL,
    token_hash       bytea        NOT NULL,           -- SHA-256
    user_id          uuid         NOT NULL,
    variant          text         NOT NULL,           -- of the session that it opens
    password_digest  bytea        NOT NULL,           -- of the hash that the password was checked against
    tries            integer      NOT NULL DEFAULT 0,
    expires_at       timestamptz  NOT NULL,
    PRIMARY KEY (project_id, token_hash),
    FOREIGN KEY (project_id, user_id) REFERENCES users ON DELETE CASCADE
);
CREATE INDEX mfa_challenges_of_user ON mfa_challenges (project_id, user_id);
CREATE INDEX mfa_challenges_by_expiry ON mfa_challenges (expires_at);

-- Whether there is a confirmed factor: on the user's row, because a sign in reads and compares that one anyway.
ALTER TABLE users ADD COLUMN has_second_factor boolean NOT NULL DEFAULT false;

-- Whether users of the project may set up one-time passwords.
ALTER TABLE projects ADD COLUMN totp_enabled boolean NOT NULL DEFAULT true;
