-- When the person behind a session last proved who they are, and by what (RFC 8176). No default and no rewrite: a session
-- proves it when it begins, so null is created_at; and null methods are unknown, of sessions that an older release opened.
ALTER TABLE sessions
    ADD COLUMN authenticated_at  timestamptz,
    ADD COLUMN amr               text[];

-- How many seconds ago that may have been for changes of how an account is reached; 0: any time.
ALTER TABLE projects ADD COLUMN require_recent_sign_in_seconds integer NOT NULL DEFAULT 0;
