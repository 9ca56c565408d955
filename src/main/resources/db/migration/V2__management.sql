-- How many users and living or not yet removed sessions a project has, so that a total needs no scan. Triggers keep
-- it, so that nothing that writes can forget to. Each database connection counts in a row of its own (as far as the
-- shards go), so that sign ups of one project do not wait for each other: a project's count is the sum of its rows.
CREATE TABLE counts (
    project_id  uuid      NOT NULL REFERENCES projects,
    shard       smallint  NOT NULL,
    users       bigint    NOT NULL DEFAULT 0,
    sessions    bigint    NOT NULL DEFAULT 0,
    PRIMARY KEY (project_id, shard)
) WITH (fillfactor = 50);

INSERT INTO counts (project_id, shard, users, sessions)
SELECT id, 0,
       (SELECT count(*) FROM users WHERE project_id = projects.id),
       (SELECT count(*) FROM sessions WHERE project_id = projects.id)
FROM projects;

-- Both numbers are in one row, and rows are taken in the order of projects, so that no two transactions wait for each
-- other in a circle.
CREATE FUNCTION count_users() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO counts AS kept (project_id, shard, users)
    SELECT project_id, pg_backend_pid() % 32, count(*) * TG_ARGV[0]::integer
    FROM changed
    GROUP BY project_id
    ORDER BY project_id
    ON CONFLICT (project_id, shard) DO UPDATE SET users = kept.users + excluded.users;
    RETURN NULL;
END $$;

CREATE FUNCTION count_sessions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO counts AS kept (project_id, shard, sessions)
    SELECT project_id, pg_backend_pid() % 32, count(*) * TG_ARGV[0]::integer
    FROM changed
    GROUP BY project_id
    ORDER BY project_id
    ON CONFLICT (project_id, shard) DO UPDATE SET sessions = kept.sessions + excluded.sessions;
    RETURN NULL;
END $$;

CREATE TRIGGER users_inserted AFTER INSERT ON users
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_users('1');
CREATE TRIGGER users_deleted AFTER DELETE ON users
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_users('-1');
CREATE TRIGGER sessions_inserted AFTER INSERT ON sessions
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_sessions('1');
CREATE TRIGGER sessions_deleted AFTER DELETE ON sessions
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_sessions('-1');

-- Expired sessions are not removed at once, and a total leaves them out.
DROP INDEX sessions_by_expiry;
CREATE INDEX sessions_by_expiry ON sessions (expires_at, project_id);

-- A deleted project is hidden at once and emptied in the background, so nothing may cascade from it.
ALTER TABLE projects ADD COLUMN deleted_at timestamptz;
ALTER TABLE projects DROP CONSTRAINT projects_slug_key;
CREATE UNIQUE INDEX projects_by_slug ON projects (slug) WHERE deleted_at IS NULL;
CREATE INDEX projects_deleted ON projects (deleted_at) WHERE deleted_at IS NOT NULL;
ALTER TABLE api_keys
    DROP CONSTRAINT api_keys_project_id_fkey,
    ADD FOREIGN KEY (project_id) REFERENCES projects;
ALTER TABLE signing_keys
    DROP CONSTRAINT signing_keys_project_id_fkey,
    ADD FOREIGN KEY (project_id) REFERENCES projects;
ALTER TABLE users
    DROP CONSTRAINT users_project_id_fkey,
    ADD FOREIGN KEY (project_id) REFERENCES projects;
ALTER TABLE memberships
    DROP CONSTRAINT memberships_project_id_fkey,
    ADD FOREIGN KEY (project_id) REFERENCES projects;
ALTER TABLE sign_in_failures
    DROP CONSTRAINT sign_in_failures_project_id_fkey,
    ADD FOREIGN KEY (project_id) REFERENCES projects;

-- How a project's login interface looks; null takes the default.
CREATE TABLE brandings (
    project_id           uuid     PRIMARY KEY REFERENCES projects,
    brand_name           text,
    primary_color_start  text,
    primary_color_end    text,
    light_bg             text,
    light_text           text,
    dark_bg              text,
    dark_text            text,
    border_radius        double precision,
    show_email_password  boolean,
    show_divider         boolean,
    terms_url            text,
    privacy_url          text,
    logo_data_url        text
);

-- The identity providers that a project has set up.
CREATE TABLE identity_providers (
    project_id            uuid         NOT NULL REFERENCES projects,
    provider              text         NOT NULL,      -- its name in the catalogue
    client_id             text         NOT NULL,
    sealed_client_secret  bytea        NOT NULL,
    enabled               boolean      NOT NULL,
    scopes                text[],                     -- null: those of the catalogue
    oauth_flow            text         NOT NULL CHECK (oauth_flow IN ('auto', 'popup', 'redirect')),
    created_at            timestamptz  NOT NULL,
    updated_at            timestamptz  NOT NULL,
    PRIMARY KEY (project_id, provider)
);

-- Who a user is at an identity provider.
CREATE TABLE identities (
    project_id  uuid         NOT NULL,
    provider    text         NOT NULL,
    subject     text         NOT NULL,
    user_id     uuid         NOT NULL,
    created_at  timestamptz  NOT NULL,
    PRIMARY KEY (project_id, provider, subject),
    FOREIGN KEY (project_id, user_id) REFERENCES users ON DELETE CASCADE
);
CREATE UNIQUE INDEX identities_of_user ON identities (project_id, user_id, provider);
