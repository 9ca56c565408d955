-- What a project adds to access tokens: claims from fields and metadata of the user, and fixed ones.
CREATE TABLE jwt_templates (
    project_id                uuid         NOT NULL REFERENCES projects,
    id                        uuid         NOT NULL,
    name                      text         NOT NULL,
    is_default                boolean      NOT NULL,     -- its claims are in every access token of the project
    claims                    jsonb        NOT NULL,     -- {"claims": [{"key", "source" or "value"}, …]}
    allowed_lifetime_seconds  integer,                   -- of tokens that are asked for by its name; null: the project's
    created_at                timestamptz  NOT NULL,
    updated_at                timestamptz  NOT NULL,
    PRIMARY KEY (project_id, id),
    UNIQUE (project_id, name)
);
CREATE UNIQUE INDEX jwt_templates_default ON jwt_templates (project_id) WHERE is_default;
