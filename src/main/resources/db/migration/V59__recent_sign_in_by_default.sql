-- What adds or removes a way into an account wants a sign in of the last ten minutes unless the project says otherwise. Nobody
-- has chosen the 0 that was the default so far; who wants it sets it again.
ALTER TABLE projects ALTER COLUMN require_recent_sign_in_seconds SET DEFAULT 600;
UPDATE projects SET require_recent_sign_in_seconds = 600 WHERE require_recent_sign_in_seconds = 0;
