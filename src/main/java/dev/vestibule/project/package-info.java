/**
 * Projects: their settings, API keys and deletion. Rooms below belong to it: {@code project.member} (which dashboard
 * users may manage a project, and in which role), {@code project.branding} (how its login pages and mails look) and {@code
 * project.statistics} (how much goes on in it).
 *
 * <p>Every request looks up its project in {@link dev.vestibule.project.ProjectDirectory}, a cache that all event loops
 * share. Whatever changes data that nodes cache (settings, keys, branding, identity providers, webhook endpoints) runs in
 * {@link dev.vestibule.project.ProjectChanges#inTransaction}: this node drops its copy before the caller gets the result,
 * and the others read the notification of the transaction within about 50 ms.
 *
 * <p>A setting of a project is declared once, in {@link dev.vestibule.project.Project}: its column, its field of the API and
 * what it may be. {@link dev.vestibule.project.ProjectMapping} reads that when the server starts; statements are constants
 * made of it, and requests are served from the record.
 *
 * <p>The dashboard users are the users of a built-in project, {@link dev.vestibule.project.ProjectId#SYSTEM}, which every
 * database has and which cannot be deleted. So they sign in, refresh and sign out with the code that all users do.
 *
 * <p>{@code requireEmailVerification} is switched on only after asking back where users with a password would be kept out.
 * They are counted by an index of those users alone, up to 10,000. Sign ups do not wait for that: one that commits at the
 * same moment is not counted, but its user has just been mailed a code.
 *
 * <p>An API key holds the id of its project, so that a key alone leads to the one row of the cache that knows its hash, and
 * an invented key costs no search. When keys were last used is recorded in memory and written from time to time: a write for
 * each request would cost more than the request.
 *
 * <p>Deleting a project has two parts. {@link dev.vestibule.project.ProjectHandler#delete} sets {@code deleted_at}, which
 * hides the project, and deletes its API keys, signing keys, members and webhook endpoints in one short transaction, so
 * that nothing of it works from then on. {@link dev.vestibule.project.DeletedProjects} then removes the users with their
 * sessions, and everything else that can be large, in the background: 250 rows of a table in a statement, so that neither
 * locks nor dead rows slow down the other projects. Nodes share this work by {@code SKIP LOCKED}, it continues after a
 * restart, and the row of the project goes last. Which tables there are stands in the lists of {@link
 * dev.vestibule.project.DeletedProjectStore}, which tests hold against the catalogue.
 *
 * <p>After a change of the master secret, {@link dev.vestibule.project.SecretResealing} encrypts what projects have stored
 * (client secrets, tokens of providers, signing secrets of webhooks) with the new one. The rooms that own these tables
 * implement {@link dev.vestibule.project.SealedSecrets}.
 */
@NullMarked
package dev.vestibule.project;

import org.jspecify.annotations.NullMarked;
