package dev.vestibule.mail;

import dev.vestibule.project.Language;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;

/** The text of an SMS, in each language; short, since carriers charge for each part. */
public final class SmsText {
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

    /** With the text that the project has written, if it has. */
    public static String of(Language language, Map<String, String> own, String brand, String code) {
        return MessageTexts.fill(
                own.getOrDefault(MessagePart.TEXT.text(), source(language)),
                Map.of("code", code, "brand", shown(brand)));
    }

    static String source(Language language) {
        return Objects.requireNonNull(TEXTS.getProperty(language.text()), language.text());
    }

    private static String shown(String brand) {
        var safe = SafeText.name(brand);
        return safe.codePointCount(0, safe.length()) <= MessageTexts.MAX_BRAND_OF_SMS
                ? safe
                : safe.substring(0, safe.offsetByCodePoints(0, MessageTexts.MAX_BRAND_OF_SMS))
                        .strip();
    }
}
