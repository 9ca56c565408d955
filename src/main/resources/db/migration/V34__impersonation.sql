-- Sessions that a project's owner opened in a user's name: who did, and when it ends whatever is refreshed. Nodes of the
-- last release know neither: what they refresh for such a session says nothing of the owner, until they have stopped.
ALTER TABLE sessions
    ADD COLUMN impersonator_id  uuid,         -- a dashboard user
    ADD COLUMN ends_at          timestamptz,
    ADD CONSTRAINT sessions_impersonation_ends CHECK (impersonator_id IS NULL OR ends_at IS NOT NULL) NOT VALID;

-- Holds only those few, so that it costs other sessions nothing.
CREATE INDEX sessions_by_impersonator ON sessions (impersonator_id, project_id) WHERE impersonator_id IS NOT NULL;
