package dev.vestibule.project.transfer;

import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.crypto.Sealer;
import dev.vestibule.crypto.Sha256;
import dev.vestibule.crypto.UnknownMasterSecretException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Proves that a file was written with a master secret that this server also has, and has not changed since. */
final class FileSeal {
    static final String ENTRY = "seal";
    private static final byte[] CONTEXT = "project file".getBytes(StandardCharsets.UTF_8);

    private final Sealer sealer;

    FileSeal(MasterKeys masterKeys) {
        this.sealer = new Sealer(masterKeys, "project files");
    }

    byte[] of(byte[] manifest) {
        return sealer.seal(Sha256.of(manifest), CONTEXT);
    }

    void check(byte[] seal, byte[] manifest) {
        try {
            if (Arrays.equals(sealer.open(seal, CONTEXT), Sha256.of(manifest))) {
                return;
            }
        } catch (UnknownMasterSecretException unknown) {
            throw new TransferException(
                    "The secrets in this file are sealed under the master secret of the server that it comes from: add"
                            + " that to previousSecrets here, and import again.",
                    unknown);
        } catch (IllegalStateException changed) {
            throw new TransferException("The file was changed after it was written.", changed);
        }
        throw new TransferException("The file was changed after it was written.");
    }
}
