/**
 * The identities at providers that are linked to users: the rules for linking, and the stored tokens of providers.
 *
 * <p><b>Issuers.</b> A subject is one of its issuer's, so an identity is known by both: a project that points {@code oidc}
 * to another issuer opens none of the old accounts. The issuer is that of ID tokens, or the provider's name where it gives
 * none. The provider is part of the key too, since two entries of a catalogue may read the subject from different claims
 * of one issuer. A user's identity at the former issuer is replaced when the user links the new one.
 *
 * <p><b>Finding the account.</b> An account is found by the provider's subject, and by the email only if the provider has
 * verified it. If this server had never verified that email itself, someone else may have created the account with it:
 * then the password, all sessions and all linked providers are removed before the owner of the email gets the account
 * ({@link dev.vestibule.oauth.identity.AccountLinking}). An unverified email that belongs to an account is refused. An account
 * with a second factor is not found by the email either: providers give an identity to whoever reads the mails, and a mail does
 * not replace that factor. Its owner links the provider once signed in.
 *
 * <p><b>The first proof of an email</b>, by a provider, a mailed code, a password reset or an invitation, goes through {@link
 * dev.vestibule.oauth.identity.EmailProof}, which ends all sessions and removes all identities from before it. Linking
 * looks at the caller's session again under the same lock, so that none is linked by a session that the proof ended.
 *
 * <p><b>Concurrent changes.</b> The identity is looked up before the account is locked and again afterwards. If another sign in,
 * a sign up or an unlinking changed something in between, the transaction fails with a ConcurrentChangeException and is
 * tried again; after some attempts the client gets an error that asks it to try again later.
 *
 * <p><b>Linking.</b> A signed-in user links and unlinks providers, but cannot remove the last way to sign in: a password
 * or another provider that the project has enabled ({@link dev.vestibule.oauth.identity.ProviderLinks}). The state of
 * the request names the user, so nobody can be tricked into linking the identity of someone else. A user has at most one
 * identity at each provider.
 *
 * <p><b>Tokens of providers</b> are stored only if the project has set {@code storeTokens}. They are sealed under the
 * master secret and bound to project, provider and subject. If the project stops storing them, the next sign in deletes
 * them.
 */
@NullMarked
package dev.vestibule.oauth.identity;

import org.jspecify.annotations.NullMarked;
