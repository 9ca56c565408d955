-- The names under which nodes hold claims on deliveries. A node renews its name every few seconds while it holds claims,
-- and removes it when it holds none; a name that was not seen for some seconds is dead and never used again. The table
-- belongs to the database and not to a project: it has a row or two for each busy node.
CREATE TABLE nodes (
    id       uuid         PRIMARY KEY,            -- chosen by the node
    seen_at  timestamptz  NOT NULL                -- by the clock of the database
) WITH (fillfactor = 50);

-- Which node holds the claim; null: none, or one of the version before, whose claims only expire.
ALTER TABLE webhook_deliveries ADD COLUMN claimed_by uuid;
