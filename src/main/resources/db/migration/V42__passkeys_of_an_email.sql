-- Whose passkeys the sign in was begun with, as a keyed hash of the email; null: any of the project's.
ALTER TABLE passkey_challenges ADD COLUMN email_hash bytea;
