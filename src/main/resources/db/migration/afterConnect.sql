-- Migrations may take longer than the statement_timeout that the role has for requests.
SET statement_timeout = 0;
