-- Apps without a page to return to have their sign in end on a page of this server.
ALTER TABLE oauth_states DROP CONSTRAINT oauth_states_check1;

ALTER TABLE brandings
    ADD COLUMN provider_order    text[],
    ADD COLUMN hidden_providers  text[],
    ADD COLUMN custom_css        text,
    ADD COLUMN show_secured_by   boolean;

COMMENT ON COLUMN brandings.provider_order IS 'in which order login pages offer the providers; null: that of the catalogue';
COMMENT ON COLUMN brandings.hidden_providers IS 'providers that login pages leave out, besides those that clients do not know';
COMMENT ON COLUMN brandings.custom_css IS 'checked when it is written, since login pages use it as it stands';

ALTER TABLE projects ADD COLUMN default_country text CHECK (default_country ~ '^[A-Z]{2}$');
COMMENT ON COLUMN projects.default_country IS
    'ISO 3166-1: where a phone number without a country code belongs; null: every number needs one';
