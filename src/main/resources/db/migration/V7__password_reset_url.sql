ALTER TABLE projects ADD COLUMN password_reset_url text;  -- the page that takes the link of a reset mail; null: no link
