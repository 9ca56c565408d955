package dev.vestibule.project.branding;

import dev.vestibule.error.InvalidValueException;
import dev.vestibule.json.FieldType;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** The rule of a field that holds a picture for login pages: a data URL (RFC 2397) whose content matches its type. */
public final class LogoCheck {
    private static final int KIB = 1024;
    private static final int MAX_KIB = 200;
    static final int MAX_BYTES = MAX_KIB * KIB;
    private static final int MAX_BASE64 = base64(MAX_BYTES);
    private static final Pattern START = Pattern.compile("data:image/(png|jpeg|svg\\+xml|webp);base64,");
    private static final int MAX_START = 26; // of the longest type

    private static final String TOO_LARGE = "must hold an image of at most %d KiB";

    /** The type of the field {@code logoDataUrl}. */
    static final FieldType<String> DATA_URL = upTo(MAX_KIB);

    private static final byte[] PNG = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    private static final byte[] JPEG = {(byte) 0xff, (byte) 0xd8, (byte) 0xff};
    private static final byte[] RIFF = {'R', 'I', 'F', 'F'};
    private static final byte[] WEBP = {'W', 'E', 'B', 'P'};
    private static final int WEBP_AT = 8;

    private LogoCheck() {}

    /** The type of a field that holds at most so much. */
    public static FieldType<String> upTo(int kibibytes) {
        return FieldType.text(MAX_START + base64(kibibytes * KIB), TOO_LARGE.formatted(kibibytes), LogoCheck::dataUrl);
    }

    private static int base64(int bytes) {
        return (bytes + 2) / 3 * 4;
    }

    /** Returns the same data URL. */
    static String dataUrl(String dataUrl) {
        var start = START.matcher(dataUrl);
        if (!start.lookingAt()) {
            throw new InvalidValueException(
                    "must be a data URL of type image/png, image/jpeg, image/svg+xml or image/webp in base64,"
                            + " such as data:image/png;base64,...");
        }
        check(start.group(1)).accept(decode(dataUrl.substring(start.end())));
        return dataUrl;
    }

    private static byte[] decode(String base64) {
        if (base64.length() > MAX_BASE64) {
            throw tooLarge();
        }
        try {
            var image = Base64.getDecoder().decode(base64);
            // Java accepts base64 without padding, or with stray bits in its last character; other decoders do not.
            if (!Arrays.equals(Base64.getEncoder().encode(image), base64.getBytes(StandardCharsets.UTF_8))) {
                throw notBase64();
            }
            if (image.length > MAX_BYTES) {
                throw tooLarge();
            }
            return image;
        } catch (IllegalArgumentException invalid) {
            throw notBase64();
        }
    }

    private static Consumer<byte[]> check(String type) {
        return switch (type) {
            case "png" -> binary("PNG", image -> has(image, 0, PNG));
            case "jpeg" -> binary("JPEG", image -> has(image, 0, JPEG));
            case "webp" -> binary("WebP", image -> has(image, 0, RIFF) && has(image, WEBP_AT, WEBP));
            default -> SvgCheck::check;
        };
    }

    private static Consumer<byte[]> binary(String name, Predicate<byte[]> matches) {
        return image -> {
            if (!matches.test(image)) {
                throw new InvalidValueException(
                        "must contain the kind of image that its type says, but is not a " + name);
            }
        };
    }

    private static boolean has(byte[] image, int at, byte[] expected) {
        return image.length >= at + expected.length
                && Arrays.equals(image, at, at + expected.length, expected, 0, expected.length);
    }

    private static InvalidValueException notBase64() {
        return new InvalidValueException("must be valid base64 after the comma");
    }

    private static InvalidValueException tooLarge() {
        return new InvalidValueException(TOO_LARGE.formatted(MAX_KIB));
    }
}
