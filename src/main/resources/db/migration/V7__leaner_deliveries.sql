-- A backlog is claimed a page at a time, and each page has to hold all its rows once more: a claim that finds no room
-- in its page moves the row to another one, with an entry in every index. Rows that are there stay as they are.
ALTER TABLE webhook_deliveries SET (fillfactor = 50);

-- The log of one status costs no delivery an entry any more: what waits is in webhook_deliveries_due, nearly all of the
-- rest is delivered, and of what is dead there is little.
DROP INDEX webhook_deliveries_by_status;
CREATE INDEX webhook_deliveries_dead ON webhook_deliveries (project_id, webhook_id, event_id) WHERE status = 'dead';

-- Who ends a delivery, or lets it wait again, counts it in the same statement. Removals still have their trigger: they
-- come from more than one place, and never on the way of an event.
DROP TRIGGER webhook_deliveries_inserted ON webhook_deliveries;
DROP TRIGGER webhook_deliveries_left ON webhook_deliveries;
DROP TRIGGER webhook_deliveries_reached ON webhook_deliveries;
