-- The whole schema, a section for each noun.
--
-- Every primary key begins with the project, and nothing is unique across projects, so that the schema can be sharded
-- by project. A foreign key to projects never cascades: deleting a project hides it at once, and a background job
-- removes its rows in batches. Timestamps have no default: the server passes the time of its own clock. A column whose
-- kinds later releases will extend has no CHECK.


-- Projects ------------------------------------------------------------------------------------------------------------

CREATE TABLE projects (
    id                              uuid         PRIMARY KEY,
    name                            text         NOT NULL,
    slug                            text         NOT NULL,
    environment                     text         NOT NULL CHECK (environment IN ('live', 'test')),
    allowed_origins                 text[]       NOT NULL DEFAULT '{}',

    -- Pages of the application
    callback_url                    text,
    password_reset_url              text,          -- takes the link of a reset mail; null: no link
    email_undo_url                  text,          -- takes the token of a notice; null: no link
    magic_link_url                  text,          -- takes the token of a link that signs in; null: callback_url

    -- Tokens and sessions
    access_token_ttl_seconds        integer,       -- null: 900 in Variant A, 3600 in Variant B
    refresh_token_ttl_seconds       integer      NOT NULL DEFAULT 604800,
    max_session_lifetime_seconds    integer      NOT NULL DEFAULT 7776000,  -- however often it is refreshed
    max_concurrent_sessions         integer      NOT NULL DEFAULT 5,
    longer_tokens_until             timestamptz,   -- until then there may be tokens of a lifetime that was longer once

    -- Ways to sign in
    password_enabled                boolean      NOT NULL DEFAULT true,
    passwordless_enabled            boolean      NOT NULL DEFAULT true,
    passwordless_sign_up            boolean      NOT NULL DEFAULT true,
    sms_enabled                     boolean      NOT NULL DEFAULT false,
    passkeys_enabled                boolean      NOT NULL DEFAULT true,
    passkey_rp_id                   text,          -- the domain that passkeys are bound to; null: of the first origin
    passkey_origins                 text[]       NOT NULL DEFAULT '{}',     -- in addition to allowed_origins
    wallets_enabled                 boolean      NOT NULL DEFAULT false,
    totp_enabled                    boolean      NOT NULL DEFAULT true,
    mfa_required_since              timestamptz,   -- null: users need no second factor
    require_email_verification      boolean      NOT NULL DEFAULT false,

    -- Bots
    captcha_demand                  text         NOT NULL DEFAULT 'pressure'
        CHECK (captcha_demand IN ('pressure', 'always', 'never')),
    captcha_provider                text         NOT NULL DEFAULT 'proof_of_work'
        CHECK (captcha_provider IN ('proof_of_work', 'turnstile', 'hcaptcha')),
    captcha_site_key                text,          -- of the account with the provider
    disposable_emails               text         NOT NULL DEFAULT 'allow'
        CHECK (disposable_emails IN ('allow', 'flag', 'refuse')),

    -- Accounts
    require_recent_sign_in_seconds  integer      NOT NULL DEFAULT 600,      -- to change ways to sign in; 0: off
    allow_self_deletion             boolean      NOT NULL DEFAULT false,
    security_notices                boolean      NOT NULL DEFAULT true,     -- whether users are told what happens
    locale                          text           -- of mails; null: the client's Accept-Language decides
        CHECK (locale IN ('en', 'ko', 'ja', 'zh', 'de', 'fr', 'es', 'pt')),
    -- ISO 3166-1: where a phone number without a country code belongs; null: every number needs one
    default_country                 text           CHECK (default_country ~ '^[A-Z]{2}$'),

    dynamic_registration            boolean      NOT NULL DEFAULT false,    -- whether OAuth clients register themselves
    client_metadata_documents       boolean      NOT NULL DEFAULT true,     -- whether the id of one can be a URL
    document_clients_end_as         uuid         NOT NULL DEFAULT gen_random_uuid(),  -- all those that there are now, at once

    -- Organizations
    organization_creation           text         NOT NULL DEFAULT 'users'
        CHECK (organization_creation IN ('users', 'management')),
    organizations_per_user          integer      NOT NULL DEFAULT 10,       -- that a user can create
    organization_max_members        integer      NOT NULL DEFAULT 100,      -- that users can give an organization
    organization_invitation_url     text,          -- takes the token of an invitation; null: callback_url
    organization_roles              jsonb        NOT NULL DEFAULT '{}',     -- {role: [permission, …]}

    -- Where the project is, of several databases. Each of them has a row of it at most; those where it is not say where
    -- it is. A row that arrives says where from, until that database has given it up.
    shard                           text,          -- null: here
    arrives                         boolean      NOT NULL DEFAULT false CHECK (NOT arrives OR shard IS NOT NULL),
    leaves_until                    timestamptz,   -- a move copies it, and nobody else may change it before that
    has_left_rows                   boolean      NOT NULL DEFAULT false,    -- a move has left them, and they are being removed

    created_at                      timestamptz  NOT NULL,
    updated_at                      timestamptz  NOT NULL,
    deleted_at                      timestamptz    -- if set, it is hidden and its rows are being removed
);
CREATE UNIQUE INDEX projects_by_slug ON projects (slug) WHERE deleted_at IS NULL;
CREATE INDEX projects_deleted ON projects (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX projects_in_motion ON projects (id) WHERE leaves_until IS NOT NULL OR arrives OR has_left_rows;
CREATE INDEX projects_elsewhere ON projects (shard) WHERE shard IS NOT NULL;

-- The projects of which this database sends nothing, though it may have rows: those that leave it, have left it, or have not
-- arrived yet. A statement asks once, not for each row: <> ALL ((SELECT projects_not_here())::uuid[]).
CREATE FUNCTION projects_not_here() RETURNS uuid[] LANGUAGE sql STABLE AS $$
    SELECT ARRAY(
        SELECT id FROM projects
        WHERE (leaves_until IS NOT NULL OR arrives OR has_left_rows)
          AND (shard IS NOT NULL OR leaves_until > clock_timestamp()))
$$;

-- The built-in system project. Its users are the dashboard users.
INSERT INTO projects (id, name, slug, environment, organization_creation, created_at, updated_at)
VALUES ('00000000-0000-7000-8000-000000000000', 'Vestibule', 'vestibule', 'live', 'management', now(), now());

-- Slugs that projects had, which no other project gets for a while: links to a project's page live on in mails and
-- bookmarks, and must not lead to a stranger's page. Kept under the system project, since their own may be gone.
CREATE TABLE retired_slugs (
    project_id  uuid         NOT NULL,
    slug        text         NOT NULL,
    retired_at  timestamptz  NOT NULL,
    leads_to    uuid,                                  -- the project that has another slug now; null if it is deleted
    PRIMARY KEY (project_id, slug)
);
CREATE INDEX retired_slugs_by_age ON retired_slugs (retired_at);

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
    border_radius        integer,
    show_email_password  boolean,
    show_divider         boolean,
    show_secured_by      boolean,
    provider_order       text[],                      -- order of providers on login pages; null: the catalogue's
    hidden_providers     text[],                      -- not on login pages, nor are those that clients do not know
    terms_url            text,
    privacy_url          text,
    logo_data_url        text,
    custom_css           text                         -- checked when it is written: login pages use it unchanged
);

-- The texts of mails and SMS that a project has written itself: those parts that differ from the server's.
CREATE TABLE message_texts (
    project_id  uuid   NOT NULL REFERENCES projects,
    message     text   NOT NULL,                       -- what the server's phrases begin with, or sms
    language    text   NOT NULL,
    texts       jsonb  NOT NULL,                       -- by part
    PRIMARY KEY (project_id, message, language)
);

-- The activity in a project, by the hour. Nodes add to a row every few seconds, so there is room for a second version.
CREATE TABLE project_statistics (
    project_id          uuid         NOT NULL REFERENCES projects,
    hour                timestamptz  NOT NULL,         -- its beginning
    sign_ups            bigint       NOT NULL,
    sign_ins            bigint       NOT NULL,
    failed_sign_ins     bigint       NOT NULL,
    webhooks_delivered  bigint       NOT NULL,
    webhooks_failed     bigint       NOT NULL,
    active_users        bytea        NOT NULL,         -- hashes of up to 127 users (8 bytes each), or a sketch of 1 KiB
    PRIMARY KEY (project_id, hour)
) WITH (fillfactor = 50);
CREATE INDEX project_statistics_by_hour ON project_statistics (hour);

-- The changes of cached data. Every node reads what became visible since it last read, several times a second, and
-- drops those projects from its caches. Rows are kept for some minutes. No foreign key to projects: the change that
-- deletes a project must outlive it.
CREATE TABLE project_changes (
    project_id      uuid         NOT NULL,
    transaction_id  xid8         NOT NULL,             -- of the change
    changed_at      timestamptz  NOT NULL DEFAULT now(),
    PRIMARY KEY (project_id, transaction_id)
);
CREATE INDEX project_changes_by_transaction ON project_changes (transaction_id);


-- Keys and tokens of a project ----------------------------------------------------------------------------------------

CREATE TABLE api_keys (
    project_id    uuid         NOT NULL REFERENCES projects,
    id            uuid         NOT NULL,
    kind          text         NOT NULL CHECK (kind IN ('publishable', 'secret')),
    name          text,                               -- says which deployment uses it; null: none was given
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
    -- RS256 signs only what OpenID Connect clients get, and a project has such a key once it has such a client
    algorithm           text         NOT NULL DEFAULT 'ES256' CHECK (algorithm IN ('ES256', 'RS256')),
    public_jwk          jsonb        NOT NULL,
    sealed_private_jwk  bytea,                        -- null: retired, it verifies only ID tokens
    created_at          timestamptz  NOT NULL,
    PRIMARY KEY (project_id, id)
);
CREATE INDEX signing_keys_newest ON signing_keys (project_id, created_at);

-- What a project adds to access tokens: claims from fields and metadata of the user, and fixed ones.
CREATE TABLE jwt_templates (
    project_id                uuid         NOT NULL REFERENCES projects,
    id                        uuid         NOT NULL,
    name                      text         NOT NULL,
    is_default                boolean      NOT NULL,  -- its claims are in every access token of the project
    claims                    jsonb        NOT NULL,  -- {"claims": [{"key", "source" or "value"}, …]}
    allowed_lifetime_seconds  integer,                -- of tokens requested by its name; null: the project's
    created_at                timestamptz  NOT NULL,
    updated_at                timestamptz  NOT NULL,
    PRIMARY KEY (project_id, id),
    UNIQUE (project_id, name)
);
CREATE UNIQUE INDEX jwt_templates_default ON jwt_templates (project_id) WHERE is_default;


-- Users ---------------------------------------------------------------------------------------------------------------

CREATE TABLE users (
    project_id        uuid         NOT NULL REFERENCES projects,
    id                uuid         NOT NULL,
    external_id       text,                           -- the application's own id of the user; null: none
    email             text,                           -- null: the user has none
    email_verified    boolean      NOT NULL DEFAULT false,
    phone             text,
    phone_verified    boolean      NOT NULL DEFAULT false,
    display_name      text,
    avatar_url        text,
    public_metadata   jsonb,
    private_metadata  jsonb,                          -- this and the external id are read by the application's servers only
    is_banned         boolean      NOT NULL DEFAULT false,
    password_hash     text,                           -- a PHC string; null: no password

    -- The account's second factors, here because a sign in reads and compares this row anyway: 'totp' for one-time
    -- passwords, and 'passkey <domain>' for passkeys that have verified the user, once for each domain that they are
    -- bound to. Sorted, so that equal sets are equal arrays.
    second_factors    text[]       NOT NULL DEFAULT '{}',

    -- When the time to set up a second factor began, if that was before the account was created: the person had an
    -- earlier account with the same email, number or identity. Null for all others.
    enrolment_from    timestamptz,

    sign_in_count     integer      NOT NULL DEFAULT 0,
    last_sign_in_at   timestamptz,
    created_at        timestamptz  NOT NULL,
    updated_at        timestamptz  NOT NULL,
    PRIMARY KEY (project_id, id),
    UNIQUE (project_id, email)
);
CREATE UNIQUE INDEX users_by_external_id ON users (project_id, external_id) WHERE external_id IS NOT NULL;
-- Finds the user of a number. Not unique: imports may bring a number that an application has verified for several
-- users, and nobody can say whose it is. A number that several users have cannot sign in.
CREATE INDEX users_by_verified_phone ON users (project_id, phone) WHERE phone_verified;
-- Finds the users whom requireEmailVerification would keep from signing in, without reading a project's other users.
CREATE INDEX users_to_verify ON users (project_id) WHERE NOT email_verified AND password_hash IS NOT NULL;

-- The imported password hash of a project that takes longest to verify. Failed sign ins of all its users take as long,
-- so that time does not reveal which emails were imported. Also the memory that the largest of them takes, on
-- the heap (scrypt) and outside it (Argon2): a node that has less for hashes verifies none of them, and answers all
-- failed sign ins of the project alike, so that the refusal does not reveal it either.
CREATE TABLE dearest_imports (
    project_id    uuid    PRIMARY KEY REFERENCES projects,
    kind          text    NOT NULL,                   -- algorithm and parameters, without salt and hash
    usual_micros  bigint  NOT NULL,                   -- about how long it takes, until a node has measured it
    heap_kib      bigint  NOT NULL DEFAULT 0,
    native_kib    bigint  NOT NULL DEFAULT 0
);


-- Organizations -------------------------------------------------------------------------------------------------------

-- A change of an organization or its members holds the lock of its row, which comes after those of users and
-- sessions.
CREATE TABLE organizations (
    project_id    uuid         NOT NULL REFERENCES projects,
    id            uuid         NOT NULL,
    name          text         NOT NULL,
    slug          text         NOT NULL,
    logo_url      text,
    metadata      jsonb,                              -- of the application; members with the permission can change it
    max_members   integer      NOT NULL,
    member_count  integer      NOT NULL,              -- the statements that add and remove members keep it
    created_by    uuid         NOT NULL,              -- no foreign key: the organization outlives the user
    search_text   text         NOT NULL COLLATE "C",  -- slug and name, folded
    created_at    timestamptz  NOT NULL,
    updated_at    timestamptz  NOT NULL,
    PRIMARY KEY (project_id, id),
    UNIQUE (project_id, slug)
);
-- Includes the text: a search walks along the index.
CREATE INDEX organizations_newest ON organizations (project_id, created_at, id) INCLUDE (search_text);
CREATE INDEX organizations_by_creator ON organizations (project_id, created_by);

CREATE TABLE organization_members (
    project_id       uuid         NOT NULL,
    organization_id  uuid         NOT NULL,
    user_id          uuid         NOT NULL,
    role             text         NOT NULL,           -- one that the project no longer has gives no permission
    created_at       timestamptz  NOT NULL,
    token_id         uuid         NOT NULL DEFAULT gen_random_uuid(), -- in tokens for the organization; new with each role
    PRIMARY KEY (project_id, organization_id, user_id),
    FOREIGN KEY (project_id, organization_id) REFERENCES organizations ON DELETE CASCADE,
    FOREIGN KEY (project_id, user_id) REFERENCES users ON DELETE CASCADE
);
CREATE INDEX organization_members_of_user ON organization_members (project_id, user_id, created_at);
CREATE INDEX organization_members_oldest ON organization_members (project_id, organization_id, created_at, user_id);
CREATE INDEX organization_owners ON organization_members (project_id, organization_id) WHERE role = 'owner';

-- Whom somebody else has removed, or a directory has said to be inactive: neither a domain nor a connection makes them
-- members again, only those who add or invite them.
CREATE TABLE organization_removals (
    project_id       uuid         NOT NULL,
    organization_id  uuid         NOT NULL,
    user_id          uuid         NOT NULL,
    created_at       timestamptz  NOT NULL,
    PRIMARY KEY (project_id, organization_id, user_id),
    FOREIGN KEY (project_id, organization_id) REFERENCES organizations ON DELETE CASCADE,
    FOREIGN KEY (project_id, user_id) REFERENCES users ON DELETE CASCADE
);
CREATE INDEX organization_removals_of_user ON organization_removals (project_id, user_id);

CREATE TABLE organization_invitations (
    project_id       uuid         NOT NULL,
    id               uuid         NOT NULL,
    organization_id  uuid         NOT NULL,
    email            text         NOT NULL,
    role             text         NOT NULL,
    status           text         NOT NULL CHECK (status IN ('pending', 'accepted', 'rejected')),
    invited_by       uuid         NOT NULL,           -- a user, an API key or a dashboard user
    mail_id          uuid         NOT NULL,           -- of the last mail, which alone gets a token
    token_hash       bytea,                           -- SHA-256; null: not sent yet, or used
    created_at       timestamptz  NOT NULL,
    expires_at       timestamptz  NOT NULL,
    PRIMARY KEY (project_id, id),
    FOREIGN KEY (project_id, organization_id) REFERENCES organizations ON DELETE CASCADE
);
CREATE UNIQUE INDEX organization_invitations_pending ON organization_invitations (project_id, organization_id, email)
    WHERE status = 'pending';
CREATE UNIQUE INDEX organization_invitations_by_token ON organization_invitations (project_id, token_hash)
    WHERE token_hash IS NOT NULL;
CREATE INDEX organization_invitations_by_mail ON organization_invitations (project_id, mail_id);
CREATE INDEX organization_invitations_newest ON organization_invitations (project_id, organization_id, created_at, id);
CREATE INDEX organization_invitations_by_expiry ON organization_invitations (expires_at);

CREATE TABLE organization_domains (
    project_id       uuid         NOT NULL,
    id               uuid         NOT NULL,
    organization_id  uuid         NOT NULL,
    domain           text         NOT NULL,           -- as in emails
    proof            text         NOT NULL,           -- what the DNS record contains
    -- for users with an email of the domain: none, suggest, join, sso_required
    policy           text         NOT NULL,
    policy_since     timestamptz  NOT NULL DEFAULT now(),
    verified_at      timestamptz,                     -- null: not proven, or no longer
    failing_since    timestamptz,                     -- since when the record of a proven domain is gone
    next_check_at    timestamptz,                     -- of the record
    created_at       timestamptz  NOT NULL,
    PRIMARY KEY (project_id, id),
    UNIQUE (project_id, organization_id, domain),
    FOREIGN KEY (project_id, organization_id) REFERENCES organizations ON DELETE CASCADE
);
CREATE UNIQUE INDEX organization_domains_verified ON organization_domains (project_id, domain)
    WHERE verified_at IS NOT NULL;
CREATE INDEX organization_domains_due ON organization_domains (next_check_at) WHERE verified_at IS NOT NULL;
CREATE INDEX organization_domains_with_sso ON organization_domains (project_id, organization_id)
    WHERE policy = 'sso_required';

-- The link with which an organization's own administrator sets up single sign-on without an account. A new one ends the
-- last.
CREATE TABLE organization_setup_links (
    project_id       uuid         NOT NULL,
    organization_id  uuid         NOT NULL,
    token_hash       bytea        NOT NULL,           -- SHA-256
    created_at       timestamptz  NOT NULL,
    expires_at       timestamptz  NOT NULL,
    created_by       uuid,                            -- the member whose role says what the link allows; null: management
    manager          uuid,                            -- for that: the secret key, or the member of the project
    PRIMARY KEY (project_id, organization_id),
    FOREIGN KEY (project_id, organization_id) REFERENCES organizations ON DELETE CASCADE
);
CREATE UNIQUE INDEX organization_setup_links_by_token ON organization_setup_links (project_id, token_hash);
CREATE INDEX organization_setup_links_by_expiry ON organization_setup_links (expires_at);
CREATE INDEX organization_setup_links_of_maker ON organization_setup_links (project_id, created_by) WHERE created_by IS NOT NULL;


-- Directories ---------------------------------------------------------------------------------------------------------

-- From which an organization's identity provider provisions its members (SCIM).
CREATE TABLE directories (
    project_id       uuid         NOT NULL,
    id               uuid         NOT NULL,
    organization_id  uuid         NOT NULL,
    name             text         NOT NULL,
    enabled          boolean      NOT NULL,
    group_roles      jsonb        NOT NULL,           -- {name of a group: role of its members}
    user_count       integer      NOT NULL DEFAULT 0, -- at least as many as it has; counted again at the limit
    created_at       timestamptz  NOT NULL,
    updated_at       timestamptz  NOT NULL,
    PRIMARY KEY (project_id, id),
    FOREIGN KEY (project_id, organization_id) REFERENCES organizations ON DELETE CASCADE
);
CREATE INDEX directories_of_organization ON directories (project_id, organization_id, created_at, id);

CREATE TABLE directory_tokens (
    project_id    uuid         NOT NULL,
    id            uuid         NOT NULL,
    directory_id  uuid         NOT NULL,
    token_hash    bytea        NOT NULL,              -- of 192 random bits, so a plain hash will do
    ending        text         NOT NULL,              -- the last characters, to tell two apart
    created_at    timestamptz  NOT NULL,
    last_used_at  timestamptz,                        -- the hour
    PRIMARY KEY (project_id, id),
    UNIQUE (project_id, token_hash),
    FOREIGN KEY (project_id, directory_id) REFERENCES directories ON DELETE CASCADE
);
CREATE INDEX directory_tokens_of_directory ON directory_tokens (project_id, directory_id);

-- A user whom a directory has provisioned. They are active while they are a member of the organization.
CREATE TABLE directory_users (
    project_id     uuid         NOT NULL,
    directory_id   uuid         NOT NULL,
    user_id        uuid         NOT NULL,
    user_name      text         NOT NULL,
    user_name_key  text         NOT NULL,              -- in lower case
    external_id    text,
    texts          jsonb        NOT NULL,              -- {attribute: text in lower case}, for filters
    emails         text[]       NOT NULL,              -- in lower case, for filters
    attributes     jsonb        NOT NULL,              -- as the directory sent them
    email          text         NOT NULL,              -- the one that the directory wants the account to have
    is_made        boolean      NOT NULL,              -- by this directory; the account was not there before
    is_wanted      boolean      NOT NULL DEFAULT true, -- false if it said last that they are inactive
    group_role     text,                               -- that groups gave last
    created_at     timestamptz  NOT NULL,
    updated_at     timestamptz  NOT NULL,
    PRIMARY KEY (project_id, directory_id, user_id),
    UNIQUE (project_id, directory_id, user_name_key),
    FOREIGN KEY (project_id, directory_id) REFERENCES directories ON DELETE CASCADE,
    FOREIGN KEY (project_id, user_id) REFERENCES users ON DELETE CASCADE
);
CREATE INDEX directory_users_by_external_id ON directory_users (project_id, directory_id, external_id);
CREATE INDEX directory_users_of_user ON directory_users (project_id, user_id);

CREATE TABLE directory_groups (
    project_id    uuid         NOT NULL,
    directory_id  uuid         NOT NULL,
    id            uuid         NOT NULL,
    name          text         NOT NULL,
    name_key      text         NOT NULL,              -- in lower case
    external_id   text,
    created_at    timestamptz  NOT NULL,
    updated_at    timestamptz  NOT NULL,
    PRIMARY KEY (project_id, directory_id, id),
    FOREIGN KEY (project_id, directory_id) REFERENCES directories ON DELETE CASCADE
);
CREATE INDEX directory_groups_by_name ON directory_groups (project_id, directory_id, name_key);

CREATE TABLE directory_group_members (
    project_id    uuid         NOT NULL,
    directory_id  uuid         NOT NULL,
    group_id      uuid         NOT NULL,
    user_id       uuid         NOT NULL,              -- a user of the directory
    PRIMARY KEY (project_id, directory_id, group_id, user_id),
    FOREIGN KEY (project_id, directory_id, group_id) REFERENCES directory_groups ON DELETE CASCADE,
    FOREIGN KEY (project_id, user_id) REFERENCES users ON DELETE CASCADE
);
CREATE INDEX directory_group_members_of_user ON directory_group_members (project_id, user_id, directory_id);


-- Members of a project ------------------------------------------------------------------------------------------------

-- Which projects a dashboard user works on.
CREATE TABLE memberships (
    project_id  uuid         NOT NULL REFERENCES projects,
    user_id     uuid         NOT NULL,                -- a user of the system project
    role        text         NOT NULL CHECK (role IN ('owner', 'developer', 'support', 'viewer')),
    created_at  timestamptz  NOT NULL,
    PRIMARY KEY (project_id, user_id)
);
CREATE INDEX memberships_of_user ON memberships (user_id, project_id);

-- People who are invited to a project and have not accepted yet, which takes a token that was mailed to them. Separate
-- from memberships, so that nothing can mistake an invited person for a member. The key begins with the project, which
-- the token names.
CREATE TABLE invitations (
    project_id  uuid         NOT NULL REFERENCES projects,
    id          uuid         NOT NULL,
    email       text         NOT NULL,
    role        text         NOT NULL CHECK (role IN ('owner', 'developer', 'support', 'viewer')),
    invited_by  uuid         NOT NULL,                -- a dashboard user
    token_hash  bytea,                                -- keyed; null: the mail with the token was not sent yet
    created_at  timestamptz  NOT NULL,
    expires_at  timestamptz  NOT NULL,
    PRIMARY KEY (project_id, id),
    UNIQUE (project_id, email)
);
CREATE INDEX invitations_by_expiry ON invitations (expires_at);


-- Sessions ------------------------------------------------------------------------------------------------------------

-- Signing out, revoking and evicting delete the row, so a session is live if its row exists and has not expired. A
-- refresh moves a session's end: it changes no indexed column, and with some room in the page it stays in its page (HOT).
CREATE TABLE sessions (
    project_id        uuid         NOT NULL,
    id                uuid         NOT NULL,
    user_id           uuid         NOT NULL,
    -- The variant of the public API, whose refresh alone accepts its token; null: the first refresh of an
    -- impersonator's session decides
    variant           text         CHECK (variant IN ('A', 'B')),
    user_agent        text,
    ip_address        text,
    country           text,
    generation        integer      NOT NULL DEFAULT 0,  -- of the refresh token that is valid now
    rotated_at        timestamptz  NOT NULL,            -- when that refresh token was issued
    authenticated_at  timestamptz  NOT NULL,            -- when the person last proved who they are
    amr               text[]       NOT NULL,            -- and by what (RFC 8176)
    impersonator_id   uuid,                             -- the dashboard user who acts as the user
    organization_id   uuid,                             -- that its tokens are for, while the user is a member
    browser_id        uuid,                             -- the first session of its browser, if it shares its sign in
    ends_at           timestamptz,                      -- however often it is refreshed
    created_at        timestamptz  NOT NULL,
    last_active_at    timestamptz  NOT NULL,
    expires_at        timestamptz  NOT NULL,
    -- Not after expires_at. Maintenance looks at a session at this time, and removes it or moves this time to the
    -- session's end.
    sweep_at          timestamptz  NOT NULL,
    PRIMARY KEY (project_id, id),
    FOREIGN KEY (project_id, user_id) REFERENCES users ON DELETE CASCADE,
    CHECK (variant IS NOT NULL OR impersonator_id IS NOT NULL),
    CHECK (impersonator_id IS NULL OR ends_at IS NOT NULL)
) WITH (fillfactor = 80);
CREATE INDEX sessions_of_user ON sessions (project_id, user_id, created_at);
CREATE INDEX sessions_to_sweep ON sessions (sweep_at, project_id);
-- Holds only those few, so that it costs other sessions nothing.
CREATE INDEX sessions_by_impersonator ON sessions (impersonator_id, project_id) WHERE impersonator_id IS NOT NULL;


-- Failed sign-ins and wrong codes -------------------------------------------------------------------------------------

-- Failed sign-ins by the hash of the email that was tried, whether or not a user has that email.
CREATE TABLE sign_in_failures (
    project_id    uuid         NOT NULL REFERENCES projects,
    email_hash    bytea        NOT NULL,
    failures      integer      NOT NULL,              -- since window_start
    window_start  timestamptz  NOT NULL,
    locked_until  timestamptz,
    locked_by     uuid,                               -- the audit log's entry of the failure that began the lock
    PRIMARY KEY (project_id, email_hash)
);
CREATE INDEX sign_in_failures_by_age ON sign_in_failures (window_start);

-- How many of the failed sign-ins of an email came from one network, so that each network has its own number of
-- attempts.
CREATE TABLE sign_in_failures_by_network (
    project_id    uuid         NOT NULL,
    email_hash    bytea        NOT NULL,
    network_hash  bytea        NOT NULL,              -- as in sign_in_networks
    failures      integer      NOT NULL,              -- since window_start
    window_start  timestamptz  NOT NULL,              -- of sign_in_failures when they were counted
    PRIMARY KEY (project_id, email_hash, network_hash),
    FOREIGN KEY (project_id, email_hash) REFERENCES sign_in_failures ON DELETE CASCADE
);

-- The networks from which an account signed in lately. Strangers who guess its password do not lock it there. Wrong
-- codes of a second factor have a budget of their own only in networks where the account signed in with both factors: a
-- password that was reset by mail proves less, and would make every network of anyone who reads the mails a known one.
CREATE TABLE sign_in_networks (
    project_id      uuid         NOT NULL,
    user_id         uuid         NOT NULL,
    network_hash    bytea        NOT NULL,            -- keyed, of project, email or phone, and network
    seen_at         timestamptz  NOT NULL,            -- of a sign in, to the day
    factor_seen_at  timestamptz,                      -- of one with both factors, to the day
    PRIMARY KEY (project_id, user_id, network_hash),
    FOREIGN KEY (project_id, user_id) REFERENCES users ON DELETE CASCADE
);
CREATE INDEX sign_in_networks_by_age ON sign_in_networks (seen_at);

-- What was asked for in windows of time that begin with the first use, counted for all nodes together. Invitations
-- belong to the system project, whose users the inviters are.
--
-- Wrong codes have separate budgets where strangers must not use up the owner's: of a network that the account signed in
-- from lately ('known': the keys of address and network), of the user who asked for a change of email or phone ('asker')
-- and of the address that it goes to ('change'), and of second factors ('totp', 'backup_code': of the user, or of user
-- and network; 'all_totp': of the user, from any network).
CREATE TABLE budgets (
    project_id  uuid         NOT NULL REFERENCES projects,
    kind        text         NOT NULL CHECK (kind IN ('invitations', 'mails', 'registrations', 'sms', 'wrong_codes')),
    scope       text         NOT NULL,                -- what kind of holder, such as a network
    key_hash    bytea        NOT NULL,                -- keyed: of the holder; empty: the whole project
    window_end  timestamptz  NOT NULL,
    used        integer      NOT NULL,                -- in this window
    PRIMARY KEY (project_id, kind, scope, key_hash)
) WITH (fillfactor = 50);
CREATE INDEX budgets_by_age ON budgets (window_end);


-- Second factors ------------------------------------------------------------------------------------------------------

-- One-time passwords from an authenticator app (RFC 6238), as a second factor in addition to the password, and their
-- backup codes.
CREATE TABLE totp_factors (
    project_id      uuid         NOT NULL,
    user_id         uuid         NOT NULL,
    sealed_secret   bytea        NOT NULL,
    backup_codes    bytea[]      NOT NULL,            -- keyed hashes of the remaining ones
    backup_codes_at timestamptz  NOT NULL,            -- when they were created
    created_at      timestamptz  NOT NULL,
    confirmed_at    timestamptz,                      -- null: not confirmed, does not count and expires
    last_step       bigint       NOT NULL DEFAULT 0,  -- the last time step whose code was used: none works twice
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
    amr              text[]       NOT NULL,           -- what had been proved when the token was issued (RFC 8176)
    organization_id  uuid,                            -- whose connection had proved it
    enrols           boolean      NOT NULL,           -- opens no session with a code, but lets the user set up a factor
    account_digest   bytea        NOT NULL,           -- of the password's hash, the email and the phone at that time
    tries            integer      NOT NULL DEFAULT 0,
    expires_at       timestamptz  NOT NULL,
    PRIMARY KEY (project_id, token_hash),
    FOREIGN KEY (project_id, user_id) REFERENCES users ON DELETE CASCADE
);
CREATE INDEX mfa_challenges_of_user ON mfa_challenges (project_id, user_id);
CREATE INDEX mfa_challenges_by_expiry ON mfa_challenges (expires_at);

-- When the time to set up a second factor began for deleted accounts, by keyed hashes of their emails, numbers and
-- identities, so that creating an account again does not restart that time.
CREATE TABLE enrolment_starts (
    project_id  uuid         NOT NULL REFERENCES projects,
    key_hash    bytea        NOT NULL,
    began_at    timestamptz  NOT NULL,
    kept_until  timestamptz  NOT NULL,
    PRIMARY KEY (project_id, key_hash)
);
CREATE INDEX enrolment_starts_by_age ON enrolment_starts (kept_until);


-- Passkeys ------------------------------------------------------------------------------------------------------------

-- The bytes that identify a user to authenticators (user.id of WebAuthn): they do not reveal who it is, and never
-- change.
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
    rp_id            text         NOT NULL,           -- the domain that it is bound to
    credential_id    bytea        NOT NULL,
    aaguid           uuid         NOT NULL,           -- the model of authenticator, as it claims
    public_key       bytea        NOT NULL,           -- COSE_Key (RFC 9052)
    sign_count       bigint       NOT NULL,
    backup_eligible  boolean      NOT NULL,           -- may exist on several devices
    backed_up        boolean      NOT NULL,
    user_verified    boolean      NOT NULL,           -- whether it has ever verified the user, not only presence
    verified_at      timestamptz,                     -- when a use of it first did, which made it a second factor: its owner is told,
                                                      -- and what undoes that removes it; null where the registration did
    name             text,
    created_at       timestamptz  NOT NULL,
    last_used_at     timestamptz,
    PRIMARY KEY (project_id, id),
    UNIQUE (project_id, credential_id),
    FOREIGN KEY (project_id, user_id) REFERENCES users ON DELETE CASCADE
);
CREATE INDEX passkeys_of_user ON passkeys (project_id, user_id);

-- Registrations and sign ins in progress.
CREATE TABLE passkey_challenges (
    project_id      uuid         NOT NULL,
    challenge_hash  bytea        NOT NULL,            -- SHA-256
    user_id         uuid,                             -- who registers, in which session; null for a sign in
    session_id      uuid,
    email_hash      bytea,                            -- keyed; the email that the sign in began with; null: any
    name            text,
    expires_at      timestamptz  NOT NULL,
    PRIMARY KEY (project_id, challenge_hash),
    FOREIGN KEY (project_id, user_id) REFERENCES users ON DELETE CASCADE
);
CREATE INDEX passkey_challenges_of_user ON passkey_challenges (project_id, user_id) WHERE user_id IS NOT NULL;
CREATE INDEX passkey_challenges_by_expiry ON passkey_challenges (expires_at);

-- Wallets of users.
CREATE TABLE wallets (
    project_id   uuid         NOT NULL,
    id           uuid         NOT NULL,
    user_id      uuid         NOT NULL,
    chain        text         NOT NULL CHECK (chain IN ('evm', 'solana')),
    address      text         NOT NULL,               -- with the capitals of EIP-55, or in Base58
    wallet_type  text         NOT NULL,               -- the application, as the client says
    chain_id     integer,                             -- EIP-155, as the client says
    is_contract  boolean      NOT NULL,               -- a contract on that chain (EIP-1271), and not a key
    created_at   timestamptz  NOT NULL,
    PRIMARY KEY (project_id, id),
    UNIQUE (project_id, chain, address),
    FOREIGN KEY (project_id, user_id) REFERENCES users ON DELETE CASCADE
);
CREATE INDEX wallets_of_user ON wallets (project_id, user_id);

-- Messages that wait for the signature of a wallet.
CREATE TABLE wallet_messages (
    project_id    uuid         NOT NULL REFERENCES projects,
    message_hash  bytea        NOT NULL,              -- SHA-256 of chain, address and message
    chain_id      integer,
    expires_at    timestamptz  NOT NULL,
    PRIMARY KEY (project_id, message_hash)
);
CREATE INDEX wallet_messages_by_expiry ON wallet_messages (expires_at);


-- Counts --------------------------------------------------------------------------------------------------------------

-- How many users and sessions (expired ones too, until they are removed) a project has, so that a total needs no scan.
-- Triggers update the counts, so that no statement can forget to. A project has up to 32 rows, and a connection counts
-- in one of them, so that sign-ups of one project do not wait for each other. A project's count is the sum of its rows.
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

-- The email and the name, one per line. Truncated, because an index entry holds at most 2,700 bytes.
CREATE FUNCTION search_text(email text, display_name text) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT left(coalesce(search_fold(email), ''), 300) || E'\n' || left(coalesce(search_fold(display_name), ''), 200)
$$;

-- What the index stores for a text: the hashes of all substrings of two and three characters, and of single characters
-- beyond ASCII. Single ASCII letters match too many users for an index to help. The project is part of the hash, so
-- that each project has its own posting lists.
CREATE FUNCTION search_grams(project_id uuid, text) RETURNS bigint[] LANGUAGE sql IMMUTABLE PARALLEL SAFE COST 1000 AS $$
    SELECT array_agg(hashtextextended(substr($2, n, 2) COLLATE "C", uuid_hash_extended($1, 0)))
        || array_agg(hashtextextended(substr($2, n, 3) COLLATE "C", uuid_hash_extended($1, 0)))
        || array_agg(hashtextextended(substr($2, n, 1) COLLATE "C", uuid_hash_extended($1, 0)))
               FILTER (WHERE ascii(substr($2, n, 1)) > 127)
    FROM generate_series(1, length($2)) AS n
$$;

-- The hashes to look up for a term: those of its longest substrings of up to three characters.
CREATE FUNCTION search_probe(project_id uuid, text) RETURNS bigint[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT array_agg(hashtextextended(substr($2, n, least(length($2), 3)) COLLATE "C", uuid_hash_extended($1, 0)))
    FROM generate_series(1, greatest(length($2) - 2, 1)) AS n
$$;

-- A row for each user, kept by triggers. It is a table of its own so that a sign-in, which updates the user's row,
-- writes neither to it nor to its indexes.
CREATE TABLE user_search (
    project_id   uuid         NOT NULL,
    id           uuid         NOT NULL,
    created_at   timestamptz  NOT NULL,
    shard        smallint     NOT NULL,               -- the row of counts, and its number of changes, that added this
    change       bigint       NOT NULL,               -- user: they find the users added since a total was counted
    search_text  text         NOT NULL COLLATE "C",
    PRIMARY KEY (project_id, id),
    FOREIGN KEY (project_id, id) REFERENCES users ON DELETE CASCADE
) WITH (parallel_workers = 0);                        -- a search is slower with workers: starting them takes longer
-- Lists are ordered by the time of creation, which an id does not reveal: an import may bring ids of any form. Includes
-- the text: a search finds the newest matching users by walking along the index, and counts all matches from it.
CREATE INDEX user_search_newest ON user_search (project_id, created_at, id) INCLUDE (search_text);
CREATE INDEX user_search_changes ON user_search (project_id, shard, change);
-- Every search reads the whole list of pending entries, so the list is kept short.
CREATE INDEX user_search_grams ON user_search USING gin (search_grams(project_id, search_text))
    WITH (fastupdate = on, gin_pending_list_limit = 256);
-- No plan needs statistics of the grams, and gathering them is expensive.
ALTER INDEX user_search_grams ALTER COLUMN 1 SET STATISTICS 0;

CREATE INDEX organizations_grams ON organizations USING gin (search_grams(project_id, search_text))
    WITH (fastupdate = on, gin_pending_list_limit = 256);
ALTER INDEX organizations_grams ALTER COLUMN 1 SET STATISTICS 0;

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
    INSERT INTO user_search (project_id, id, created_at, shard, change, search_text)
    SELECT project_id, id, created_at, shard, changes - row_number() OVER (PARTITION BY project_id) + 1,
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

-- Requests for a code or a link by mail or SMS, and the code. The first request for an address or a number creates its
-- row, whether or not a user has it, so that nothing about a row shows which of them have an account. The code is added
-- when the message is sent, and is bound to the user who received it, unless it signs in.
CREATE TABLE codes (
    project_id      uuid         NOT NULL REFERENCES projects,
    subject_hash    bytea        NOT NULL,              -- keyed; of the address, or of the number and the user who
                                                        -- verifies it. Mails requested from a network that the account
                                                        -- signed in from lately have a row of their own, which mails
                                                        -- that strangers request do not replace, and wrong codes of
                                                        -- strangers do not invalidate
    purpose         text         NOT NULL CHECK (purpose IN (
        'verification', 'password_reset', 'invitation', 'email_change', 'organization_invitation', 'email_otp',
        'magic_link', 'sms_sign_in', 'sms_phone')),
    requested_at    timestamptz  NOT NULL,              -- the last request that was granted
    window_start    timestamptz  NOT NULL,
    requests        integer      NOT NULL,              -- granted since window_start
    message_id      uuid,                               -- of the last request; null: it is only counted, or ended
    user_id         uuid,                               -- who was sent the code, or verifies a number
    code_hash       bytea,                              -- keyed, but of a link; null: not sent yet, or already used
    expires_at      timestamptz,
    tries           integer      NOT NULL DEFAULT 0,
    guesses         integer      NOT NULL DEFAULT 0,    -- since the last request, whether or not one was sent: only
                                                        -- the first of them count against the account
    email           text,                               -- of a link, which does not name it
    signs_up        boolean      NOT NULL,              -- of the last request: whether an address without an account
                                                        -- gets one
    code_signs_up   boolean      NOT NULL DEFAULT false, -- the same of the code that was sent, which outlives a request
                                                        -- that is not mailed
    to_hosted_page  boolean      NOT NULL,              -- whether the link leads there, not to magic_link_url
    browser_hash    bytea,                              -- keyed; of who asked to sign in; null: unknown
    PRIMARY KEY (project_id, subject_hash, purpose),
    CHECK ((code_hash IS NULL) = (expires_at IS NULL)),
    FOREIGN KEY (project_id, user_id) REFERENCES users ON DELETE CASCADE,
    CHECK (code_hash IS NULL OR user_id IS NOT NULL OR purpose IN ('email_otp', 'magic_link', 'sms_sign_in')),
    CHECK ((email IS NULL) = (purpose <> 'magic_link'))
);
CREATE INDEX codes_by_link ON codes (project_id, code_hash) WHERE purpose = 'magic_link';
CREATE INDEX codes_by_age ON codes (requested_at);
CREATE INDEX codes_of_user ON codes (project_id, user_id) WHERE user_id IS NOT NULL;

-- The outbox of mails and SMS. The user and the code are determined when the message is sent.
CREATE TABLE messages (
    project_id       uuid         NOT NULL REFERENCES projects,
    id               uuid         NOT NULL,            -- of a change of email: that of the change
    queue            text         NOT NULL CHECK (queue IN ('codes', 'notices', 'sms')),
    kind             text         NOT NULL,            -- a node sends the kinds that it knows
    recipient        text         NOT NULL,            -- an email, or a number; of a notice: at the time of the change
    language         text         NOT NULL,
    subject_hash     bytea,                            -- the key of the code; null: a notice
    user_id          uuid,                             -- whom a notice tells, or who verifies a number
    sealed_details   bytea,                            -- of a notice: when, from where, and maybe a token
    created_at       timestamptz  NOT NULL,
    attempts         integer      NOT NULL DEFAULT 0,
    next_attempt_at  timestamptz  NOT NULL,            -- during an attempt: when to consider it lost
    PRIMARY KEY (project_id, id),
    FOREIGN KEY (project_id, user_id) REFERENCES users ON DELETE CASCADE,
    CHECK ((queue = 'notices') = (sealed_details IS NOT NULL)),
    CHECK ((queue = 'notices') = (subject_hash IS NULL)),
    CHECK (queue <> 'notices' OR user_id IS NOT NULL)
);
CREATE INDEX messages_due ON messages (queue, next_attempt_at);
CREATE INDEX messages_of_recipient ON messages (project_id, recipient);
CREATE INDEX messages_of_user ON messages (project_id, user_id) WHERE user_id IS NOT NULL;

-- Changes of users' emails, from the request on; at most one per user waits for its code. The code is only for that
-- request. A change that was made can be undone from the old address until it expires, with a token that only the
-- notice has. So can a second factor or a passkey that was added: its row is that of a change to the email that the
-- account already has.
CREATE TABLE email_changes (
    project_id          uuid         NOT NULL,
    id                  uuid         NOT NULL,
    user_id             uuid         NOT NULL,
    state               text         NOT NULL CHECK (state IN ('pending', 'replaced', 'made')),
    new_email           text         NOT NULL,
    requested_at        timestamptz  NOT NULL,
    code_hash           bytea,                            -- keyed; null: not sent yet, or used
    code_expires_at     timestamptz,
    tries               integer      NOT NULL DEFAULT 0,  -- of the code
    old_email           text,                             -- of a change that was made; null: the user had none
    old_email_verified  boolean,
    made_at             timestamptz,
    position            integer,                          -- of a change that was made, among those of the user
    notice              text,                             -- the kind of the notice with the token; null: of a new email
    expires_at          timestamptz  NOT NULL,
    PRIMARY KEY (project_id, id),
    FOREIGN KEY (project_id, user_id) REFERENCES users ON DELETE CASCADE
);
CREATE UNIQUE INDEX email_changes_pending ON email_changes (project_id, user_id) WHERE state = 'pending';
CREATE INDEX email_changes_of_user ON email_changes (project_id, user_id, requested_at);
CREATE INDEX email_changes_by_expiry ON email_changes (expires_at);

-- When an account last got a notice of a kind, so that nobody can flood its owner.
CREATE TABLE notice_quotas (
    project_id  uuid         NOT NULL REFERENCES projects,
    user_id     uuid         NOT NULL,
    kind        text         NOT NULL,
    queued_at   timestamptz  NOT NULL,
    PRIMARY KEY (project_id, user_id, kind),
    FOREIGN KEY (project_id, user_id) REFERENCES users ON DELETE CASCADE
);
CREATE INDEX notice_quotas_by_age ON notice_quotas (queued_at);


-- Webhooks ------------------------------------------------------------------------------------------------------------

-- The endpoints that receive a project's events.
CREATE TABLE webhooks (
    project_id                  uuid         NOT NULL REFERENCES projects,
    id                          uuid         NOT NULL,
    client_id                   text,                   -- whose logout endpoint it is; null: the project's own
    url                         text         NOT NULL,
    events                      text[]       NOT NULL,  -- types of events; '*': all, including future ones
    status                      text         NOT NULL CHECK (status IN ('active', 'disabled')),
    sealed_secret               bytea,                  -- null: a client's, whose messages are signed tokens
    sealed_previous_secret      bytea,                  -- signs too, until it expires
    previous_secret_expires_at  timestamptz,
    failing_since               timestamptz,            -- the first failure since the last success
    created_at                  timestamptz  NOT NULL,
    updated_at                  timestamptz  NOT NULL,
    PRIMARY KEY (project_id, id),
    CHECK ((client_id IS NULL) = (sealed_secret IS NOT NULL)),
    CHECK ((sealed_previous_secret IS NULL) = (previous_secret_expires_at IS NULL))
);
CREATE UNIQUE INDEX webhooks_of_clients ON webhooks (project_id, client_id) WHERE client_id IS NOT NULL;

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
    next_attempt_at  timestamptz,                     -- null: no longer waiting
    claimed_until    timestamptz,                     -- during an attempt: when to consider it lost
    claimed_by       uuid,                            -- the node that makes the attempt, a row of nodes
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
-- that finish or retry deliveries update it, endpoints in the order of their keys so that they cannot deadlock. A
-- trigger counts removals, which have several causes and are never on an event's path.
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

-- The identity providers that a project has configured, and the connections of its organizations to their own.
CREATE TABLE identity_providers (
    project_id            uuid         NOT NULL REFERENCES projects,
    -- Its name in the catalogue; oidc-<what the project calls it> for one more issuer; org-<id in hex> for a connection.
    provider              text         NOT NULL,
    organization_id       uuid,                       -- whose connection it is; null: for all users of the project
    name                  text,                       -- what people read; null: the catalogue's
    icon                  text,                       -- a data URL; null: the mark of the hosted page
    client_id             text         NOT NULL,
    sealed_client_secret  bytea        NOT NULL,
    native_client_ids     text[]       NOT NULL DEFAULT '{}',  -- the apps whose users send an ID token from their device
    enabled               boolean      NOT NULL,
    scopes                text[],                     -- null: those of the catalogue
    oauth_flow            text         NOT NULL CHECK (oauth_flow IN ('auto', 'popup', 'redirect')),
    issuer                text,                       -- only for generic OpenID Connect providers
    tenant                text,                       -- only for Microsoft
    team_id               text,                       -- only for Apple
    key_id                text,                       -- only for Apple
    store_tokens          boolean      NOT NULL DEFAULT false,  -- whether to keep the provider's tokens, sealed
    created_at            timestamptz  NOT NULL,
    updated_at            timestamptz  NOT NULL,
    PRIMARY KEY (project_id, provider),
    FOREIGN KEY (project_id, organization_id) REFERENCES organizations ON DELETE CASCADE,
    CHECK (organization_id IS NULL OR name IS NOT NULL)
);
CREATE INDEX identity_providers_of_organization ON identity_providers (project_id, organization_id, created_at)
    WHERE organization_id IS NOT NULL;

-- The last test of each provider: a sign in with which an owner of the project checks its settings. It creates no
-- account and no session, and the provider's answer is kept only for minutes.
CREATE TABLE provider_trials (
    project_id      uuid         NOT NULL,
    provider        text         NOT NULL,
    state_hash      bytea        NOT NULL,
    begun_at        timestamptz  NOT NULL,
    expires_at      timestamptz  NOT NULL,
    is_claimed      boolean      NOT NULL DEFAULT false,  -- the browser is back
    problem         text,                                 -- a word for what went wrong
    message         text,                                 -- and a sentence
    subject         text,                                 -- the person that the provider reported
    email           text,
    email_verified  boolean      NOT NULL DEFAULT false,
    display_name    text,
    PRIMARY KEY (project_id, provider),
    FOREIGN KEY (project_id, provider) REFERENCES identity_providers ON DELETE CASCADE,
    CHECK ((problem IS NULL) = (message IS NULL)),
    CHECK (problem IS NULL OR subject IS NULL)
);
CREATE INDEX provider_trials_by_expiry ON provider_trials (expires_at);

-- Which account at an identity provider belongs to which user. The key is issuer and subject, so that a provider that
-- is switched to another issuer never opens accounts of the previous one.
CREATE TABLE identities (
    project_id     uuid         NOT NULL,
    provider       text         NOT NULL,
    issuer         text         NOT NULL,             -- of ID tokens, or the provider's name where it has none
    subject        text         NOT NULL,
    user_id        uuid         NOT NULL,
    created_at     timestamptz  NOT NULL,
    sealed_tokens  bytea,                             -- of the provider, where the project stores them
    PRIMARY KEY (project_id, provider, issuer, subject),
    FOREIGN KEY (project_id, user_id) REFERENCES users ON DELETE CASCADE
);
CREATE UNIQUE INDEX identities_of_user ON identities (project_id, user_id, provider);
-- For sealing the tokens again when the master secret rotates.
CREATE INDEX identities_with_tokens ON identities (project_id, provider, issuer, subject)
    WHERE sealed_tokens IS NOT NULL;

-- A connection's id never comes back, so what was linked through it is of no use without it.
CREATE FUNCTION unlink_connection() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM identities WHERE project_id = OLD.project_id AND provider = OLD.provider;
    RETURN NULL;
END $$;

CREATE TRIGGER connections_deleted AFTER DELETE ON identity_providers
    FOR EACH ROW WHEN (OLD.organization_id IS NOT NULL) EXECUTE FUNCTION unlink_connection();

-- Sign-ins at a provider that are in progress, from the request for the authorization URL until the client has fetched
-- the outcome. Only the browser knows the state itself. The tokens of a sign-in that this server handles go to the person who
-- began it. The row says when and from where it began, so that the person at the end can be asked first.
CREATE TABLE oauth_states (
    project_id        uuid         NOT NULL REFERENCES projects,
    state_hash        bytea        NOT NULL,
    provider          text         NOT NULL,
    redirect_uri      text         NOT NULL,
    flow              text         NOT NULL CHECK (flow IN ('client', 'page', 'popup', 'redirect')),
    return_to         text,                           -- null: a client gets the code, or the end is a page of this server
    code_challenge    text,                           -- of the client's verifier; null: the server has the verifier
    -- The client's network; empty: unknown, so the person is asked; null: a back end, which checks it itself
    asked_from        bytea,
    begun_at          timestamptz  NOT NULL,
    begun_from        text,                           -- the client's IP address; null: unknown, or a back end
    begun_in_country  text,
    begun_with        text,                           -- the client's User-Agent
    user_id           uuid,                           -- who links the provider, or who has signed in
    -- null: no callback yet; held: completed, but a poll gets nothing before the person has agreed
    outcome           text         CHECK (outcome IN ('claimed', 'held', 'completed', 'failed')),
    session_id        uuid,
    message           text,                           -- why it failed
    network           bytea,                          -- the widest one that the client is in; null: a back end
    expires_at        timestamptz  NOT NULL,
    PRIMARY KEY (project_id, state_hash),
    FOREIGN KEY (project_id, user_id) REFERENCES users ON DELETE CASCADE,
    CONSTRAINT oauth_states_session_check CHECK ((outcome IN ('held', 'completed')) = (session_id IS NOT NULL))
);
CREATE INDEX oauth_states_by_expiry ON oauth_states (expires_at);
CREATE INDEX oauth_states_of_network ON oauth_states (project_id, network) WHERE network IS NOT NULL;
CREATE INDEX oauth_states_of_user ON oauth_states (project_id, user_id) WHERE user_id IS NOT NULL;

-- The secret keys of projects' accounts with captcha providers.
CREATE TABLE captcha_secrets (
    project_id     uuid   PRIMARY KEY REFERENCES projects,
    sealed_secret  bytea  NOT NULL
);

-- What works once and was used: captchas whose solution was accepted, ID tokens that apps have signed in with, and JWTs
-- that have proved something to the authorization server. When a row is removed, this is already too old to be accepted.
CREATE TABLE used_once (
    project_id  uuid         NOT NULL REFERENCES projects,
    kind        text         NOT NULL CHECK (kind IN ('captcha', 'id_token', 'provider_code', 'proof')),
    value_hash  bytea        NOT NULL,                -- SHA-256; of a signed value, that of what the signature covers
    expires_at  timestamptz  NOT NULL,
    PRIMARY KEY (project_id, kind, value_hash)
);
CREATE INDEX used_once_by_expiry ON used_once (expires_at);


-- Hosted page ---------------------------------------------------------------------------------------------------------

-- Codes with which the hosted page sends a browser back to the application, which redeems them for tokens.
CREATE TABLE hosted_codes (
    project_id      uuid         NOT NULL REFERENCES projects,
    code_hash       bytea        NOT NULL,
    session_id      uuid         NOT NULL,            -- already open; its tokens are issued when the code is redeemed
    user_id         uuid         NOT NULL,
    code_challenge  text,                             -- null: a back end asked, and only a back end may redeem it
    return_to       text         NOT NULL,
    expires_at      timestamptz  NOT NULL,
    used_at         timestamptz,                      -- kept for a while, to notice a second use
    PRIMARY KEY (project_id, code_hash)
);
CREATE INDEX hosted_codes_by_expiry ON hosted_codes (expires_at);

-- Browsers in which somebody has signed in on the hosted page; the session may be ended by anything that ends sessions.
CREATE TABLE browser_sessions (
    project_id   uuid         NOT NULL REFERENCES projects,
    cookie_hash  bytea        NOT NULL,
    session_id   uuid         NOT NULL,               -- no foreign key: ending a session need not look here
    created_at   timestamptz  NOT NULL,
    expires_at   timestamptz  NOT NULL,               -- moves with use
    PRIMARY KEY (project_id, cookie_hash)
);
CREATE INDEX browser_sessions_by_expiry ON browser_sessions (expires_at);


-- OAuth 2.1 authorization server --------------------------------------------------------------------------------------

-- The APIs that access tokens are for (RFC 8707).
CREATE TABLE oauth_resources (
    project_id  uuid         NOT NULL REFERENCES projects,
    id          uuid         NOT NULL,
    uri         text         NOT NULL,                -- the audience
    name        text         NOT NULL,
    scopes      jsonb        NOT NULL,                -- {"scopes": [{"name", "texts": {language: text}}, …]}
    is_default  boolean      NOT NULL,                -- of requests that name none
    created_at  timestamptz  NOT NULL,
    updated_at  timestamptz  NOT NULL,
    PRIMARY KEY (project_id, id),
    UNIQUE (project_id, uri)
);
CREATE UNIQUE INDEX oauth_resources_default ON oauth_resources (project_id) WHERE is_default;

CREATE TABLE oauth_clients (
    project_id          uuid         NOT NULL REFERENCES projects,
    id                  text         NOT NULL,        -- a UUID, or the URL of a client's own metadata document
    kind                text         NOT NULL CHECK (kind IN ('web', 'spa', 'native', 'service', 'api', 'document')),
    name                text         NOT NULL,
    redirect_uris       text[]       NOT NULL,
    post_logout_redirect_uris  text[]  NOT NULL DEFAULT '{}',
    is_first_party      boolean      NOT NULL,        -- asks no consent
    authentication      text         NOT NULL,        -- at the token endpoint; 'any': either form of a secret
    jwks                jsonb,                        -- the public keys that it signs with, or
    jwks_uri            text,                         -- where it publishes them
    federated_identities  jsonb    NOT NULL DEFAULT '[]',  -- [{issuer, subject, …}]: workloads elsewhere that are it
    requires_pkce       boolean      NOT NULL,
    requires_pushed_requests  boolean  NOT NULL DEFAULT false,
    uses_device_flow    boolean      NOT NULL DEFAULT false,  -- people sign in to it on another device
    may_exchange_tokens boolean      NOT NULL DEFAULT false,  -- of others, for narrower ones of its own
    binds_tokens        boolean      NOT NULL DEFAULT false,  -- every token to a key of the client (RFC 9449)
    id_token_algorithm  text         NOT NULL CHECK (id_token_algorithm IN ('ES256', 'RS256')),
    claims_in_id_token  boolean      NOT NULL,
    api_scopes          jsonb        NOT NULL,        -- {resource: [scope, …]}: what a service account may have
    resource            text,                         -- the audience of the tokens that an API may introspect
    ends_as             uuid         NOT NULL,        -- its own id, or the one of all with metadata documents
    registration_token_hash  bytea,                   -- of the token that manages a client that registered itself
    used_at             timestamptz,                  -- of such a client: the day of the last sign in
    fresh_until         timestamptz,                  -- when the metadata document has to be read again
    created_at          timestamptz  NOT NULL,
    updated_at          timestamptz  NOT NULL,
    PRIMARY KEY (project_id, id)
);
ALTER TABLE webhooks ADD FOREIGN KEY (project_id, client_id) REFERENCES oauth_clients ON DELETE CASCADE;
CREATE INDEX oauth_clients_registered ON oauth_clients (project_id, created_at DESC, id) WHERE kind <> 'document';
CREATE INDEX oauth_clients_by_use ON oauth_clients (used_at) WHERE registration_token_hash IS NOT NULL;
CREATE INDEX oauth_clients_by_freshness ON oauth_clients (fresh_until) WHERE fresh_until IS NOT NULL;
CREATE INDEX oauth_clients_to_end ON oauth_clients (project_id, ends_as) WHERE kind = 'document';

CREATE TABLE oauth_client_secrets (
    project_id   uuid         NOT NULL,
    client_id    text         NOT NULL,
    id           uuid         NOT NULL,
    secret_hash  bytea        NOT NULL,               -- of 256 random bits, so a plain hash will do
    ending       text         NOT NULL,               -- the last characters, to tell two apart
    created_at   timestamptz  NOT NULL,
    PRIMARY KEY (project_id, client_id, id),
    FOREIGN KEY (project_id, client_id) REFERENCES oauth_clients ON DELETE CASCADE
);

-- Authorization requests while a person signs in and agrees.
CREATE TABLE oauth_requests (
    project_id    uuid         NOT NULL,
    request_hash  bytea        NOT NULL,
    client_id     text         NOT NULL,
    parameters    jsonb        NOT NULL,
    browser_hash  bytea,                              -- the first browser that opened it, which alone goes on with it
    session_id    uuid,                               -- which its person signed in to for it
    network       bytea,                              -- that asked for it; null: the server of a known client
    created_at    timestamptz  NOT NULL,
    expires_at    timestamptz  NOT NULL,
    PRIMARY KEY (project_id, request_hash),
    FOREIGN KEY (project_id, client_id) REFERENCES oauth_clients ON DELETE CASCADE
);
CREATE INDEX oauth_requests_of_network ON oauth_requests (project_id, network) WHERE network IS NOT NULL;
CREATE INDEX oauth_requests_by_expiry ON oauth_requests (expires_at);

-- What devices without a browser wait for (RFC 8628), while somebody types the code that they show, and decides.
CREATE TABLE oauth_device_requests (
    project_id        uuid         NOT NULL,
    device_hash       bytea        NOT NULL,          -- of the code that the device asks with
    user_code_hash    bytea        NOT NULL,          -- of the code that it shows
    client_id         text         NOT NULL,
    scopes            text[]       NOT NULL,
    resources         text[]       NOT NULL,
    asked_from        text,                           -- the device's IP address; null: unknown
    asked_in_country  text,
    network_hash      bytea        NOT NULL,          -- keyed, of the device's network
    interval_seconds  integer      NOT NULL,          -- between two questions of the device
    asked_at          timestamptz,                    -- its last question
    is_refused        boolean      NOT NULL DEFAULT false,
    created_at        timestamptz  NOT NULL,
    expires_at        timestamptz  NOT NULL,
    PRIMARY KEY (project_id, device_hash),
    UNIQUE (project_id, user_code_hash),
    FOREIGN KEY (project_id, client_id) REFERENCES oauth_clients ON DELETE CASCADE
);
CREATE INDEX oauth_device_requests_of_client ON oauth_device_requests (project_id, client_id);
CREATE INDEX oauth_device_requests_by_expiry ON oauth_device_requests (expires_at);

-- What a client may do: for a user, from the code to the last refresh token, or on its own.
CREATE TABLE oauth_grants (
    project_id        uuid         NOT NULL,
    id                uuid         NOT NULL,
    client_id         text         NOT NULL,
    user_id           uuid,                           -- null: the client acts on its own
    session_id        uuid,                           -- null: it has expired or made room, and the grant is offline
    parent_id         uuid,                           -- the grant whose token was exchanged for one of this
    is_offline        boolean      NOT NULL,          -- outlives a session that expires or makes room, but not its end by anybody
    scopes            text[]       NOT NULL,
    resources         text[]       NOT NULL,
    claims            jsonb        NOT NULL,          -- asked for by name (OpenID Connect Core, 5.5)
    authenticated_at  timestamptz,
    amr               text[]       NOT NULL,
    nonce             text,
    redirect_uri      text,
    code_hash         bytea,
    code_challenge    text,
    key_thumbprint    text,                           -- of the key that its code or its refresh token is bound to (RFC 9449)
    code_expires_at   timestamptz,
    code_used_at      timestamptz,
    generation        integer      NOT NULL DEFAULT 0,  -- of the refresh token that is valid now
    rotated_at        timestamptz  NOT NULL,
    created_at        timestamptz  NOT NULL,
    expires_at        timestamptz  NOT NULL,
    sweep_at          timestamptz  NOT NULL,           -- as of sessions: so that no refresh changes an index
    depends_on        uuid[]       NOT NULL,           -- the ids that its client, its APIs, and its parent's, end as
    PRIMARY KEY (project_id, id),
    FOREIGN KEY (project_id, user_id) REFERENCES users ON DELETE CASCADE,
    FOREIGN KEY (project_id, parent_id) REFERENCES oauth_grants ON DELETE CASCADE
) WITH (fillfactor = 80);
CREATE INDEX oauth_grants_of_parent ON oauth_grants (project_id, parent_id) WHERE parent_id IS NOT NULL;
CREATE UNIQUE INDEX oauth_grants_by_code ON oauth_grants (project_id, code_hash) WHERE code_hash IS NOT NULL;
CREATE INDEX oauth_grants_of_client ON oauth_grants (project_id, client_id);
CREATE INDEX oauth_grants_of_user ON oauth_grants (project_id, user_id, client_id) WHERE user_id IS NOT NULL;
CREATE INDEX oauth_grants_of_session ON oauth_grants (session_id, project_id) WHERE session_id IS NOT NULL;
CREATE INDEX oauth_grants_to_sweep ON oauth_grants (sweep_at);

-- What users have agreed to, so that they are asked only for more.
CREATE TABLE oauth_consents (
    project_id  uuid         NOT NULL,
    user_id     uuid         NOT NULL,
    client_id   text         NOT NULL,
    resource    text         NOT NULL,                -- empty: none; 'to …': where people agreed to go after that
    scopes      text[]       NOT NULL,
    given_at    timestamptz  NOT NULL,
    depends_on  uuid[]       NOT NULL,                -- as of grants
    PRIMARY KEY (project_id, user_id, client_id, resource),
    FOREIGN KEY (project_id, user_id) REFERENCES users ON DELETE CASCADE
);
CREATE INDEX oauth_consents_of_client ON oauth_consents (project_id, client_id);

-- Clients and APIs that have ended while grants or consents that depend on them are still in their tables. Those have ended
-- too: one row here ends a million of them at once, and maintenance removes them.
CREATE TABLE oauth_endings (
    project_id      uuid  NOT NULL REFERENCES projects,
    id              uuid  NOT NULL,
    grants_until    uuid  NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',  -- no grant up to this one is left
    consents_until  uuid  NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',  -- and no consent of users up to this one
    PRIMARY KEY (project_id, id)
);


-- API keys of users and organizations ---------------------------------------------------------------------------------

CREATE TABLE user_keys (
    project_id    uuid         NOT NULL,
    id            uuid         NOT NULL,
    user_id       uuid,                                -- whose it is
    organization_id uuid,                              -- or whose it is instead
    key_hash      bytea        NOT NULL,               -- of 192 random bits, so a plain hash will do
    ending        text         NOT NULL,               -- the last characters, to tell two apart
    name          text         NOT NULL,
    scopes        text[]       NOT NULL,
    created_at    timestamptz  NOT NULL,
    expires_at    timestamptz,                         -- null: never
    last_used_at  timestamptz,                         -- the hour
    PRIMARY KEY (project_id, id),
    UNIQUE (project_id, key_hash),
    CHECK (num_nonnulls(user_id, organization_id) = 1),
    FOREIGN KEY (project_id, user_id) REFERENCES users ON DELETE CASCADE,
    FOREIGN KEY (project_id, organization_id) REFERENCES organizations ON DELETE CASCADE
);
CREATE INDEX user_keys_of_user ON user_keys (project_id, user_id);
CREATE INDEX user_keys_of_organization ON user_keys (project_id, organization_id) WHERE organization_id IS NOT NULL;


-- Revocations ---------------------------------------------------------------------------------------------------------

-- Sessions, grants and keys that ended before their tokens did, for applications that verify tokens on their own. Triggers
-- write the rows, so that nothing that ends one can forget to. Every node reads what became visible since it last read.
CREATE TABLE revocations (
    project_id      uuid         NOT NULL REFERENCES projects,
    transaction_id  xid8         NOT NULL DEFAULT pg_current_xact_id(),
    id              uuid         NOT NULL,             -- of the session, grant, key or membership, which its tokens name
    expires_at      timestamptz  NOT NULL,             -- no token of it is valid after that
    PRIMARY KEY (project_id, transaction_id, id)
);
CREATE INDEX revocations_by_transaction ON revocations (transaction_id);
CREATE INDEX revocations_by_expiry ON revocations (expires_at);

-- The longest lifetime of an access token that is issued now: an hour is Variant B's, and is longer than Variant A's.
CREATE FUNCTION longest_token(projects) RETURNS interval LANGUAGE sql STABLE AS $$
    SELECT make_interval(secs => greatest(
        coalesce($1.access_token_ttl_seconds, 3600),
        (SELECT max(allowed_lifetime_seconds) FROM jwt_templates WHERE project_id = $1.id)))
$$;

-- A minute more, for clocks that differ. Those that expired have no valid tokens.
CREATE FUNCTION revoke_tokens() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO revocations (project_id, id, expires_at)
    SELECT ended.project_id, ended.id,
           greatest(now() + longest_token(projects), projects.longer_tokens_until) + interval '1 minute'
    FROM ended JOIN projects ON projects.id = ended.project_id
    WHERE (ended.expires_at > now()) IS NOT FALSE AND projects.deleted_at IS NULL AND projects.shard IS NULL;
    RETURN NULL;
END $$;

CREATE TRIGGER sessions_revoked AFTER DELETE ON sessions
    REFERENCING OLD TABLE AS ended FOR EACH STATEMENT EXECUTE FUNCTION revoke_tokens();
CREATE TRIGGER oauth_grants_revoked AFTER DELETE ON oauth_grants
    REFERENCING OLD TABLE AS ended FOR EACH STATEMENT EXECUTE FUNCTION revoke_tokens();
CREATE TRIGGER user_keys_revoked AFTER DELETE ON user_keys
    REFERENCING OLD TABLE AS ended FOR EACH STATEMENT EXECUTE FUNCTION revoke_tokens();

-- Tokens for an organization say the member's role, so they end with it; the session goes on.
CREATE FUNCTION revoke_memberships() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO revocations (project_id, id, expires_at)
    SELECT ended.project_id, ended.token_id,
           greatest(now() + longest_token(projects), projects.longer_tokens_until) + interval '1 minute'
    FROM ended JOIN projects ON projects.id = ended.project_id
    WHERE projects.deleted_at IS NULL AND projects.shard IS NULL;
    RETURN NULL;
END $$;

CREATE TRIGGER organization_members_removed AFTER DELETE ON organization_members
    REFERENCING OLD TABLE AS ended FOR EACH STATEMENT EXECUTE FUNCTION revoke_memberships();
CREATE TRIGGER organization_members_changed AFTER UPDATE ON organization_members
    REFERENCING OLD TABLE AS ended FOR EACH STATEMENT EXECUTE FUNCTION revoke_memberships();

-- Tokens that were issued before a lifetime became shorter live as long as they say.
CREATE FUNCTION keep_longer_tokens() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.longer_tokens_until = greatest(OLD.longer_tokens_until, now() + longest_token(OLD));
    RETURN NEW;
END $$;
CREATE TRIGGER projects_shorten_tokens BEFORE UPDATE OF access_token_ttl_seconds ON projects
    FOR EACH ROW WHEN (OLD.shard IS NULL) EXECUTE FUNCTION keep_longer_tokens();

CREATE FUNCTION keep_longer_template_tokens() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE projects
    SET longer_tokens_until =
        greatest(longer_tokens_until, now() + make_interval(secs => OLD.allowed_lifetime_seconds))
    WHERE id = OLD.project_id;
    RETURN NULL;
END $$;
CREATE TRIGGER jwt_templates_shorten_tokens AFTER UPDATE OF allowed_lifetime_seconds OR DELETE ON jwt_templates
    FOR EACH ROW WHEN (OLD.allowed_lifetime_seconds IS NOT NULL) EXECUTE FUNCTION keep_longer_template_tokens();

-- Removes up to a thousand clients, grants and consents of what has ended, and its row here when none is left; returns
-- whether it is worth another call. It waits for nobody: what others hold is left for a later call. A grant or consent is
-- only added while its client and APIs are there and locked, so none comes after the last of these is gone.
CREATE FUNCTION remove_ended(ended oauth_endings) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    batch CONSTANT integer = 1000;
    last CONSTANT uuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
    until uuid;
BEGIN
    DELETE FROM oauth_clients WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM oauth_clients
        WHERE project_id = ended.project_id AND ends_as = ended.id AND kind = 'document'
        LIMIT batch
        FOR UPDATE SKIP LOCKED));
    IF EXISTS (SELECT FROM oauth_clients
               WHERE project_id = ended.project_id AND ends_as = ended.id AND kind = 'document') THEN
        RETURN FOUND;
    END IF;

    until = coalesce((SELECT id FROM oauth_grants WHERE project_id = ended.project_id AND id > ended.grants_until
                      ORDER BY id OFFSET batch - 1 LIMIT 1), last);
    DELETE FROM oauth_grants WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM oauth_grants
        WHERE project_id = ended.project_id AND id > ended.grants_until AND id <= until AND ended.id = ANY (depends_on)
        FOR UPDATE SKIP LOCKED));
    IF EXISTS (SELECT FROM oauth_grants
               WHERE project_id = ended.project_id AND id > ended.grants_until AND id <= until
                 AND ended.id = ANY (depends_on)) THEN
        RETURN false;
    END IF;
    UPDATE oauth_endings SET grants_until = until WHERE project_id = ended.project_id AND id = ended.id;
    IF until <> last THEN
        RETURN true;
    END IF;

    until = coalesce((SELECT user_id FROM oauth_consents WHERE project_id = ended.project_id
                        AND user_id > ended.consents_until
                      ORDER BY user_id OFFSET batch - 1 LIMIT 1), last);
    DELETE FROM oauth_consents WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM oauth_consents
        WHERE project_id = ended.project_id AND user_id > ended.consents_until AND user_id <= until
          AND ended.id = ANY (depends_on)
        FOR UPDATE SKIP LOCKED));
    IF EXISTS (SELECT FROM oauth_consents
               WHERE project_id = ended.project_id AND user_id > ended.consents_until AND user_id <= until
                 AND ended.id = ANY (depends_on)) THEN
        RETURN false;
    END IF;
    UPDATE oauth_endings SET consents_until = until WHERE project_id = ended.project_id AND id = ended.id;
    IF until <> last THEN
        RETURN true;
    END IF;

    DELETE FROM oauth_endings WHERE project_id = ended.project_id AND id = ended.id;
    RETURN false;
END $$;

-- Ends all that depends on something, in any number; a thousand of it are gone at once.
CREATE FUNCTION end_dependents(project uuid, ended_as uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    ended oauth_endings;
BEGIN
    INSERT INTO oauth_endings (project_id, id) VALUES (project, ended_as) RETURNING * INTO ended;
    PERFORM remove_ended(ended);
END $$;

-- A project that wants no clients by metadata document has none: what they have got ends as with every deleted client.
CREATE FUNCTION end_document_clients() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM end_dependents(OLD.id, OLD.document_clients_end_as);
    NEW.document_clients_end_as = gen_random_uuid();
    RETURN NEW;
END $$;
CREATE TRIGGER projects_without_document_clients BEFORE UPDATE OF client_metadata_documents ON projects
    FOR EACH ROW WHEN (OLD.client_metadata_documents AND NOT NEW.client_metadata_documents AND OLD.shard IS NULL)
    EXECUTE FUNCTION end_document_clients();

-- Of a client with few grants, all is found by its index; only of one with more, the whole project has to be searched.
CREATE FUNCTION end_clients() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    batch CONSTANT integer = 1000;
    client record;
BEGIN
    FOR client IN
        SELECT deleted.project_id, deleted.id, deleted.ends_as
        FROM deleted JOIN projects ON projects.id = deleted.project_id
        WHERE deleted.kind <> 'document' AND projects.deleted_at IS NULL AND projects.shard IS NULL
    LOOP
        DELETE FROM oauth_grants WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM oauth_grants WHERE project_id = client.project_id AND client_id = client.id
            LIMIT batch
            FOR UPDATE SKIP LOCKED));
        DELETE FROM oauth_consents WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM oauth_consents WHERE project_id = client.project_id AND client_id = client.id
            LIMIT batch
            FOR UPDATE SKIP LOCKED));
        INSERT INTO oauth_endings (project_id, id)
        SELECT client.project_id, client.ends_as
        WHERE EXISTS (SELECT FROM oauth_grants WHERE project_id = client.project_id AND client_id = client.id)
           OR EXISTS (SELECT FROM oauth_consents WHERE project_id = client.project_id AND client_id = client.id);
    END LOOP;
    RETURN NULL;
END $$;
CREATE TRIGGER oauth_clients_ended AFTER DELETE ON oauth_clients
    REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION end_clients();

CREATE FUNCTION end_resources() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM end_dependents(deleted.project_id, deleted.id)
    FROM deleted JOIN projects ON projects.id = deleted.project_id
    WHERE projects.deleted_at IS NULL AND projects.shard IS NULL;
    RETURN NULL;
END $$;
CREATE TRIGGER oauth_resources_ended AFTER DELETE ON oauth_resources
    REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION end_resources();


-- Audit log -----------------------------------------------------------------------------------------------------------

-- Who did what to whom, from where. Partitioned by month, so that old rows are removed by dropping whole tables. No
-- foreign key: its check would lock the project's row at each sign in.
CREATE TABLE audit_log (
    project_id   uuid         NOT NULL,
    created_at   timestamptz  NOT NULL,
    id           uuid         NOT NULL,
    actor_type   text         NOT NULL,               -- user, admin (a dashboard user), api_key, directory, system
    actor_id     uuid,                                -- null: the system, or nobody who proved who they are
    event        text         NOT NULL,
    target_type  text,
    target_id    uuid,
    metadata     jsonb,                               -- no secret, no password, no code, no email
    ip_address   text,
    user_agent   text,
    PRIMARY KEY (project_id, created_at, id)
) PARTITION BY RANGE (created_at);

-- One for each filter of a list, newest first.
CREATE INDEX audit_log_by_event ON audit_log (project_id, event, created_at, id);
CREATE INDEX audit_log_by_actor ON audit_log (project_id, actor_id, created_at, id) WHERE actor_id IS NOT NULL;
CREATE INDEX audit_log_by_target ON audit_log (project_id, target_id, created_at, id) WHERE target_id IS NOT NULL;

-- Append-only, except for the rows of a project that has been deleted, or is in another database.
CREATE FUNCTION keep_audit_log() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        IF NOT EXISTS (SELECT FROM projects WHERE id = OLD.project_id AND deleted_at IS NULL AND shard IS NULL) THEN
            RETURN OLD;
        END IF;
    END IF;
    RAISE EXCEPTION 'audit_log is append-only' USING ERRCODE = 'insufficient_privilege';
END $$;

-- Every partition inherits this trigger.
CREATE TRIGGER audit_log_kept BEFORE UPDATE OR DELETE ON audit_log
    FOR EACH ROW EXECUTE FUNCTION keep_audit_log();
CREATE TRIGGER audit_log_not_emptied BEFORE TRUNCATE ON audit_log
    FOR EACH STATEMENT EXECUTE FUNCTION keep_audit_log();

-- Takes rows of months without a partition, such as those of a node whose clock is wrong, so that no write fails.
CREATE FUNCTION make_audit_log_default() RETURNS void LANGUAGE sql AS $$
    CREATE TABLE audit_log_default PARTITION OF audit_log DEFAULT;
    CREATE TRIGGER audit_log_default_not_emptied BEFORE TRUNCATE ON audit_log_default
        FOR EACH STATEMENT EXECUTE FUNCTION keep_audit_log();
$$;
SELECT make_audit_log_default();

-- Creates the partition of a month in UTC, if it is missing. It is created as a separate table and then attached, which
-- blocks no write. A month that has rows in audit_log_default stays there: they cannot be moved.
CREATE FUNCTION make_audit_log_month(moment timestamptz) RETURNS void LANGUAGE plpgsql
SET lock_timeout = '2s' SET timezone = 'UTC' AS $$
DECLARE
    first constant timestamptz := date_trunc('month', moment);
    next  constant timestamptz := first + interval '1 month';
    name  constant text := to_char(first, '"audit_log_"YYYY_MM');
    is_in_default boolean;
BEGIN
    IF to_regclass(name) IS NOT NULL THEN
        RETURN;
    END IF;
    LOCK TABLE audit_log IN SHARE UPDATE EXCLUSIVE MODE;  -- several nodes may try at once
    SELECT EXISTS (SELECT FROM audit_log_default WHERE created_at >= first AND created_at < next) INTO is_in_default;
    IF to_regclass(name) IS NOT NULL OR is_in_default THEN
        RETURN;
    END IF;
    EXECUTE format('CREATE TABLE %I (LIKE audit_log)', name);
    EXECUTE format('CREATE TRIGGER %I BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION keep_audit_log()',
                   name || '_not_emptied', name);
    EXECUTE format('ALTER TABLE audit_log ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', name, first, next);
END $$;

-- Creates the partitions of this month and the next three.
CREATE FUNCTION make_audit_log_months(now timestamptz) RETURNS void LANGUAGE sql AS $$
    SELECT make_audit_log_month(now + ahead * interval '1 month') FROM generate_series(0, 3) AS ahead
$$;
SELECT make_audit_log_months(now());

-- Drops the oldest partition that has only rows from before the given time, and returns its name; null if there is none.
-- Dropping waits for running statements, and others wait behind it, so the limit is short.
CREATE FUNCTION drop_audit_log_partition(before timestamptz) RETURNS text LANGUAGE plpgsql
SET lock_timeout = '200ms' SET timezone = 'UTC' AS $$
DECLARE
    name text;
BEGIN
    SELECT relname INTO name
    FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
    WHERE inhparent = 'audit_log'::regclass AND relname ~ '^audit_log_\d{4}_\d\d$'
      AND to_date(right(relname, 7), 'YYYY_MM') + interval '1 month' <= before
    ORDER BY relname LIMIT 1;
    IF name IS NOT NULL THEN
        EXECUTE format('DROP TABLE %I', name);
        RETURN name;
    END IF;
    -- The one for all other months cannot go by its name, only when all of it is old.
    IF EXISTS (SELECT FROM audit_log_default)
       AND NOT EXISTS (SELECT FROM audit_log_default WHERE created_at >= before) THEN
        DROP TABLE audit_log_default;
        PERFORM make_audit_log_default();
        RETURN 'audit_log_default';
    END IF;
    RETURN NULL;
END $$;

-- How many refused attempts there were in a project on a day in UTC, whether or not the audit log has an entry for
-- each.
CREATE TABLE audit_refusals (
    project_id  uuid         NOT NULL REFERENCES projects,
    day         date         NOT NULL,
    attempts    bigint       NOT NULL,
    told        bigint       NOT NULL DEFAULT 0,      -- how many of those without an entry the log reports
    told_at     timestamptz,                          -- null: never
    PRIMARY KEY (project_id, day)
) WITH (fillfactor = 50);


-- Nodes ---------------------------------------------------------------------------------------------------------------

-- The names under which nodes hold claims on deliveries. A node renews its name every few seconds while it holds claims,
-- and removes it when it holds none; a name that was not seen for some seconds is dead and never used again. The table
-- belongs to the database and not to a project: it has a row or two for each busy node.
CREATE TABLE nodes (
    id       uuid         PRIMARY KEY,                -- chosen by the node
    seen_at  timestamptz  NOT NULL                    -- by the clock of the database
) WITH (fillfactor = 50);

-- What each running node says of itself every few seconds, for administrators. A node that stops removes its row, and
-- the row of one that was lost stays for a day.
CREATE TABLE node_reports (
    node_id          uuid         PRIMARY KEY,        -- since this start of the node
    version          text         NOT NULL,
    started_at       timestamptz  NOT NULL,
    seen_at          timestamptz  NOT NULL,           -- by the clock of the database
    hears_changes    boolean      NOT NULL,           -- whether it learns at once what others change
    hashes_waiting   integer      NOT NULL,           -- passwords that wait for a hashing thread
    hashes_running   integer      NOT NULL
) WITH (fillfactor = 50);


-- Statistics of the planner -------------------------------------------------------------------------------------------

-- Analyzes the smallest table that has quadrupled since PostgreSQL last did, apart from those that a plan cannot be wrong
-- about, and from the largest, which autovacuum has time for; false if there is none. A plan that was made for an empty
-- table may read all users of a project for one. It is kept until the table is analyzed, and autovacuum begins only once
-- a minute.
CREATE FUNCTION analyze_grown_table() RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    grown regclass;
BEGIN
    SELECT oid INTO grown
    FROM (
        SELECT oid, relpages, reltuples, pg_relation_size(oid) / current_setting('block_size')::bigint AS pages
        FROM pg_class
        WHERE relnamespace = to_regnamespace(quote_ident(current_schema())) AND relkind = 'r'
          AND pg_has_role(relowner, 'USAGE')) AS tables
    WHERE pages > 8 AND pages < 100000
      -- Rows that were not committed when the table was analyzed are in its pages, but not among its rows.
      AND (pages > 4 * relpages OR pg_stat_get_live_tuples(oid) > 4 * greatest(reltuples, 100))
    ORDER BY pages LIMIT 1;
    IF grown IS NULL THEN
        RETURN false;
    END IF;
    EXECUTE format('ANALYZE (SKIP_LOCKED) %s', grown);
    RETURN true;
END $$;
