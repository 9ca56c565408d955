/**
 * Projects: their settings, API keys and deletion. Subpackages: {@code project.member} (which dashboard users can
 * manage a project, and in which role), {@code project.branding} (how its login pages and mails look),
 * {@code project.budget} (what may be used of something in a time, on all nodes together), {@code project.statistics}
 * (the activity in it), {@code project.transfer} (moving it to another server or database) and
 * {@code project.administration} (what administrators of the server see of all projects).
 *
 * <p>Every request looks up its project in {@link dev.vestibule.project.ProjectDirectory}, a cache that all event loops
 * share. Every change of data that nodes cache (settings, keys, branding, identity providers, webhook endpoints) runs
 * in {@link dev.vestibule.project.ProjectChanges#inTransaction}: this node drops its copy before the caller gets the
 * result, and the others read the notification of the transaction within about 50 ms.
 *
 * <p>A setting of a project is declared once, in {@link dev.vestibule.project.Project}: its column, its API field and
 * its allowed values. {@link dev.vestibule.project.ProjectMapping} reads the declarations when the server starts; SQL
 * statements are constants built from them, and requests read the record.
 *
 * <p>A slug is the name of a project in the addresses of its pages, which live on in mails, bookmarks and applications.
 * So when it changes, the old one leads the browser to the new one for a year, with whatever the link carries, and no
 * other project gets it; nor does one get the slug of a deleted project
 * ({@link dev.vestibule.project.RetiredSlugStore}). A project has at most five old slugs, since each is a name that
 * nobody else can have. A form that was open during the change is read at its old address.
 *
 * <p>The dashboard users are the users of a built-in project, {@link dev.vestibule.project.ProjectId#SYSTEM}, which
 * exists in every database and cannot be deleted. So they sign in, refresh and sign out through the same code as all
 * users.
 *
 * <p>Enabling {@code requireEmailVerification} requires a confirmation if it would lock out users with a password. A
 * partial index of those users counts them, up to 10,000. Sign ups do not wait for that: one that commits at the same
 * moment is not counted, but its user has just been mailed a code.
 *
 * <p>An API key contains the id of its project, so a key leads to the one cache entry with its hash, and an invented
 * key costs no search. The last use of keys is recorded in memory and written from time to time: a write for each
 * request would cost more than the request.
 *
 * <p>Deleting a project has two parts. {@link dev.vestibule.project.ProjectHandler#delete} sets {@code deleted_at},
 * which hides the project, and deletes its API keys, signing keys, members and webhook endpoints in one short
 * transaction, so that nothing of it works afterwards. {@link dev.vestibule.project.DeletedProjects} then removes the
 * users with their sessions, and everything else that can be large, in the background: 250 rows of a table in a
 * statement, so that neither locks nor dead rows slow down the other projects. Nodes share this work with {@code SKIP
 * LOCKED}, it continues after a restart, and the row of the project is removed last. The lists of
 * {@link dev.vestibule.project.DeletedProjectStore} name the tables, and tests compare them with the catalogue.
 *
 * <p>After a change of the master secret, {@link dev.vestibule.project.SecretResealing} re-encrypts the stored secrets
 * of projects (client secrets, tokens of providers, signing secrets of webhooks) with the new one. The stores of these
 * tables say in a {@link dev.vestibule.database.SealedTable} which columns they are.
 */
@NullMarked
package dev.vestibule.project;

import org.jspecify.annotations.NullMarked;
