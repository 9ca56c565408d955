-- Wrong codes have budgets of their own where strangers must not use up the owner's: of a network that the account signed in
-- from lately ('known': the keys of address and network), of the user who asked for a change of email ('asker') and of the
-- address that it goes to ('change'), and of second factors ('totp', 'backup_code': of the user, or of user and network).
ALTER TABLE wrong_codes DROP CONSTRAINT wrong_codes_scope_check;
ALTER TABLE wrong_codes ADD CONSTRAINT wrong_codes_scope_check CHECK (
    scope IN ('account', 'known', 'asker', 'change', 'totp', 'backup_code', 'network', 'project'));

-- Whether the mail was asked for from a network that the account signed in from lately: its code has a row of its own in
-- email_codes, which mails that strangers ask for do not replace, and wrong codes of strangers do not void.
ALTER TABLE mails ADD COLUMN from_known_network boolean NOT NULL DEFAULT false;
