/**
 * Every project as an OAuth 2.1 authorization server and OpenID provider: its clients and APIs, authorization requests,
 * grants, and the endpoints that clients call. The screens for people are in {@code page.hosted}.
 *
 * <p>Decisions that may surprise:
 *
 * <ul>
 *   <li>A grant is one row from the code to the last refresh token, and a code's second use deletes it. Access tokens
 *       name their grant in {@code jti}, so that a check is one look at one row, shared with the checks that wait at
 *       the same time: what was ended anywhere is refused everywhere at once.
 *   <li>A grant ends with its browser's session. With {@code offline_access} it survives the expiry of the session, but
 *       not its end by the user, a ban, a reset or management.
 *   <li>A client that acts on its own has a grant for each token, without a user.
 *   <li>A client may sign with a key instead of sending a secret. What it signs works once, and is remembered only if
 *       its signature is right: strangers cannot fill the table.
 *   <li>A workload elsewhere, such as a job of GitHub Actions, is a client without a secret by the token that its own
 *       issuer gives it. The claims are compared before the signature is checked, so that only an issuer that an owner
 *       has named is ever asked for keys. A wildcard in a subject needs two parts before it: one part is anybody at
 *       that issuer.
 *   <li>The event of the end of a session also goes to the clients that have tokens of it; a client whose offline
 *       access has outlived its session learns of the end by an event of the grant. Their endpoints are rows of
 *       {@code webhooks}, so they have its retries and log; what is sent is a logout token, made for each attempt.
 *   <li>A client with a metadata document is a client like others, whose row is read again from its URL. Where a
 *       project wants none of them, the database ends them with the change of the setting, and with them all that they
 *       have.
 *   <li>What ends with a client or an API can be a million grants, too many for one statement. So a grant names what it
 *       depends on, one row of {@code oauth_endings} ends them all, and the check of a grant asks for it in a table
 *       that is almost always empty. A trigger writes that row. Maintenance removes the grants in batches; only then
 *       does the row go. All clients with documents of a project depend on one id, which is a new one after each end.
 *   <li>Who agrees reads where they go. To a client that nobody of the project has registered they agree for that place
 *       only, a host or a device, since its other redirect URIs may be anybody's. It is asked about again when it has a
 *       new one: somebody who has got hold of its host or its registration token must not get the accounts of those who
 *       agreed before.
 * </ul>
 */
@NullMarked
package dev.vestibule.oauth.server;

import org.jspecify.annotations.NullMarked;
