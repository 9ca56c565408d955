package dev.vestibule.oauth.server;

import dev.vestibule.error.InvalidValueException;
import dev.vestibule.json.FieldType;
import dev.vestibule.json.Fields;
import dev.vestibule.json.Text;
import dev.vestibule.oauth.jose.SignedAssertion;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A workload elsewhere, such as a job of GitHub Actions or a pod of Kubernetes, whose tokens prove that it is the
 * client.
 *
 * @param subject the {@code sub} of its tokens; a {@code *} at the end stands for any text
 * @param audience the {@code aud} of its tokens; null for the project's issuer or its token endpoint
 * @param singleUse whether a token with a {@code jti} works only once
 * @param jwks the issuer's keys; null if it publishes them (OpenID Connect Discovery 1.0)
 */
public record FederatedIdentity(
        String issuer,
        String subject,
        @Nullable String audience,
        boolean singleUse,
        @Nullable Map<String, Object> jwks) {
    private static final int MAX_TEXT = 512;
    private static final String ANY = "*";

    static FederatedIdentity read(Fields fields, OwnUrls urls) {
        var jwks = RegisteredKeys.read(fields);
        return new FederatedIdentity(
                fields.required("issuer", text -> issuer(text, jwks != null, urls)),
                fields.required("subject", FederatedIdentity::subject),
                fields.optional("audience", text -> Text.line(text, MAX_TEXT)),
                Objects.requireNonNullElse(fields.optional("singleUse", FieldType.bool()), true),
                jwks);
    }

    /** An issuer whose keys are known is never asked for anything, so its URL may lead nowhere. */
    private static String issuer(String text, boolean areKeysKnown, OwnUrls urls) {
        var url = areKeysKnown ? Text.line(text, MAX_TEXT) : urls.keys(text);
        if (url.contains("?")) {
            throw new InvalidValueException("must not have a query");
        }
        return url;
    }

    /**
     * A wildcard stands after a separator, or {@code repo:acme*} would also be {@code repo:acme-evil/…}; and after at
     * least two parts, or {@code repo:*} would be everybody on GitHub.
     */
    private static String subject(String text) {
        var line = Text.line(text, MAX_TEXT);
        var fixed = line.endsWith(ANY) ? line.substring(0, line.length() - 1) : line;
        if (!fixed.equals(line)
                && (!(fixed.endsWith(":") || fixed.endsWith("/"))
                        || fixed.chars()
                                        .filter(letter -> letter == ':' || letter == '/')
                                        .count()
                                < 2)) {
            throw new InvalidValueException("must have at least two parts before a *, the last one with its : or /");
        }
        return line;
    }

    /** Whether the claims are those of the workload, if the issuer has signed them. */
    boolean matches(SignedAssertion token, Set<String> ours) {
        var given = token.text("sub");
        return issuer.equals(token.text("iss"))
                && (subject.endsWith(ANY)
                        ? given.startsWith(subject.substring(0, subject.length() - 1))
                        : subject.equals(given))
                && token.isFor(audience == null ? ours : Set.of(audience));
    }
}
