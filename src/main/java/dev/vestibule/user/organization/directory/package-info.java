/**
 * Directories of an organization: from each, the organization's identity provider provisions its members with SCIM,
 * whose requests {@code user.organization.scim} answers.
 *
 * <p>Decisions that may surprise:
 *
 * <ul>
 *   <li>A directory has a bearer token and, while it is replaced, its successor. Every request asks the database
 *       whether the token is still there, so a revoked one is refused at once on every node. One that changes something
 *       asks again under the organization's lock, since it may have waited for the owner who revokes the token,
 *       switches the directory off or takes a role from a group. The database has only hashes.
 *   <li>To map a group to a role takes all permissions of that role, as giving it to a member does, and so does making
 *       a token of a directory with such groups, since anyone who has the token puts people into them; no group makes
 *       owners.
 *   <li>A directory deactivates members of any role, except the last owner, no matter who made its token: people who
 *       have left the company lose access, whatever their role was. So those who may make tokens can remove members
 *       with more permissions than their own, and the audit log says so.
 *   <li>Members stay when a directory is deleted or switched off: nobody should lose their access because somebody sets
 *       up another identity provider.
 * </ul>
 */
@NullMarked
package dev.vestibule.user.organization.directory;

import org.jspecify.annotations.NullMarked;
