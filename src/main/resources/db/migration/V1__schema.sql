-- The whole schema: projects and their keys, users and sessions, kept counts, the search of users, mail, webhooks,
-- OAuth.
--
-- Every primary key begins with the project, and nothing is unique across projects, so that the schema can be sharded
-- by project. A foreign key to projects never cascades: deleting a project hides it at once, and a background job
-- removes its rows in batches. Timestamps have no default: the server passes the time of its own clock.


-- Projects ------------------------------------------------------------------------------------------------------------

CREATE TABLE projects (
    id                          uuid         PRIMARY KEY,
    name                        text         NOT NULL,
    slug                        text         NOT NULL,
    environment                 text         NOT NULL CHECK (environment IN ('live', 'test')),
    callback_url                text,
    allowed_origins             text[]       NOT NULL DEFAULT '{}',
    access_token_ttl_seconds    integer,               -- null: 900 in Variant A, 3600 in Variant B
    refresh_token_ttl_seconds   integer      NOT NULL DEFAULT 604800,
    max_concurrent_sessions     integer      NOT NULL DEFAULT 5,
    require_email_verification  boolean      NOT NULL DEFAULT false,
    locale                      text                   -- of mails; null: the client's Accept-Language decides
        CHECK (locale IN ('en', 'ko', 'ja', 'zh', 'de', 'fr', 'es', 'pt')),
    created_at                  timestamptz  NOT NULL,
    updated_at                  timestamptz  NOT NULL,
    deleted_at                  timestamptz            -- set: hidden, and its rows are being removed
);
CREATE UNIQUE INDEX projects_by_slug ON projects (slug) WHERE deleted_at IS NULL;
CREATE INDEX projects_deleted ON projects (deleted_at) WHERE deleted_at IS NOT NULL;

-- The built-in system project. Its users are the dashboard users.
INSERT INTO projects (id, name, slug, environment, created_at, updated_at)
VALUES ('00000000-0000-7000-8000-000000000000', 'Vestibule', 'vestibule', 'live', now(), now());

-- How a project's sign-in page looks. Null means the default.
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


-- Keys of a project ---------------------------------------------------------------------------------------------------

CREATE TABLE api_keys (
    project_id    uuid         NOT NULL REFERENCES projects,
    id            uuid         NOT NULL,
    kind          text         NOT NULL CHECK (kind IN ('publishable', 'secret')),
    hash          bytea        NOT NULL,              -- SHA-256 of the whole key
    public_text   text,                               -- the key itself; only for publishable keys
    last_four     text         NOT NULL,
    created_at    timestamptz  NOT NULL,
    last_used_at  timestamptz,
    PRIMARY KEY (project_id, id),
    UNIQUE (project_id, hash),
    CHECK ((kind = 'publishable') = (public_text IS NOT NULL))
);

-- The key pairs that sign access tokens.
CREATE TABLE signing_keys (
    project_id          uuid         NOT NULL REFERENCES projects,
    id                  text         NOT NULL,        -- the kid
    public_jwk          jsonb        NOT NULL,
    sealed_private_jwk  bytea        NOT NULL,
    created_at          timestamptz  NOT NULL,
    PRIMARY KEY (project_id, id)
);
CREATE INDEX signing_keys_newest ON signing_keys (project_id, created_at);


-- Users and sessions --------------------------------------------------------------------------------------------------

CREATE TABLE users (
    project_id       uuid         NOT NULL REFERENCES projects,
    id               uuid         NOT NULL,
    email            text,                            -- null: the identity provider gave none
    display_name     text,
    avatar_url       text,
    phone            text,
    email_verified   boolean      NOT NULL DEFAULT false,
    phone_verified   boolean      NOT NULL DEFAULT false,
    is_banned        boolean      NOT NULL DEFAULT false,
    public_metadata  jsonb,
    sign_in_count    integer      NOT NULL DEFAULT 0,
    last_sign_in_at  timestamptz,
    password_hash    text,                            -- a PHC string; null: no password
    created_at       timestamptz  NOT NULL,
    updated_at       timestamptz  NOT NULL,
    PRIMARY KEY (project_id, id),
    UNIQUE (project_id, email)
);

-- Which projects a dashboard user works on.
CREATE TABLE memberships (
    project_id  uuid         NOT NULL REFERENCES projects,
    user_id     uuid         NOT NULL,                -- a user of the system project
    role        text         NOT NULL CHECK (role IN ('owner', 'viewer')),
    created_at  timestamptz  NOT NULL,
    PRIMARY KEY (project_id, user_id)
);
CREATE INDEX memberships_of_user ON memberships (user_id, project_id);

-- Signing out, revoking and evicting delete the row, so a session is live if its row exists and has not expired.
CREATE TABLE sessions (
    project_id      uuid         NOT NULL,
    id              uuid         NOT NULL,
    user_id         uuid         NOT NULL,
    user_agent      text,
    ip_address      text,
    country         text,
    generation      integer      NOT NULL DEFAULT 0,  -- of the refresh token that is valid now
    rotated_at      timestamptz  NOT NULL,            -- when that refresh token was issued
    created_at      timestamptz  NOT NULL,
    last_active_at  timestamptz  NOT NULL,
    expires_at      timestamptz  NOT NULL,
    PRIMARY KEY (project_id, id),
    FOREIGN KEY (project_id, user_id) REFERENCES users ON DELETE CASCADE
);
CREATE INDEX sessions_of_user ON sessions (project_id, user_id, created_at);
-- For removing expired sessions, and for leaving them out of lists and totals until then.
CREATE INDEX sessions_by_expiry ON sessions (expires_at, project_id);

-- Failed sign-ins by the hash of the email that was tried, whether or not a user has that email.
CREATE TABLE sign_in_failures (
    project_id    uuid         NOT NULL REFERENCES projects,
    email_hash    bytea        NOT NULL,
    failures      integer      NOT NULL,              -- since window_start
    window_start  timestamptz  NOT NULL,
    locked_until  timestamptz,
    PRIMARY KEY (project_id, email_hash)
);
CREATE INDEX sign_in_failures_by_age ON sign_in_failures (window_start);


-- Counts --------------------------------------------------------------------------------------------------------------

-- How many users and sessions (expired ones too, until they are removed) a project has, so that a total needs no scan.
-- Triggers keep the counts, so that no statement can forget to. A project has up to 32 rows, and a connection counts in
-- one of them, so that sign-ups of one project do not wait for each other. A project's count is the sum of its rows.
-- The lock on a row makes its changes commit in the order of their numbers.
CREATE TABLE counts (
    project_id  uuid      NOT NULL REFERENCES projects,
    shard       smallint  NOT NULL,
    users       bigint    NOT NULL DEFAULT 0,
    sessions    bigint    NOT NULL DEFAULT 0,
    changes     bigint    NOT NULL DEFAULT 0,         -- to what a search of users finds
    PRIMARY KEY (project_id, shard)
) WITH (fillfactor = 50);

-- The order of projects is the order of locks, so that transactions cannot deadlock here.
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

CREATE TRIGGER sessions_inserted AFTER INSERT ON sessions
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_sessions('1');
CREATE TRIGGER sessions_deleted AFTER DELETE ON sessions
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_sessions('-1');


-- Search of users -----------------------------------------------------------------------------------------------------

-- Folds stored text and search terms alike: compatible forms of a character become one (NFKC), and upper case becomes
-- lower case, whatever the locale of the database is. lower() keeps the final sigma, the dotless i and the dot of the
-- Turkish capital I; they become the letters that share their capital.
CREATE FUNCTION search_fold(text) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT translate(lower(normalize($1, NFKC) COLLATE "und-x-icu"), U&'\03C2\0131\0307', U&'\03C3i') COLLATE "C"
$$;

-- The email and the name, each on a line. Truncated, because an index entry holds at most 2,700 bytes.
CREATE FUNCTION search_text(email text, display_name text) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT left(coalesce(search_fold(email), ''), 300) || E'\n' || left(coalesce(search_fold(display_name), ''), 200)
$$;

-- What the index holds of a text: the hashes of all substrings of two and three characters, and of single characters
-- beyond ASCII. Single ASCII letters match too many users for an index to help. The project is part of the hash, so
-- that each project has its own posting lists.
CREATE FUNCTION search_grams(project_id uuid, text) RETURNS bigint[] LANGUAGE sql IMMUTABLE PARALLEL SAFE COST 1000 AS $$
    SELECT array_agg(hashtextextended(substr($2, n, 2) COLLATE "C", uuid_hash_extended($1, 0)))
        || array_agg(hashtextextended(substr($2, n, 3) COLLATE "C", uuid_hash_extended($1, 0)))
        || array_agg(hashtextextended(substr($2, n, 1) COLLATE "C", uuid_hash_extended($1, 0)))
               FILTER (WHERE ascii(substr($2, n, 1)) > 127)
    FROM generate_series(1, length($2)) AS n
$$;

-- What to look up for a term: the hashes of its longest substrings of up to three characters.
CREATE FUNCTION search_probe(project_id uuid, text) RETURNS bigint[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT array_agg(hashtextextended(substr($2, n, least(length($2), 3)) COLLATE "C", uuid_hash_extended($1, 0)))
    FROM generate_series(1, greatest(length($2) - 2, 1)) AS n
$$;

-- A row for each user, kept by triggers. It is a table of its own so that a sign-in, which updates the user's row,
-- writes neither to it nor to its indexes. The primary key's index includes the text: the newest matching users are
-- found by walking along it, and all matches are counted from it.
CREATE TABLE user_search (
    project_id   uuid      NOT NULL,
    id           uuid      NOT NULL,
    shard        smallint  NOT NULL,                  -- the row of counts, and its number of changes, that added this
    change       bigint    NOT NULL,                  -- user: they find the users added since a total was counted
    search_text  text      NOT NULL COLLATE "C",
    PRIMARY KEY (project_id, id) INCLUDE (search_text),
    FOREIGN KEY (project_id, id) REFERENCES users ON DELETE CASCADE
) WITH (parallel_workers = 0);                        -- a search is slower with workers: starting them takes longer
CREATE INDEX user_search_changes ON user_search (project_id, shard, change);
-- Every search reads the whole list of pending entries, so the list is kept short.
CREATE INDEX user_search_grams ON user_search USING gin (search_grams(project_id, search_text))
    WITH (fastupdate = on, gin_pending_list_limit = 256);
-- No plan needs statistics of the grams, and gathering them is expensive.
ALTER INDEX user_search_grams ALTER COLUMN 1 SET STATISTICS 0;

CREATE FUNCTION add_users() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    WITH counted AS (
        INSERT INTO counts AS kept (project_id, shard, users, changes)
        SELECT project_id, pg_backend_pid() % 32, count(*), count(*)
        FROM changed
        GROUP BY project_id
        ORDER BY project_id
        ON CONFLICT (project_id, shard) DO UPDATE
            SET users = kept.users + excluded.users, changes = kept.changes + excluded.changes
        RETURNING project_id, shard, changes)
    INSERT INTO user_search (project_id, id, shard, change, search_text)
    SELECT project_id, id, shard, changes - row_number() OVER (PARTITION BY project_id) + 1,
           search_text(email, display_name)
    FROM changed JOIN counted USING (project_id);
    RETURN NULL;
END $$;

CREATE FUNCTION remove_users() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO counts AS kept (project_id, shard, users, changes)
    SELECT project_id, pg_backend_pid() % 32, -count(*), count(*)
    FROM changed
    GROUP BY project_id
    ORDER BY project_id
    ON CONFLICT (project_id, shard) DO UPDATE
        SET users = kept.users + excluded.users, changes = kept.changes + excluded.changes;
    RETURN NULL;
END $$;

CREATE FUNCTION rename_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO counts AS kept (project_id, shard, changes)
    VALUES (NEW.project_id, pg_backend_pid() % 32, 1)
    ON CONFLICT (project_id, shard) DO UPDATE SET changes = kept.changes + 1;
    UPDATE user_search SET search_text = search_text(NEW.email, NEW.display_name)
    WHERE project_id = NEW.project_id AND id = NEW.id;
    RETURN NULL;
END $$;

CREATE TRIGGER users_inserted AFTER INSERT ON users
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION add_users();
CREATE TRIGGER users_deleted AFTER DELETE ON users
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION remove_users();
CREATE TRIGGER users_renamed AFTER UPDATE OF email, display_name ON users
    FOR EACH ROW WHEN ((OLD.email, OLD.display_name) IS DISTINCT FROM (NEW.email, NEW.display_name))
    EXECUTE FUNCTION rename_user();


-- Mail ----------------------------------------------------------------------------------------------------------------

-- Requests for a code by mail, and the code. The first request for an address creates its row, whether or not a user
-- has the address, so that nothing about a row shows which addresses have an account. The code is added when the mail
-- is sent, and is bound to the user who received it.
CREATE TABLE email_codes (
    project_id    uuid         NOT NULL REFERENCES projects,
    email_hash    bytea        NOT NULL,
    purpose       text         NOT NULL CHECK (purpose IN ('verification', 'password_reset')),
    requested_at  timestamptz  NOT NULL,              -- the last request that was granted
    window_start  timestamptz  NOT NULL,
    requests      integer      NOT NULL,              -- granted since window_start
    user_id       uuid,
    code_hash     bytea,                              -- keyed; null: not sent yet, or already used
    expires_at    timestamptz,
    tries         integer      NOT NULL DEFAULT 0,
    PRIMARY KEY (project_id, email_hash, purpose),
    CHECK (code_hash IS NULL OR (user_id IS NOT NULL AND expires_at IS NOT NULL))
);
CREATE INDEX email_codes_by_age ON email_codes (requested_at);

-- The outbox of mails. The recipient and the code are determined when the mail is sent.
CREATE TABLE mails (
    project_id       uuid         NOT NULL REFERENCES projects,
    id               uuid         NOT NULL,
    purpose          text         NOT NULL CHECK (purpose IN ('verification', 'password_reset')),
    email            text         NOT NULL,
    language         text         NOT NULL,
    created_at       timestamptz  NOT NULL,
    attempts         integer      NOT NULL DEFAULT 0,
    next_attempt_at  timestamptz  NOT NULL,           -- during an attempt: when to consider it lost
    PRIMARY KEY (project_id, id)
);
CREATE INDEX mails_due ON mails (next_attempt_at);
CREATE INDEX mails_of_address ON mails (project_id, email);


-- Webhooks ------------------------------------------------------------------------------------------------------------

-- The endpoints that receive a project's events.
CREATE TABLE webhooks (
    project_id                  uuid         NOT NULL REFERENCES projects,
    id                          uuid         NOT NULL,
    url                         text         NOT NULL,
    events                      text[]       NOT NULL,  -- types of events; '*': all, including future ones
    status                      text         NOT NULL CHECK (status IN ('active', 'disabled')),
    sealed_secret               bytea        NOT NULL,
    sealed_previous_secret      bytea,                  -- signs too, until it expires
    previous_secret_expires_at  timestamptz,
    failing_since               timestamptz,            -- the first failure since the last success
    created_at                  timestamptz  NOT NULL,
    updated_at                  timestamptz  NOT NULL,
    PRIMARY KEY (project_id, id),
    CHECK ((sealed_previous_secret IS NULL) = (previous_secret_expires_at IS NULL))
);

-- The outbox of events. A row is written in the transaction of the change it reports, if an endpoint subscribes to it.
CREATE TABLE webhook_events (
    project_id  uuid         NOT NULL REFERENCES projects,
    id          uuid         NOT NULL,
    type        text         NOT NULL,
    payload     text         NOT NULL,                -- byte for byte as it is sent
    created_at  timestamptz  NOT NULL,
    PRIMARY KEY (project_id, id)
);

-- The delivery of one event to one endpoint; after it, the log entry. A claim updates no indexed column and each page
-- has room for a second version of all its rows (fillfactor), so claiming a backlog writes no index entries.
CREATE TABLE webhook_deliveries (
    project_id       uuid         NOT NULL REFERENCES projects,
    webhook_id       uuid         NOT NULL,
    event_id         uuid         NOT NULL,
    status           text         NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'delivered', 'dead')),
    attempts         integer      NOT NULL DEFAULT 0,
    next_attempt_at  timestamptz,                     -- null: not waiting any more
    claimed_until    timestamptz,                     -- during an attempt: when to consider it lost
    created_at       timestamptz  NOT NULL,
    attempted_at     timestamptz,                     -- this and the rest: of the last attempt
    response_status  integer,
    response_body    text,                            -- its beginning
    duration_millis  integer,
    error            text,                            -- why there was no response
    PRIMARY KEY (project_id, webhook_id, event_id),
    CHECK ((status = 'waiting') = (next_attempt_at IS NOT NULL))
) WITH (fillfactor = 50);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (project_id, webhook_id, next_attempt_at)
    WHERE next_attempt_at IS NOT NULL;
-- For the log of dead deliveries. There is no index by status: webhook_deliveries_due has all that wait, and nearly all
-- others are delivered.
CREATE INDEX webhook_deliveries_dead ON webhook_deliveries (project_id, webhook_id, event_id) WHERE status = 'dead';

-- How many deliveries of an endpoint are finished, so that a total only has to count those that wait. The statements
-- that finish or retry deliveries keep it, endpoints in the order of their keys so that they cannot deadlock. A trigger
-- counts removals, which have several causes and are never on an event's path.
CREATE TABLE webhook_delivery_counts (
    project_id  uuid    NOT NULL REFERENCES projects,
    webhook_id  uuid    NOT NULL,
    delivered   bigint  NOT NULL,
    dead        bigint  NOT NULL,
    PRIMARY KEY (project_id, webhook_id)
) WITH (fillfactor = 50);

-- A row with nothing left to count is removed: a deleted endpoint's row goes with the last of its log.
CREATE FUNCTION count_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO webhook_delivery_counts AS kept (project_id, webhook_id, delivered, dead)
    SELECT project_id, webhook_id,
           count(*) FILTER (WHERE status = 'delivered') * TG_ARGV[0]::integer,
           count(*) FILTER (WHERE status = 'dead') * TG_ARGV[0]::integer
    FROM changed
    WHERE status <> 'waiting'
    GROUP BY project_id, webhook_id
    ORDER BY project_id, webhook_id
    ON CONFLICT (project_id, webhook_id) DO UPDATE
    SET delivered = kept.delivered + excluded.delivered, dead = kept.dead + excluded.dead;
    IF TG_OP = 'DELETE' THEN
        DELETE FROM webhook_delivery_counts
        WHERE (project_id, webhook_id) IN (SELECT project_id, webhook_id FROM changed)
          AND delivered = 0 AND dead = 0;
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER webhook_deliveries_deleted AFTER DELETE ON webhook_deliveries
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_deliveries('-1');


-- OAuth ---------------------------------------------------------------------------------------------------------------

-- The identity providers that a project has configured.
CREATE TABLE identity_providers (
    project_id            uuid         NOT NULL REFERENCES projects,
    provider              text         NOT NULL,      -- its name in the catalogue
    client_id             text         NOT NULL,
    sealed_client_secret  bytea        NOT NULL,
    enabled               boolean      NOT NULL,
    scopes                text[],                     -- null: those of the catalogue
    oauth_flow            text         NOT NULL CHECK (oauth_flow IN ('auto', 'popup', 'redirect')),
    issuer                text,                       -- only for the generic OpenID Connect provider
    tenant                text,                       -- only for Microsoft
    team_id               text,                       -- only for Apple
    key_id                text,                       -- only for Apple
    store_tokens          boolean      NOT NULL DEFAULT false,  -- whether to keep the provider's tokens, sealed
    created_at            timestamptz  NOT NULL,
    updated_at            timestamptz  NOT NULL,
    PRIMARY KEY (project_id, provider)
);

-- Which account at an identity provider belongs to which user.
CREATE TABLE identities (
    project_id     uuid         NOT NULL,
    provider       text         NOT NULL,
    subject        text         NOT NULL,
    user_id        uuid         NOT NULL,
    created_at     timestamptz  NOT NULL,
    sealed_tokens  bytea,                             -- of the provider, where the project stores them
    PRIMARY KEY (project_id, provider, subject),
    FOREIGN KEY (project_id, user_id) REFERENCES users ON DELETE CASCADE
);
CREATE UNIQUE INDEX identities_of_user ON identities (project_id, user_id, provider);
-- For sealing the tokens again when the master secret rotates.
CREATE INDEX identities_with_tokens ON identities (project_id, provider, subject) WHERE sealed_tokens IS NOT NULL;

-- Sign-ins at a provider that are in progress, from the request for the authorization URL until the client has fetched
-- the outcome. Only the browser knows the state itself.
CREATE TABLE oauth_states (
    project_id      uuid         NOT NULL REFERENCES projects,
    state_hash      bytea        NOT NULL,
    provider        text         NOT NULL,
    redirect_uri    text         NOT NULL,
    flow            text         NOT NULL CHECK (flow IN ('client', 'popup', 'redirect')),  -- client: gets the code
    return_to       text,
    code_challenge  text,                             -- of the client's verifier; null: the server has the verifier
    asked_from      bytea,                            -- the client's network; null: a back end, which checks it itself
    user_id         uuid,                             -- who links the provider, or who has signed in
    outcome         text         CHECK (outcome IN ('claimed', 'completed', 'failed')),  -- null: no callback yet
    session_id      uuid,
    message         text,                             -- why it failed
    expires_at      timestamptz  NOT NULL,
    PRIMARY KEY (project_id, state_hash),
    FOREIGN KEY (project_id, user_id) REFERENCES users ON DELETE CASCADE,
    CHECK ((outcome = 'completed') = (session_id IS NOT NULL)),
    CHECK (flow <> 'redirect' OR return_to IS NOT NULL)
);
CREATE INDEX oauth_states_by_expiry ON oauth_states (expires_at);
CREATE INDEX oauth_states_of_user ON oauth_states (project_id, user_id) WHERE user_id IS NOT NULL;
