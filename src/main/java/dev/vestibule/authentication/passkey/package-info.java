/**
 * Passkeys (WebAuthn Level 3): keys on a person's devices that open sessions without email and password. webauthn4j
 * does the cryptography; this package decides whose passkey it is, which challenge it answers, and what it opens.
 *
 * <p>Decisions that may surprise:
 *
 * <ul>
 *   <li>Discoverable passkeys are preferred but not required: a security key that cannot store one works too, with the
 *       user's email, for which {@code allowCredentials} lists the passkeys. For an email without passkeys it lists
 *       decoys, the same ones each time ({@link dev.vestibule.authentication.passkey.DecoyPasskeys}), so that one
 *       request does not reveal who has an account. They change only when the oldest master secret is removed from the
 *       settings. One thing cannot be hidden: the list changes when its user adds or removes a passkey, and anyone who
 *       asks before and after sees that somebody did.
 *   <li>What the client says about the page, the frame and the domain is checked before the passkey is looked up, and
 *       refused with the reason. After that there is a single error, and an unknown passkey waits for a thread and
 *       costs a signature check like a known one; the stored data of a passkey is compared after its signature is
 *       checked. A decoy cannot be registered, just like somebody else's passkey.
 *   <li>Transports are neither stored nor listed: few clients send them, so they would tell real passkeys from decoys,
 *       and reveal the make of a stranger's devices. Without them, browsers try every kind.
 *   <li>A challenge is found by its hash and taken before anything is checked, so every try uses one up. It is bound to
 *       a project and a ceremony. A registration's challenge is also bound to the user and the session, which must
 *       still be open when the passkey is stored; the challenge of a sign in with an email is also bound to that
 *       account's passkeys.
 *   <li>User verification is {@code preferred}: a passkey that verified the person counts as two factors, and opens a
 *       session for a user with one-time passwords as well; one that only tested presence is one factor, and that user
 *       is asked to verify.
 *   <li>A passkey is a sign-in method of its own, like a provider. The first proof of the email removes it, as it
 *       removes linked providers. For a week the notice of a new passkey can undo it
 *       ({@link dev.vestibule.mail.EmailChanges#notifyOfFactor}). Its owner cannot remove the last sign-in method. If a
 *       project switches passkeys off they stop working, but they stay and work again when it switches them on.
 *   <li>A counter that does not increase is refused, even with a valid signature: the key is in use twice. The passkey
 *       stays, or a thief could lock its owner out; a mail tells the owner, and the audit log tells the project's
 *       managers. Most passkeys do not count.
 *   <li>RSA keys are from 2048 to 4096 bits with a small exponent: otherwise anyone who registers a key chooses how
 *       long each check of it takes. Edwards points of small order are refused, since a signature under them can match
 *       any message.
 *   <li>A registration says nothing about the manufacturer (attestation {@code none}); an attestation that is sent
 *       anyway is ignored.
 *   <li>A passkey is bound to a domain, which is stored with it. Under another domain of the project it is useless;
 *       back under its own it works again. An export of a project includes passkeys, for a server that continues under
 *       the same domain; the line-by-line import of users has none.
 *   <li>Checks run on the threads that hash passwords: one takes a millisecond or two, and the first one in a process
 *       takes hundreds, because it loads the classes.
 * </ul>
 */
@NullMarked
package dev.vestibule.authentication.passkey;

import org.jspecify.annotations.NullMarked;
