-- When the time began in which a user has to set up a second factor, where that was before the account was made: by who had an
-- account before with the same email, number or identity. Null for all others.
ALTER TABLE users ADD COLUMN enrolment_from timestamptz;

-- Of deleted accounts, by keyed hashes of their emails, numbers and identities.
CREATE TABLE enrolment_starts (
    project_id  uuid         NOT NULL REFERENCES projects,
    key_hash    bytea        NOT NULL,
    began_at    timestamptz  NOT NULL,
    kept_until  timestamptz  NOT NULL,
    PRIMARY KEY (project_id, key_hash)
);
CREATE INDEX enrolment_starts_by_age ON enrolment_starts (kept_until);
