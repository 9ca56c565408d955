-- An identity is known by its issuer and subject, so that a provider which is pointed to another issuer never opens the
-- accounts of the one before. The issuers of what is there come from the catalogue, which is not in the database: a server
-- fills them in at its start.

ALTER TABLE identities ADD COLUMN issuer text NOT NULL DEFAULT '';

COMMENT ON COLUMN identities.issuer IS
    'who issued the subject: the issuer of ID tokens, or the provider''s name where it has none; empty: written by a '
    'release that did not keep it, and filled in at the next start';

ALTER TABLE identities
    DROP CONSTRAINT identities_pkey,
    ADD PRIMARY KEY (project_id, provider, issuer, subject);

DROP INDEX identities_with_tokens;
CREATE INDEX identities_with_tokens ON identities (project_id, provider, issuer, subject)
    WHERE sealed_tokens IS NOT NULL;

-- For filling in the issuers.
CREATE INDEX identities_without_issuer ON identities (provider, project_id, subject) WHERE issuer = '';
