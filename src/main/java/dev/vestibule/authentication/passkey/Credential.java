package dev.vestibule.authentication.passkey;

import io.vertx.core.buffer.Buffer;
import java.util.UUID;

/**
 * What the server stores about a passkey, to check what it signs.
 *
 * @param rpId the domain that it is bound to
 * @param publicKey a COSE_Key (RFC 9052)
 * @param signCount zero if the authenticator does not count
 * @param backupEligible whether it can be synchronised between devices; never changes
 * @param userVerified whether it has ever verified the person, and not only presence
 */
record Credential(
        String rpId,
        Buffer id,
        UUID aaguid,
        Buffer publicKey,
        long signCount,
        boolean backupEligible,
        boolean backedUp,
        boolean userVerified) {}
