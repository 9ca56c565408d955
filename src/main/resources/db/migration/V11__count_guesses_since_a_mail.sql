-- Tries since a mail was last requested, whether or not one was sent: only the first of them count against the account.
ALTER TABLE email_codes ADD COLUMN guesses integer NOT NULL DEFAULT 0;
