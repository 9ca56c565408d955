/**
 * Sign in with wallets: keys of EVM chains (EIP-191, EIP-4361) and of Solana, whose address a person proves by signing
 * a message of this server. Bouncy Castle does the cryptography.
 *
 * <p>Decisions that may surprise:
 *
 * <ul>
 *   <li>A message is never parsed. The server writes it, stores a hash of it together with project, chain and address,
 *       and takes that row when the signature comes, before anything else is checked. So whatever the message says, its
 *       domain, chain, nonce and expiry, holds as it was written, each message signs in once, and each try uses one up.
 *   <li>The message names the domain of the page that asked for it, if its origin belongs to the project, since wallets
 *       warn about messages of other domains; otherwise the project's first origin, or the server.
 *   <li>A wallet is one factor. An account with one-time passwords is asked for a code as well, and one whose second
 *       factor is a passkey signs in with that.
 *   <li>A wallet signs up where the project lets people sign up without a password. Such an account has no email, so
 *       projects that require a verified one refuse it.
 *   <li>A wallet is a sign-in method like a linked provider: the first proof of the account's email removes it, the
 *       notice of a new one can undo it, and its owner cannot remove the last method.
 *   <li>A wallet that is a contract is asked at the operator's node of its chain (EIP-1271), if there is one. It signs
 *       in only on that chain, since a contract of the same address may belong to somebody else on another one, and a
 *       wallet with a key only by its key.
 *   <li>The JDK accepts Ed25519 keys of small order, under which one signature matches any message. Bouncy Castle
 *       refuses them. ECDSA signatures with a high s are refused too, so that each signature has one form (EIP-2).
 * </ul>
 */
@NullMarked
package dev.vestibule.authentication.wallet;

import org.jspecify.annotations.NullMarked;
