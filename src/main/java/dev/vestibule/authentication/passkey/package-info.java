/**
 * Passkeys (WebAuthn Level 3): keys on a person's devices that open sessions without email and password. The cryptography is
 * webauthn4j's; what is here is whose passkey it is, which challenge it answers, and what it opens.
 *
 * <p>Decisions that may surprise:
 *
 * <ul>
 *   <li>Discoverable passkeys are preferred and not required: a security key that can hold none works too, by the user's email,
 *       for which {@code allowCredentials} lists the passkeys. For an email without any it lists decoys, the same ones each time
 *       ({@link dev.vestibule.authentication.passkey.DecoyPasskeys}), so that one look does not tell who has an account. They
 *       change only when the oldest master secret is taken out of the settings. What cannot be hidden is that a list changes when
 *       its user adds or removes a passkey: who asks before and after sees that somebody did.
 *   <li>What the client says of the page, the frame and the domain is checked before the passkey is looked up, and refused with the
 *       reason. From then on there is one refusal, and an unknown passkey waits for a thread and costs a signature like a known one;
 *       what is kept of a passkey is compared after its signature. A decoy cannot be registered, like the passkey of somebody else.
 *   <li>Transports are neither kept nor listed: few clients send them, so they would tell real passkeys from decoys, and say
 *       of which make a stranger's devices are. Browsers try all kinds then.
 *   <li>A challenge is found by its hash and taken before anything is checked, so every try uses one up. It is bound to project
 *       and ceremony; that of a registration also to the user and the session, which must still be open when the passkey is
 *       written; that of a sign in with an email to the passkeys of its account.
 *   <li>User verification is {@code preferred}: a passkey that verified the person is two factors, and opens a session for a
 *       user with one-time passwords as well; one that only tested presence is one factor, and such a user is told to verify.
 *   <li>A passkey is a way in of its own, like a provider: what a mail proves first removes it with them, for a week the notice
 *       of a new one undoes it ({@link dev.vestibule.mail.EmailChanges#notifyOfFactor}), the last way in is
 *       not removed by its owner, and a project that switches passkeys off closes it. Passkeys stay then, and open again.
 *   <li>A counter that does not rise is refused, even with the right signature: the key is in use twice. The passkey stays, or a
 *       thief could lock its owner out; the owner is told by mail, the managers by the audit log. Most passkeys do not count.
 *   <li>RSA keys are from 2048 to 4096 bits with a small exponent: the one who registers it chooses how long each check of it takes.
 *       Edwards points of small order are refused, since a signature of theirs can fit any message.
 *   <li>A registration says nothing of the maker (attestation {@code none}); what is sent unasked is not looked at.
 *   <li>A passkey is bound to a domain, which is kept with it. Under another domain of the project it is useless;
 *       back under its own it works again. An export of a project takes passkeys along, for a server that
 *       goes on under the same domain; importing users by lines has none.
 *   <li>Checks run on the threads that hash passwords: one takes a millisecond or two, and the first of a process, which
 *       loads its classes, hundreds.
 * </ul>
 */
@NullMarked
package dev.vestibule.authentication.passkey;

import org.jspecify.annotations.NullMarked;
