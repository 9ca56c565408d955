/**
 * Organizations of a project's users, such as the companies that an application's customers work for. A user has one
 * account in the project, whatever organizations they are a member of.
 *
 * <p>Decisions that may surprise:
 *
 * <ul>
 *   <li>A change of an organization or its members holds the lock of its row, and reads the caller's role under it. So
 *       the last owner stays, {@code maxMembers} is exact, and somebody who was demoted a moment ago does nothing more.
 *       Locks are taken in one order: users, sessions, organizations by their ids.
 *   <li>What a role may do is in the project's settings ({@link dev.vestibule.project.OrganizationRoles}), which are
 *       cached, so that no request reads it. A role that the project no longer has gives no permission.
 *   <li>A member gives and takes away only roles whose permissions they have, and only owners make owners: otherwise a
 *       manager of members could give themselves everything.
 *   <li>An invitation's token is made when its mail is sent, and the database has only its hash. It proves the email,
 *       so somebody without a session can accept too, and then the person who was in an unproved account is no longer
 *       in it. It is good for the account of the invited email alone: a forwarded mail opens nothing.
 *   <li>A domain is proven by a TXT record below it, so that its answer is short, and belongs to one organization of
 *       the project. Users of a domain whose policy is {@code join} become members when their client asks for their
 *       organizations, and not when they sign in: a sign in stays as fast as it is.
 *   <li>A connection is a row of the table of identity providers, named {@code org-} and its id: so sealing, the rules
 *       of issuers, states, ID tokens and identities are those of every provider. Each organization has a return
 *       address of its own ({@link dev.vestibule.oauth.provider.ReturnAddress}), since it may be anybody who chooses an
 *       issuer. Nothing that lists a project's providers shows it.
 *   <li>A connection is believed only about emails of domains that its organization has proven, at every sign in
 *       ({@link dev.vestibule.user.organization.ConnectionSignIns}): the email that the provider names, and that of the
 *       account to which the identity is linked. Within them it is believed as if a mail had proved the email, unless
 *       the provider itself says that nobody has. So a manager of connections can become any user of these domains.
 *   <li>Signing in by a connection makes a member, except of somebody who was removed: only those who add or invite
 *       them bring them back, since otherwise no removal would last where a domain or a connection lets people in. A
 *       full organization does not keep its people from their accounts.
 *   <li>Where a domain's policy is {@code sso_required}, {@link dev.vestibule.session.SessionStore} itself refuses
 *       every other sign in, so that no way in can forget it; ways that know the email refuse earlier, before a
 *       password is checked or a mail is sent. The last enabled connection stays while a domain requires it.
 *   <li>Sessions and grants from before such a policy end at their next refresh
 *       ({@link dev.vestibule.user.DomainConnections#isOutdated}): since then only the connection signs in, so their
 *       age says enough, and nothing searches a project for the people of a domain. API keys stay, as with other
 *       servers: they are no sign in, and a directory ends them. Impersonation stays too: it is a sign in of the
 *       project's owner.
 *   <li>Nobody changes their email into or out of such a domain, but a mailed token undoes a change from before: a
 *       thief with an organization of their own must not prevent that. Into the domain, nothing survives it that signs
 *       in without the connection; out of it, the person leaves the organization, except its last owner.
 *   <li>A connection's provider alone decides who has an email of its domains. A subject that it names for the first
 *       time takes the place of the account's former identity of the same connection, whose sessions and keys end,
 *       since the person may be another one. It never replaces identities of other connections or providers.
 *   <li>Who has a setup link acts on its organization by the forms of its page alone, each of which is an operation for
 *       domains, connections or directories, and with the role that the member who has made it has at the time: it ends
 *       with their membership. One that management has made acts as management does, as long as the secret key is
 *       there, or the member of the project may make one. An organization has one link, so that a new one ends a lost
 *       one.
 *   <li>An organization that somebody is not a member of is a 404, like one that does not exist.
 *   <li>A user cannot delete their account while an organization with other members would lose its last owner.
 *       Management can: an account must be erasable. Such an organization stays until management makes an owner.
 * </ul>
 */
@NullMarked
package dev.vestibule.user.organization;

import org.jspecify.annotations.NullMarked;
