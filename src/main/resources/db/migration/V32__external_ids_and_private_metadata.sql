-- What an application keeps about its users for itself: only its servers read these columns.
ALTER TABLE users
    ADD COLUMN external_id       text,   -- the application's own id of the user; null: it gave none
    ADD COLUMN private_metadata  jsonb;
CREATE UNIQUE INDEX users_by_external_id ON users (project_id, external_id) WHERE external_id IS NOT NULL;
