/**
 * Moves a whole project from one server to another: a file with the rows of its tables, and back.
 *
 * <p><b>The file</b> is a zip with the lines of {@code COPY} of each table, read in one transaction, and last a manifest,
 * so that a torn file is known by having none. A seal of the manifest, which has a checksum of each table, shows that nobody
 * has changed it. It is for a server with the same schema, and is readable by its owner alone: password hashes are in it.
 *
 * <p><b>Secrets</b> (of providers and webhooks, private signing keys, tokens of providers) stay sealed in the file as they
 * are in the database, under the master secret of the server that they come from. The other server needs that among its
 * {@code previousSecrets}; it seals them again under its own at its next start. So nothing is ever in the clear, and refresh
 * tokens go on too. The price: who runs the other server learns that secret. It fits a move between servers of one operator.
 *
 * <p><b>What moves</b>: settings, branding, API keys, signing keys, providers, webhooks, users with their hashes, identities
 * and sessions, all with their ids. What does not: members (they are users of the dashboard there; the import names an
 * owner), invitations, mails and codes under way, the log of webhook deliveries, counts of failed tries, and
 * the statistics of what went on.
 */
@NullMarked
package dev.vestibule.project.transfer;

import org.jspecify.annotations.NullMarked;
