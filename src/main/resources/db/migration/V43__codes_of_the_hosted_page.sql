-- Codes with which the hosted page sends a browser back to the application, which redeems them for tokens.
CREATE TABLE hosted_codes (
    project_id      uuid         NOT NULL REFERENCES projects,
    code_hash       bytea        NOT NULL,
    session_id      uuid         NOT NULL,            -- open already; its tokens are made when the code is redeemed
    user_id         uuid         NOT NULL,
    code_challenge  text,                             -- null: a back end asked, and only one may redeem it
    return_to       text         NOT NULL,
    expires_at      timestamptz  NOT NULL,
    used_at         timestamptz,                      -- kept for a while, to notice a second use
    PRIMARY KEY (project_id, code_hash)
);
CREATE INDEX hosted_codes_by_expiry ON hosted_codes (expires_at);
