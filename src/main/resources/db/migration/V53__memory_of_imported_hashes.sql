-- How much memory the largest imported hash of a project takes while it is verified, in KiB: of the heap (scrypt) and beside
-- it (Argon2). A node that has less for hashes than that verifies none of them, and answers all failed sign ins of the
-- project alike, so that the refusal does not tell which emails were imported.
ALTER TABLE dearest_imports
    ADD COLUMN heap_kib   bigint NOT NULL DEFAULT 0,
    ADD COLUMN native_kib bigint NOT NULL DEFAULT 0;

UPDATE dearest_imports
SET heap_kib = ceil(part[1]::numeric * part[2]::numeric / 8) + part[2]::bigint
FROM dearest_imports AS noted, regexp_match(noted.kind, '^scrypt N=(\d+),r=(\d+),p=\d+$') AS part
WHERE dearest_imports.project_id = noted.project_id AND part IS NOT NULL;

UPDATE dearest_imports
SET native_kib = part[1]::bigint
FROM dearest_imports AS noted, regexp_match(noted.kind, '^argon2 m=(\d+),') AS part
WHERE dearest_imports.project_id = noted.project_id AND part IS NOT NULL;
