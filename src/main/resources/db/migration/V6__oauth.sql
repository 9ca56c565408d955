-- Sign in with other identity providers.

-- What some providers need to know of a project besides the client id and secret; null where one needs none of it.
ALTER TABLE identity_providers
    ADD COLUMN issuer        text,                              -- of any OpenID provider
    ADD COLUMN tenant        text,                              -- of Microsoft
    ADD COLUMN team_id       text,                              -- of Apple
    ADD COLUMN key_id        text,                              -- of Apple
    ADD COLUMN store_tokens  boolean NOT NULL DEFAULT false;    -- whether the provider's tokens are kept, sealed
