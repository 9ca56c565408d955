-- The variant of the public API that opened the session, and whose refresh alone takes its refresh token. Null: the first
-- refresh decides, for sessions opened by a release that did not store it and for those of dashboard users. One whose
-- token was replaced before (generation > 0) is of Variant A.
ALTER TABLE sessions ADD COLUMN variant text CHECK (variant IN ('A', 'B'));

-- However often it is refreshed, a session ends so long after it began.
ALTER TABLE projects ADD COLUMN max_session_lifetime_seconds integer NOT NULL DEFAULT 7776000;
