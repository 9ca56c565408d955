package dev.vestibule.authentication.factor;

import static org.assertj.core.api.Assertions.assertThat;

import io.nayuki.qrcodegen.QrCode;
import io.nayuki.qrcodegen.QrCode.Ecc;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class QrCodeImageTest {
    private static final String TEXT = "otpauth://totp/App:ann%40example.com?secret=JBSWY3DPEHPK3PXP&issuer=App";
    private static final int QUIET = 4;

    private static String svg() {
        var url = QrCodeImage.dataUrl(TEXT);
        assertThat(url).startsWith("data:image/svg+xml;base64,");
        return new String(Base64.getDecoder().decode(url.substring(url.indexOf(',') + 1)), StandardCharsets.US_ASCII);
    }

    @Test
    void everyDarkModuleAndNoOtherIsDrawnWithinTheQuietZone() {
        var code = QrCode.encodeText(TEXT, Ecc.LOW);
        var expected = new HashSet<String>();
        for (int row = 0; row < code.size; row++) {
            for (int column = 0; column < code.size; column++) {
                if (code.getModule(column, row)) {
                    expected.add((column + QUIET) + " " + (row + QUIET));
                }
            }
        }
        var drawn = Pattern.compile("M(\\d+ \\d+)h1v1h-1z")
                .matcher(svg())
                .results()
                .map(module -> module.group(1))
                .toList();
        assertThat(drawn).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void theImageHasFourLightModulesOnEachSide() {
        var side = QrCode.encodeText(TEXT, Ecc.LOW).size + 2 * QUIET;
        assertThat(svg())
                .contains("viewBox=\"0 0 %d %d\"".formatted(side, side), "M0 0h%dv%dh-%dz".formatted(side, side, side));
    }
}
