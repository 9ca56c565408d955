/**
 * The SCIM 2.0 server of a directory (RFC 7643, RFC 7644): identity providers such as Entra ID and Okta create, change
 * and deactivate members of an organization, and maintain groups.
 *
 * <p>Decisions that may surprise:
 *
 * <ul>
 *   <li>A SCIM user has the id of the account, and is active while the account is a member of the organization: there
 *       is one truth, from the directory and from the API.
 *   <li>What the directory said last is kept beside that, since a person may leave the organization before the company:
 *       when the directory turns away whom it wanted, sessions end whether or not there still is a membership.
 *   <li>Whom a directory says to be inactive comes back by neither the organization's domain nor its connection, since
 *       the person may still have the mailbox; and so does nobody whom a member or management has removed.
 *   <li>A directory takes in existing accounts only if the organization has proven the domain of their email. Other
 *       emails it can only register, unverified. Otherwise an organization could take over accounts of strangers.
 *   <li>It changes the email of accounts that it has made, and of no other: who manages a directory need not be who
 *       manages the mailboxes of its domain. It ends the sessions of those that it has made and of those of a proven
 *       domain, since other organizations may have the same user.
 *   <li>What arrives is not always what the RFCs say: operations in capitals, booleans as texts, paths as names of
 *       values, a manager as a text. {@link dev.vestibule.user.organization.scim.ScimPatch} accepts that.
 *   <li>Filters and paths are parsed by the UnboundID SDK. What they find in JSON is its work too, but not its patch
 *       operations, which refuse much of the above.
 *   <li>Statements are constants, also for filters: a filter becomes alternatives of conditions, which are parameters
 *       ({@link dev.vestibule.user.organization.scim.ScimFilter}). Filters name what has a column, or a place among
 *       {@code texts}; the rest of a user is only kept.
 *   <li>{@code not} and {@code ne} hold where an attribute is absent, and {@code ne} is the negation of {@code eq}
 *       where it has several values.
 * </ul>
 */
@NullMarked
package dev.vestibule.user.organization.scim;

import org.jspecify.annotations.NullMarked;
