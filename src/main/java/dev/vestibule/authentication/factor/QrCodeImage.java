package dev.vestibule.authentication.factor;

import io.nayuki.qrcodegen.QrCode;
import io.nayuki.qrcodegen.QrCode.Ecc;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Renders a text as a QR code that is embedded in a page or response, since its content must not appear in a URL. */
public final class QrCodeImage {
    /** The light modules around it; without them scanners do not find it (ISO/IEC 18004, 9.1). */
    private static final int QUIET = 4;

    private QrCodeImage() {}

    public static String dataUrl(String text) {
        return "data:image/svg+xml;base64,"
                + Base64.getEncoder().encodeToString(svg(text).getBytes(StandardCharsets.US_ASCII));
    }

    private static String svg(String text) {
        var code = QrCode.encodeText(text, Ecc.LOW);
        var side = code.size + 2 * QUIET;
        var path = new StringBuilder();
        for (int row = 0; row < code.size; row++) {
            for (int column = 0; column < code.size; column++) {
                if (code.getModule(column, row)) {
                    path.append('M')
                            .append(column + QUIET)
                            .append(' ')
                            .append(row + QUIET)
                            .append("h1v1h-1z");
                }
            }
        }
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" shape-rendering=\"crispEdges\">"
                        .formatted(side, side)
                + "<path fill=\"#fff\" d=\"M0 0h%dv%dh-%dz\"/>".formatted(side, side, side)
                + "<path fill=\"#000\" d=\"" + path + "\"/></svg>";
    }
}
