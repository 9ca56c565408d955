-- So that its owners know which key a deployment uses.
ALTER TABLE api_keys ADD COLUMN name text;  -- null: they gave it none
