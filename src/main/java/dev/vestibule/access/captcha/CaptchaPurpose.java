package dev.vestibule.access.captcha;

import dev.vestibule.error.InvalidValueException;
import dev.vestibule.http.limits.Quota;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What a solution is for; it is valid for nothing else. */
public enum CaptchaPurpose {
    SIGN_UP(Quota.SIGN_UP),
    MAGIC_LINK(Quota.CODE),
    EMAIL_CODE(Quota.CODE),
    SMS_CODE(Quota.CODE),
    FORGOT_PASSWORD(Quota.CODE);

    private final Quota quota;

    CaptchaPurpose(Quota quota) {
        this.quota = quota;
    }

    /** The rate limit of these requests; pressure is a share of it. */
    Quota quota() {
        return quota;
    }

    /** The name in requests, such as {@code sign_up}. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    static CaptchaPurpose of(String text) {
        return Arrays.stream(values())
                .filter(purpose -> purpose.text().equals(text))
                .findFirst()
                .orElseThrow(() -> new InvalidValueException("must be one of "
                        + Arrays.stream(values()).map(CaptchaPurpose::text).collect(Collectors.joining(", "))));
    }
}
