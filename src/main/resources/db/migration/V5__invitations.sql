-- Members are invited: they become members when they accept by a token that was mailed to them.

-- Who is invited to a project and has not accepted yet. Apart from memberships, so that nothing can take an invited
-- person for a member. The key begins with the project, which the token names.
CREATE TABLE invitations (
    project_id  uuid         NOT NULL REFERENCES projects,
    id          uuid         NOT NULL,
    email       text         NOT NULL,
    role        text         NOT NULL CHECK (role IN ('owner', 'viewer')),
    token_hash  bytea,                                -- keyed; null: the mail with the token is not sent yet
    created_at  timestamptz  NOT NULL,
    expires_at  timestamptz  NOT NULL,
    PRIMARY KEY (project_id, id),
    UNIQUE (project_id, email)
);
CREATE INDEX invitations_by_expiry ON invitations (expires_at);

-- How many invitations a dashboard user has sent, and an address has got, in all projects. The project is the system
-- project, whose users they are.
CREATE TABLE invitation_budgets (
    project_id    uuid         NOT NULL REFERENCES projects,
    key_hash      bytea        NOT NULL,              -- keyed, of the user's id or the address
    window_start  timestamptz  NOT NULL,
    invitations   integer      NOT NULL,              -- since window_start
    PRIMARY KEY (project_id, key_hash)
);
CREATE INDEX invitation_budgets_by_age ON invitation_budgets (window_start);

ALTER TABLE mails DROP CONSTRAINT mails_purpose_check,
    ADD CONSTRAINT mails_purpose_check CHECK (purpose IN ('verification', 'password_reset', 'invitation'));
ALTER TABLE email_codes DROP CONSTRAINT email_codes_purpose_check,
    ADD CONSTRAINT email_codes_purpose_check CHECK (purpose IN ('verification', 'password_reset', 'invitation'));
