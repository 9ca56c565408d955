-- The bytes by which authenticators know a user (user.id of WebAuthn): they say nothing of who it is, and never change.
CREATE TABLE passkey_users (
    project_id  uuid   NOT NULL,
    user_id     uuid   NOT NULL,
    handle      bytea  NOT NULL,
    PRIMARY KEY (project_id, user_id),
    FOREIGN KEY (project_id, user_id) REFERENCES users ON DELETE CASCADE
);

-- Passkeys (WebAuthn Level 3) of users.
CREATE TABLE passkeys (
    project_id       uuid         NOT NULL,
    id               uuid         NOT NULL,
    user_id          uuid         NOT NULL,
    rp_id            text         NOT NULL,  -- the domain that it is bound to
    credential_id    bytea        NOT NULL,
    aaguid           uuid         NOT NULL,  -- the kind of authenticator, as it says
    public_key       bytea        NOT NULL,  -- COSE_Key (RFC 9052)
    sign_count       bigint       NOT NULL,
    backup_eligible  boolean      NOT NULL,  -- may be kept on several devices
    backed_up        boolean      NOT NULL,
    user_verified    boolean      NOT NULL,  -- whether it has ever verified the person, and not only that there is one
    name             text,
    created_at       timestamptz  NOT NULL,
    last_used_at     timestamptz,
    PRIMARY KEY (project_id, id),
    UNIQUE (project_id, credential_id),
    FOREIGN KEY (project_id, user_id) REFERENCES users ON DELETE CASCADE
);
CREATE INDEX passkeys_of_user ON passkeys (project_id, user_id);

-- Registrations and sign ins that are under way.
CREATE TABLE passkey_challenges (
    project_id      uuid         NOT NULL,
    challenge_hash  bytea        NOT NULL,  -- SHA-256
    user_id         uuid,                   -- who registers, in which session; null for a sign in
    session_id      uuid,
    name            text,
    expires_at      timestamptz  NOT NULL,
    PRIMARY KEY (project_id, challenge_hash),
    FOREIGN KEY (project_id, user_id) REFERENCES users ON DELETE CASCADE
);
CREATE INDEX passkey_challenges_of_user ON passkey_challenges (project_id, user_id) WHERE user_id IS NOT NULL;
CREATE INDEX passkey_challenges_by_expiry ON passkey_challenges (expires_at);

-- Whether users of the project may have passkeys, the domain that these are bound to (null: that of the first allowed
-- origin), and the origins beside the allowed ones.
ALTER TABLE projects ADD COLUMN passkeys_enabled boolean NOT NULL DEFAULT true;
ALTER TABLE projects ADD COLUMN passkey_rp_id text;
ALTER TABLE projects ADD COLUMN passkey_origins text[] NOT NULL DEFAULT '{}';
