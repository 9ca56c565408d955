-- The changes of cached data. Every node reads what became visible since it last read, several times a second, and drops
-- those projects from its caches. Rows are kept for some minutes. There is no reference to the projects: the change that
-- deletes a project must outlive it.
CREATE TABLE project_changes (
    project_id      uuid         NOT NULL,
    transaction_id  xid8         NOT NULL,                -- of the change
    changed_at      timestamptz  NOT NULL DEFAULT now(),
    PRIMARY KEY (project_id, transaction_id)
);
CREATE INDEX project_changes_by_transaction ON project_changes (transaction_id);
