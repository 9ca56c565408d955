/**
 * Password hashes of other systems: which forms and costs are accepted, and how a password is verified against one.
 *
 * <p>An import checks each hash in full, so that no sign in fails later because of a hash that cannot be read. Costs have
 * limits, because a sign in has to pay them: each algorithm's maximum takes about a second, and an import is held to {@link
 * dev.vestibule.crypto.foreign.HashCeilings}, which by default let pass what Auth0, Firebase, Keycloak, Supabase, Django and
 * the frameworks' defaults of today bring, and take half a second at most. A hash stays as it was until
 * the first successful sign in, which replaces it with Argon2id.
 *
 * <p>Firebase's hashes bring the project's signer key with each of them, as Supabase stores them too. It was there to be kept
 * apart, so until their first sign in here these hashes are as strong as plain scrypt.
 */
@NullMarked
package dev.vestibule.crypto.foreign;

import org.jspecify.annotations.NullMarked;
