-- Which entry of the audit log tells of the lock that holds or held: of many failures at once, the one that began it.
ALTER TABLE sign_in_failures ADD COLUMN locked_by uuid;
