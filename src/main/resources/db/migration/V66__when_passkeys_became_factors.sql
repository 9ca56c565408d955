-- When a passkey that was registered without doing so first verified the person: then it became a second factor, of which its
-- owner is told, and what undoes that removes it. Null where the registration did it.
ALTER TABLE passkeys ADD COLUMN verified_at timestamptz;
