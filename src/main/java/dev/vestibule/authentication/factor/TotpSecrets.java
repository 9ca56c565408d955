package dev.vestibule.authentication.factor;

import dev.vestibule.crypto.Sealer;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.SealedSecrets;
import dev.vestibule.user.UserId;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;

/** Seals the secrets of one-time passwords. */
final class TotpSecrets {
    private final Sealer sealer;

    TotpSecrets(Sealer sealer) {
        this.sealer = sealer;
    }

    Buffer seal(ProjectId project, UserId user, byte[] secret) {
        return Buffer.buffer(sealer.seal(secret, context(project, user)));
    }

    byte[] open(ProjectId project, UserId user, Buffer sealed) {
        return sealer.open(sealed.getBytes(), context(project, user));
    }

    /** Binds a secret to its user: it cannot be opened for another one. */
    private static byte[] context(ProjectId project, UserId user) {
        return ("totp " + project + " " + user).getBytes(StandardCharsets.UTF_8);
    }

    SealedSecrets sealedSecrets() {
        return new SealedSecrets(
                "users with one-time passwords",
                FactorStore.SEALED,
                false,
                sealer,
                (project, user) -> context(project, new UserId(user.getUUID(0))));
    }
}
