package dev.vestibule.crypto;

import dev.vestibule.crypto.MasterKeys.DerivedKey;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;

/** A value was sealed with a master secret that this server does not have; the message lists the ones that it has. */
public final class UnknownMasterSecretException extends IllegalStateException {
    private static final long serialVersionUID = 1L;
    private static final String OR = " or ";

    UnknownMasterSecretException(String purpose, byte[] keyId, List<DerivedKey> given) {
        super(
                ("what was sealed for \"%s\" needs the master secret %s. Given are %s (ids of that purpose, which say nothing"
                                + " of the secrets). Set the one that sealed it as secret, or add it to previousSecrets. Of an"
                                + " embedded database it is the text in the file secret of its data folder")
                        .formatted(purpose, hex(keyId), list(given)));
    }

    private static String list(List<DerivedKey> given) {
        return given.stream()
                .collect(Collectors.groupingBy(
                        DerivedKey::setting,
                        LinkedHashMap::new,
                        // two ids if the text can also be read as base64
                        Collectors.mapping(key -> hex(key.id()), Collectors.joining(OR))))
                .entrySet()
                .stream()
                .map(secret -> secret.getValue() + " (" + secret.getKey()
                        + (secret.getValue().contains(OR) ? ", as text or as base64)" : ")"))
                .collect(Collectors.joining(", "));
    }

    private static String hex(byte[] id) {
        return HexFormat.of().formatHex(id);
    }
}
