/**
 * Exports all users of a project as the lines that an import takes.
 *
 * <p>An export reads one snapshot, page by page in the order of ids, each page a short statement of its own, so that no
 * limit of a statement's time ends it. Its transaction has a connection beside the pool. It writes no faster than the
 * client reads, and one who stops reading, or takes hours, is cut off, since the database can clean up nothing that was
 * deleted after an open snapshot.
 *
 * <p>An export has no last line that says so: it is complete if the response has its proper end. One that fails closes the
 * connection before it, which every client reports (curl by exit code 18).
 *
 * <p>Password hashes leave only with an owner's token: a secret key lies on many servers, and anyone who copied one should
 * not get what can be guessed at in peace.
 */
@NullMarked
package dev.vestibule.user.exports;

import org.jspecify.annotations.NullMarked;
