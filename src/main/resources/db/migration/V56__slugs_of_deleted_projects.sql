-- Slugs of deleted projects, which are not given again for a while: links to a project's page live on in mails and bookmarks,
-- and must not lead to a stranger's. Kept under the built-in system project, since no other one is left to hold them.
CREATE TABLE retired_slugs (
    project_id  uuid         NOT NULL,
    slug        text         NOT NULL,
    retired_at  timestamptz  NOT NULL,
    PRIMARY KEY (project_id, slug)
);
CREATE INDEX retired_slugs_by_age ON retired_slugs (retired_at);

INSERT INTO retired_slugs (project_id, slug, retired_at)
SELECT '00000000-0000-7000-8000-000000000000', slug, max(deleted_at)
FROM projects WHERE deleted_at IS NOT NULL
GROUP BY slug;
