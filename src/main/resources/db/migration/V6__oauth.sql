-- Sign in with other identity providers.

-- What some providers need to know of a project besides the client id and secret; null where one needs none of it.
ALTER TABLE identity_providers
    ADD COLUMN issuer        text,                              -- of any OpenID provider
    ADD COLUMN tenant        text,                              -- of Microsoft
    ADD COLUMN team_id       text,                              -- of Apple
    ADD COLUMN key_id        text,                              -- of Apple
    ADD COLUMN store_tokens  boolean NOT NULL DEFAULT false;    -- whether the provider's tokens are kept, sealed

-- Sign ins with a provider that are under way: from the moment that a page asks where to send the browser until the
-- outcome was fetched. The state itself is known to the browser alone.
CREATE TABLE oauth_states (
    project_id      uuid         NOT NULL REFERENCES projects,
    state_hash      bytea        NOT NULL,
    provider        text         NOT NULL,
    redirect_uri    text         NOT NULL,
    flow            text         NOT NULL CHECK (flow IN ('client', 'popup', 'redirect')), -- client: it takes the code itself
    return_to       text,
    code_challenge  text,                             -- of the client's verifier; null: the verifier is ours
    asked_from      bytea,                            -- the network; null: a server, which knows its browsers itself
    user_id         uuid,                             -- who links the provider, or who has signed in
    outcome         text         CHECK (outcome IN ('claimed', 'completed', 'failed')), -- null: the provider has yet to answer
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

-- What the provider lets the application do in the user's name, where the project asks for it to be kept.
ALTER TABLE identities ADD COLUMN sealed_tokens bytea;
CREATE INDEX identities_with_tokens ON identities (project_id, provider, subject) WHERE sealed_tokens IS NOT NULL;
