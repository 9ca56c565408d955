-- What is undone from the address that the account had: not only a change of the email, but also a second factor or a passkey
-- that was added. Its row is one of a change that was made, to the email that the account has anyway.
ALTER TABLE email_changes ADD COLUMN notice text;  -- the kind of the notice with the token; null: that of a change of the email
