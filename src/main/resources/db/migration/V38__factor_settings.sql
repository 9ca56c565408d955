-- Whether users of the project sign up and in with passwords. Whether they may set up one-time passwords stands beside.
ALTER TABLE projects ADD COLUMN password_enabled boolean NOT NULL DEFAULT true;

-- Since when users of the project need a second factor; null: they need none.
ALTER TABLE projects ADD COLUMN mfa_required_since timestamptz;

-- Tokens that open no session by a code, but let a user set up the factor that the project requires; and what had been
-- proved when the token was issued (RFC 8176).
ALTER TABLE mfa_challenges ADD COLUMN enrols boolean NOT NULL DEFAULT false;
ALTER TABLE mfa_challenges ADD COLUMN amr text[] NOT NULL DEFAULT '{pwd}';
