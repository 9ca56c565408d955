ALTER TABLE identity_providers ADD COLUMN native_client_ids text[] NOT NULL DEFAULT '{}';
COMMENT ON COLUMN identity_providers.native_client_ids IS 'the apps whose users sign in with an ID token of their device';

-- ID tokens that apps have signed in with: each works once. They are too old to be taken when their row is removed.
CREATE TABLE used_id_tokens (
    project_id  uuid         NOT NULL REFERENCES projects,
    token_hash  bytea        NOT NULL,              -- SHA-256 of what the signature covers
    expires_at  timestamptz  NOT NULL,
    PRIMARY KEY (project_id, token_hash)
);
CREATE INDEX used_id_tokens_by_expiry ON used_id_tokens (expires_at);
