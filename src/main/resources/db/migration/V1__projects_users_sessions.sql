-- Every primary key begins with the project, so that the schema can be sharded by project.

CREATE TABLE projects (
    id                         uuid PRIMARY KEY,
    name                       text        NOT NULL,
    slug                       text        NOT NULL UNIQUE,
    environment                text        NOT NULL CHECK (environment IN ('live', 'test')),
    callback_url               text,
    allowed_origins            text[]      NOT NULL DEFAULT '{}',
    access_token_ttl_seconds   integer,               -- null: never set, so 900 for Variant A and 3600 for Variant B
    refresh_token_ttl_seconds  integer     NOT NULL DEFAULT 604800,
    max_concurrent_sessions    integer     NOT NULL DEFAULT 5,
    created_at                 timestamptz NOT NULL,
    updated_at                 timestamptz NOT NULL
);

CREATE TABLE api_keys (
    project_id    uuid        NOT NULL REFERENCES projects ON DELETE CASCADE,
    id            uuid        NOT NULL,
    kind          text        NOT NULL CHECK (kind IN ('publishable', 'secret')),
    hash          bytea       NOT NULL,               -- SHA-256 of the whole key
    public_text   text,                               -- the key itself, of a publishable key alone
    last_four     text        NOT NULL,
    created_at    timestamptz NOT NULL,
    last_used_at  timestamptz,
    PRIMARY KEY (project_id, id),
    UNIQUE (project_id, hash),
    CHECK ((kind = 'publishable') = (public_text IS NOT NULL))
);

CREATE TABLE signing_keys (
    project_id          uuid        NOT NULL REFERENCES projects ON DELETE CASCADE,
    id                  text        NOT NULL,         -- the kid
    public_jwk          jsonb       NOT NULL,
    sealed_private_jwk  bytea       NOT NULL,
    created_at          timestamptz NOT NULL,
    PRIMARY KEY (project_id, id)
);
CREATE INDEX signing_keys_newest ON signing_keys (project_id, created_at);

CREATE TABLE users (
    project_id       uuid        NOT NULL REFERENCES projects ON DELETE CASCADE,
    id               uuid        NOT NULL,
    email            text,                            -- null: an identity provider that tells none
    display_name     text,
    avatar_url       text,
    phone            text,
    email_verified   boolean     NOT NULL DEFAULT false,
    phone_verified   boolean     NOT NULL DEFAULT false,
    is_banned        boolean     NOT NULL DEFAULT false,
    public_metadata  jsonb,
    sign_in_count    integer     NOT NULL DEFAULT 0,
    last_sign_in_at  timestamptz,
    password_hash    text,                            -- a PHC string
    created_at       timestamptz NOT NULL,
    updated_at       timestamptz NOT NULL,
    PRIMARY KEY (project_id, id),
    UNIQUE (project_id, email)
);

-- A session is a row: signing out, revoking and evicting delete it, so whatever is here and not past expires_at lives.
CREATE TABLE sessions (
    project_id      uuid        NOT NULL,
    id              uuid        NOT NULL,
    user_id         uuid        NOT NULL,
    user_agent      text,
    ip_address      text,
    country         text,
    generation      integer     NOT NULL DEFAULT 0,   -- of the refresh token that is good now
    rotated_at      timestamptz NOT NULL,
    created_at      timestamptz NOT NULL,
    last_active_at  timestamptz NOT NULL,
    expires_at      timestamptz NOT NULL,
    PRIMARY KEY (project_id, id),
    FOREIGN KEY (project_id, user_id) REFERENCES users ON DELETE CASCADE
);
CREATE INDEX sessions_of_user ON sessions (project_id, user_id, created_at);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

-- Dashboard users (users of the system project) and the projects that they keep.
CREATE TABLE memberships (
    project_id  uuid        NOT NULL REFERENCES projects ON DELETE CASCADE,
    user_id     uuid        NOT NULL,
    role        text        NOT NULL CHECK (role IN ('owner', 'viewer')),
    created_at  timestamptz NOT NULL,
    PRIMARY KEY (project_id, user_id)
);
CREATE INDEX memberships_of_user ON memberships (user_id, project_id);

-- Failed sign ins by the hash of the email that was tried, whether or not an account has it.
CREATE TABLE sign_in_failures (
    project_id    uuid        NOT NULL REFERENCES projects ON DELETE CASCADE,
    email_hash    bytea       NOT NULL,
    failures      integer     NOT NULL,
    window_start  timestamptz NOT NULL,
    locked_until  timestamptz,
    PRIMARY KEY (project_id, email_hash)
);
CREATE INDEX sign_in_failures_by_age ON sign_in_failures (window_start);

-- The built-in project whose users are the dashboard users.
INSERT INTO projects (id, name, slug, environment, created_at, updated_at)
VALUES ('00000000-0000-7000-8000-000000000000', 'Vestibule', 'vestibule', 'live', now(), now());
