-- The imported password hash of a project that takes longest to verify. Failed sign ins of all its users take as long, so
-- that time does not tell which emails were imported.
CREATE TABLE dearest_imports (
    project_id    uuid    PRIMARY KEY REFERENCES projects,
    kind          text    NOT NULL,                   -- algorithm and parameters, without salt and hash
    usual_micros  bigint  NOT NULL                    -- about how long it takes, until a node has measured it
);
