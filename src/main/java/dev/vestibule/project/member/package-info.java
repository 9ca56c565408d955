/**
 * The members of projects: dashboard users who can do in a project what their {@link dev.vestibule.project.member.Role}
 * says. A project always has an owner: changes of members lock the row of the project, so that only one of two owners
 * can leave at the same time. Every request of a dashboard user reads the membership, without a cache, so a removed
 * member is locked out at once.
 *
 * <p>Members are invited. An address alone proves nothing, since anyone may have registered with it; so an invitation
 * is a row of its own, which no guard ever reads. It becomes a membership when the person with the mailed token accepts
 * it, either signed in with an account of that address or by registering one. The token was mailed to the address, so
 * accepting it also proves the address. The server creates the token when it sends the mail, and the database stores
 * only its keyed hash. The token names the project and the invitation, so that the primary key finds the row, and the
 * comparison takes constant time. Inviting again creates a new token.
 *
 * <p>An inviter sees the same response whether or not the address has an account.
 * {@link dev.vestibule.project.member.InvitationBudget} keeps invitations from flooding strangers with mail. Only a
 * dashboard user with a verified email can invite. The mail comes from the operator: with the operator as its sender,
 * without colours or a logo, and with no link except the one to accept.
 */
@NullMarked
package dev.vestibule.project.member;

import org.jspecify.annotations.NullMarked;
