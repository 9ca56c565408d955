/**
 * Password hashes of other systems: which formats and costs are accepted, and how a password is verified against one.
 *
 * <p>An import checks each hash completely, so that no sign in fails later because its hash cannot be read. Costs have
 * limits, because each sign in pays for them: each algorithm's maximum takes about a second. Imports are also limited
 * by {@link dev.vestibule.crypto.foreign.HashCeilings}, which by default accept the hashes of Auth0, Firebase,
 * Keycloak, Supabase, Django and today's framework defaults, and allow half a second at most. A hash stays unchanged
 * until the first successful sign in, which replaces it with Argon2id.
 *
 * <p>Each of Firebase's hashes includes the project's signer key, as Supabase stores it too. The key was meant to be
 * kept separately, so until their first sign in here these hashes are only as strong as plain scrypt.
 */
@NullMarked
package dev.vestibule.crypto.foreign;

import org.jspecify.annotations.NullMarked;
