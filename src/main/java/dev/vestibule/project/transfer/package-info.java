/**
 * Moves a whole project: from one server to another, as a file with the rows of its tables, and back; and from one of a
 * server's databases to another one while it runs ({@link dev.vestibule.project.transfer.ProjectMove}). The rest of
 * this is about the file.
 *
 * <p><b>The file</b> is a zip with the {@code COPY} output of each table, read in one transaction. The manifest comes
 * last, so that a truncated file has none. A seal of the manifest, which has a checksum of each table, proves that
 * nobody has changed the file. The file is for a server with the same schema, and only its owner can read it: it
 * contains password hashes.
 *
 * <p><b>Secrets</b> (of providers and webhooks, private signing keys, tokens of providers) stay sealed in the file as
 * they are in the database, under the master secret of the exporting server. The importing server needs it among its
 * {@code previousSecrets}, and reseals them under its own at its next start. So nothing is ever in plain text, and
 * refresh tokens stay valid. The price: the operator of the importing server learns the secret. It suits a move between
 * servers of one operator.
 *
 * <p><b>What moves</b>: settings, branding, API keys, signing keys, providers, webhooks, users with their hashes,
 * identities and sessions, organizations with their members, connections, directories and keys, all with their ids.
 * What does not: members (they are dashboard users of the other server; the import names an owner), invitations to
 * them, pending mails and codes, the log of webhook deliveries, counts of failed attempts, and the activity statistics.
 */
@NullMarked
package dev.vestibule.project.transfer;

import org.jspecify.annotations.NullMarked;
