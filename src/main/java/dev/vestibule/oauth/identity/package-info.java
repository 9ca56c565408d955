/**
 * The identities at providers that are linked to users, and the stored tokens of providers. The package
 * {@code authentication.oauth} decides who signs in or links with one.
 *
 * <p><b>Issuers.</b> A subject is unique only for its issuer, so an identity is identified by both: if a project points
 * a provider to another issuer, that issuer opens none of the old accounts. The issuer is that of ID tokens, or the
 * provider's name if it issues none. The provider is part of the key too, since two entries of a catalogue may read the
 * subject from different claims of one issuer. A user's identity at the former issuer is replaced when the user links
 * the new one.
 *
 * <p><b>Tokens of providers</b> are stored only if the project has set {@code storeTokens}. They are sealed under the
 * master secret and bound to project, provider and subject. If the project stops storing them, the next sign in deletes
 * them.
 */
@NullMarked
package dev.vestibule.oauth.identity;

import org.jspecify.annotations.NullMarked;
