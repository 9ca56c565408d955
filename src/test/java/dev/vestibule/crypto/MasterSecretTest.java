package dev.vestibule.crypto;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A value that was sealed or signed with a text as a file's secret is valid with it as a setting, and vice versa. */
class MasterSecretTest {
    private static final String TEXT = "S2VlcCB0aGlzIGluIGEgc2FmZSBwbGFjZSwgcGxlYXM="; // 32 bytes in base64
    private static final MasterSecret NEXT = MasterSecret.fromSetting("the next master secret that is long enough");
    private static final byte[] PLAIN = "a private key".getBytes(UTF_8);
    private static final byte[] PLACE = "its place".getBytes(UTF_8);

    private final MasterSecret file;

    MasterSecretTest(@TempDir Path folder) throws IOException {
        file = SecretFile.readOrCreate(Files.writeString(folder.resolve("secret"), TEXT + "\n"));
    }

    private static Sealer sealer(MasterSecret current, MasterSecret... previous) {
        return new Sealer(new MasterKeys(current, List.of(previous)), "purpose");
    }

    private static KeyedHash hash(MasterSecret current, MasterSecret... previous) {
        return new KeyedHash(new MasterKeys(current, List.of(previous)), "purpose");
    }

    /** Otherwise every existing deployment would lose its data. */
    @Test
    void fileAndSettingSealAndSignAsBefore() {
        assertThat(file.readings().get(0)).isEqualTo(Base64.getDecoder().decode(TEXT));
        assertThat(MasterSecret.fromSetting(TEXT).readings().get(0)).isEqualTo(TEXT.getBytes(UTF_8));
    }

    @Test
    void valuesSealedByTheFileOpenWithItsTextAsASettingAndViceVersa() {
        var setting = MasterSecret.fromSetting(TEXT);
        assertThat(sealer(setting).open(sealer(file).seal(PLAIN, PLACE), PLACE)).isEqualTo(PLAIN);
        assertThat(sealer(file).open(sealer(setting).seal(PLAIN, PLACE), PLACE)).isEqualTo(PLAIN);
        assertThat(hash(setting).matches(PLAIN, hash(file).hash(PLAIN))).isTrue();
        assertThat(hash(file).matches(PLAIN, hash(setting).hash(PLAIN))).isTrue();
    }

    @Test
    void bothReadingsOfAPreviousSecretOpenAndAreSealedAgain() {
        var setting = MasterSecret.fromSetting(TEXT);
        var rotated = sealer(NEXT, setting);
        for (var before : List.of(file, setting)) {
            var sealed = sealer(before).seal(PLAIN, PLACE);
            assertThat(rotated.open(sealed, PLACE)).isEqualTo(PLAIN);
            assertThat(rotated.outdatedPrefixes())
                    .anySatisfy(prefix -> assertThat(sealed).startsWith(prefix));
            assertThat(hash(NEXT, setting).matches(PLAIN, hash(before).hash(PLAIN)))
                    .isTrue();
        }
    }

    /** While the secret stays, there is no need to check every row once an hour. */
    @Test
    void valuesSealedByTheOtherReadingOfTheCurrentSecretStayUnchanged() {
        assertThat(sealer(MasterSecret.fromSetting(TEXT)).outdatedPrefixes()).isEmpty();
        assertThat(sealer(file).outdatedPrefixes()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a passphrase, which is no base64 at all, is what it says",
                "c2hvcnQgYmFzZTY0IG9mIGZld2VyIGJ5dGVz", // 27 bytes in base64
                "S2VlcCB0aGlzIGluIGEgc2FmZSBwbGFjZSwgcGxlYXM!"
            })
    void anyOtherTextHasOneReading(String text) {
        assertThat(MasterSecret.fromSetting(text).readings()).singleElement().isEqualTo(text.getBytes(UTF_8));
    }

    @Test
    void aWrongSecretIsReportedWithTheNeededAndTheGivenIds() {
        var sealed = sealer(NEXT).seal(PLAIN, PLACE);
        var id = id(sealed);
        assertThatThrownBy(() -> sealer(MasterSecret.fromSetting(TEXT), MasterSecret.fromSetting("x".repeat(32)))
                        .open(sealed, PLACE))
                .isInstanceOf(UnknownMasterSecretException.class)
                .hasMessageContaining("sealed for \"purpose\" needs the master secret " + id)
                .hasMessageContaining(id(sealer(MasterSecret.fromSetting(TEXT)).seal(PLAIN, PLACE)) + " or "
                        + id(sealer(file).seal(PLAIN, PLACE)) + " (secret, as text or as base64)")
                .hasMessageContaining(
                        id(sealer(MasterSecret.fromSetting("x".repeat(32))).seal(PLAIN, PLACE))
                                + " (previousSecrets number 1)")
                .hasMessageContaining("add it to previousSecrets")
                .hasMessageNotContaining(TEXT);
    }

    /** The key id in a sealed value, as messages show it. */
    private static String id(byte[] sealed) {
        return HexFormat.of().formatHex(sealed, 1, 5);
    }

    @Test
    void aMasterSecretIsNeverPrinted() {
        assertThat(file).hasToString("[redacted]");
    }
}
