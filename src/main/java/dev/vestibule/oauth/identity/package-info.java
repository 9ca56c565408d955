/**
 * The identities at providers that are linked to users, and the stored tokens of providers. Who signs in or links by one is
 * decided above, in {@code authentication.oauth}.
 *
 * <p><b>Issuers.</b> A subject is one of its issuer's, so an identity is known by both: a project that points {@code oidc}
 * to another issuer opens none of the old accounts. The issuer is that of ID tokens, or the provider's name where it gives
 * none. The provider is part of the key too, since two entries of a catalogue may read the subject from different claims
 * of one issuer. A user's identity at the former issuer is replaced when the user links the new one.
 *
 * <p><b>Tokens of providers</b> are stored only if the project has set {@code storeTokens}. They are sealed under the
 * master secret and bound to project, provider and subject. If the project stops storing them, the next sign in deletes
 * them.
 */
@NullMarked
package dev.vestibule.oauth.identity;

import org.jspecify.annotations.NullMarked;
