/**
 * Exports all users of a project as the lines that an import takes.
 *
 * <p>An export reads one snapshot, page by page in the order of ids. Each page is a short statement of its own, so no
 * statement timeout ends it. Its transaction has a connection outside of the pool. It writes no faster than the client
 * reads. A client that stops reading, or takes hours, is cut off, since the database cannot clean up rows that were
 * deleted after an open snapshot.
 *
 * <p>An export has no special last line: it is complete if the response ends properly. An export that fails closes the
 * connection before that, which every client reports (curl with exit code 18).
 *
 * <p>Only an owner's token can export password hashes: a secret key is on many servers, and anyone who copied one
 * should not get hashes to crack offline.
 */
@NullMarked
package dev.vestibule.user.exports;

import org.jspecify.annotations.NullMarked;
