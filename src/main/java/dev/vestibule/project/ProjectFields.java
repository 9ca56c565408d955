package dev.vestibule.project;

import com.google.common.net.InternetDomainName;
import dev.vestibule.config.WebOrigin;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.http.Links;
import dev.vestibule.json.Text;
import dev.vestibule.json.UnicodeText;
import dev.vestibule.json.WebUrl;
import java.net.URI;
import java.util.Locale;
import java.util.Locale.IsoCountryCode;
import java.util.Set;
import java.util.regex.Pattern;

/** The validation rules for a project's fields. */
final class ProjectFields {
    private static final Pattern SITE_KEY = Pattern.compile("[A-Za-z0-9_-]{1,100}");
    private static final int MAX_NAME = 100;

    private static final Set<String> COUNTRIES = Locale.getISOCountries(IsoCountryCode.PART1_ALPHA2);

    private static final String LOCALHOST = "localhost";
    private static final int MAX_DOMAIN = 253;
    private static final Pattern DOMAIN = Pattern.compile(
            "(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)++(?![0-9]+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?");
    private static final String ANDROID = "android:";
    private static final Pattern ANDROID_ORIGIN = Pattern.compile("android:apk-key-hash:[A-Za-z0-9_-]{43}");

    private ProjectFields() {}

    static String name(String text) {
        return Links.rejectIn(Text.line(text, MAX_NAME));
    }

    /** An ISO 3166-1 code of two letters. */
    static String country(String text) {
        if (!COUNTRIES.contains(text)) {
            throw new InvalidValueException("must be the two capital letters of a country (ISO 3166-1), such as GB");
        }
        return text;
    }

    /**
     * The domain that passkeys are bound to: browsers refuse public suffixes, under which anybody can register a name.
     */
    static String rpId(String text) {
        var domain = UnicodeText.lowerAscii(text);
        if (domain.equals(LOCALHOST)) {
            return domain;
        }
        if (domain.length() > MAX_DOMAIN || !DOMAIN.matcher(domain).matches()) {
            throw new InvalidValueException("must be a domain, such as example.com, in ASCII");
        }
        if (isPublicSuffix(domain)) {
            throw new InvalidValueException(
                    "must be a domain of your own, and not one under which anybody can register one");
        }
        return domain;
    }

    private static boolean isPublicSuffix(String domain) {
        return InternetDomainName.isValid(domain)
                && InternetDomainName.from(domain).isPublicSuffix();
    }

    /** The public key of an account with a captcha provider, which pages contain. */
    static String siteKey(String text) {
        if (!SITE_KEY.matcher(text).matches()) {
            throw new InvalidValueException("must be the site key that the provider shows");
        }
        return text;
    }

    /** A web origin, or that of an Android app, as apps send it with passkeys. */
    static String passkeyOrigin(String text) {
        return text.startsWith(ANDROID) ? androidOrigin(text) : origin(text);
    }

    private static String androidOrigin(String text) {
        if (!ANDROID_ORIGIN.matcher(text).matches()) {
            throw new InvalidValueException("must be android:apk-key-hash: and the SHA-256 of the app's certificate in"
                    + " base64url without padding");
        }
        return text;
    }

    /** A web origin, as browsers send it. */
    static String origin(String text) {
        var url = URI.create(WebUrl.absolute(text));
        if (url.getRawUserInfo() != null
                || !(url.getRawPath().isEmpty() || url.getRawPath().equals("/"))
                || url.getRawQuery() != null
                || url.getRawFragment() != null) {
            throw new InvalidValueException("must be an origin, such as https://app.example.com");
        }
        return WebOrigin.of(url);
    }
}
