package dev.vestibule.mail.sms;

import dev.vestibule.mail.SafeText;
import dev.vestibule.project.Language;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Properties;

/** The text of an SMS, in each language; short, since carriers charge for each part. */
final class SmsText {
    /** Short enough that the code and its warning stay in the first part. */
    private static final int MAX_BRAND = 40;

    private static final Properties TEXTS = load();

    private SmsText() {}

    private static Properties load() {
        try (var file = new InputStreamReader(
                Objects.requireNonNull(SmsText.class.getResourceAsStream("/sms/texts.properties")),
                StandardCharsets.UTF_8)) {
            var texts = new Properties();
            texts.load(file);
            return texts;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    static String of(Language language, String brand, String code) {
        var text = Objects.requireNonNull(TEXTS.getProperty(language.text()), language.text());
        // The brand comes last, so that nothing in it is replaced.
        return text.replace("{code}", code).replace("{brand}", shown(brand));
    }

    private static String shown(String brand) {
        var safe = SafeText.name(brand);
        return safe.codePointCount(0, safe.length()) <= MAX_BRAND
                ? safe
                : safe.substring(0, safe.offsetByCodePoints(0, MAX_BRAND)).strip();
    }
}
