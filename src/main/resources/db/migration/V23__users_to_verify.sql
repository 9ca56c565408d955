-- Says whom requireEmailVerification would keep from signing in, without reading a project's other users.
CREATE INDEX users_to_verify ON users (project_id) WHERE NOT email_verified AND password_hash IS NOT NULL;
