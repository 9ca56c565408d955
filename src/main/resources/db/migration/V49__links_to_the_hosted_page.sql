-- Links that sign in on the hosted page.

-- Whether the mail's link leads to the hosted page, whatever page the project has for links. A node of the last release
-- writes no such request, and leads the link of one to the project's own page, if it sends the mail.
ALTER TABLE passwordless_mails ADD COLUMN to_hosted_page boolean NOT NULL DEFAULT false;
