-- What users do with their own account: another email, and the end of it.

-- Changes of users' emails, from the request on; at most one of a user waits for its code. The code is for that request
-- alone. One that was made can be undone from the old address until it expires: by a token that only the notice holds.
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
    old_email           text,                             -- of a change that was made; null: there was none
    old_email_verified  boolean,
    made_at             timestamptz,
    position            integer,                          -- of a change that was made, among those of the user
    expires_at          timestamptz  NOT NULL,
    PRIMARY KEY (project_id, id),
    FOREIGN KEY (project_id, user_id) REFERENCES users ON DELETE CASCADE
);
CREATE UNIQUE INDEX email_changes_pending ON email_changes (project_id, user_id) WHERE state = 'pending';
CREATE INDEX email_changes_of_user ON email_changes (project_id, user_id, requested_at);
CREATE INDEX email_changes_by_expiry ON email_changes (expires_at);

ALTER TABLE projects
    ADD COLUMN allow_self_deletion  boolean  NOT NULL DEFAULT false,
    ADD COLUMN email_undo_url       text;               -- the page that takes the token of a notice; null: it has none

ALTER TABLE mails DROP CONSTRAINT mails_purpose_check,
    ADD CONSTRAINT mails_purpose_check
        CHECK (purpose IN ('verification', 'password_reset', 'invitation', 'email_change'));
ALTER TABLE email_codes DROP CONSTRAINT email_codes_purpose_check,
    ADD CONSTRAINT email_codes_purpose_check
        CHECK (purpose IN ('verification', 'password_reset', 'invitation', 'email_change'));
