/**
 * The members of projects: dashboard users who may manage a project as owners, or look at it as viewers. A project always
 * has an owner: changes of members lock the row of the project, so that of two owners who leave at the same time only one
 * can. A membership is read for every request of a dashboard user and not cached, so a removed member is locked out at once.
 *
 * <p>Members are invited. An address alone proves nothing, since anyone may have registered with it; so an invitation is a
 * row of its own, which no guard ever looks at, and becomes a membership when the person who holds the mailed token accepts
 * it, signed in with an account of that address or by registering one. The token was mailed to the address, so this proves
 * it too. The token is made when the mail is sent and the database holds only its keyed hash; it names project and
 * invitation, so that it is found by the primary key and compared in constant time. To invite again makes a new token.
 *
 * <p>What an inviter sees is the same whether or not the address has an account. {@link
 * dev.vestibule.project.member.InvitationBudget} keeps invitations from flooding strangers with mail.
 * Only a dashboard user whose own email is verified invites, and the mail is the operator's: its sender, no colours and no logo,
 * and no link but the one that accepts.
 */
@NullMarked
package dev.vestibule.project.member;

import org.jspecify.annotations.NullMarked;
