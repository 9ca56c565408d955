-- When the account last signed in from the network by both factors: then its wrong codes of a second factor have a budget of their
-- own there. A password that was reset by mail proves less, and would make each network of the reader of the mails such a one.
ALTER TABLE sign_in_networks ADD COLUMN factor_seen_at timestamptz;

-- All wrong one-time passwords of a user, from whatever network ('all_totp').
ALTER TABLE wrong_codes DROP CONSTRAINT wrong_codes_scope_check;
ALTER TABLE wrong_codes ADD CONSTRAINT wrong_codes_scope_check CHECK (
    scope IN ('account', 'known', 'asker', 'change', 'totp', 'all_totp', 'backup_code', 'network', 'project'));
