package dev.vestibule.token.template;

import dev.vestibule.error.InvalidValueException;
import dev.vestibule.json.FieldType;
import dev.vestibule.json.Fields;
import dev.vestibule.json.Text;
import dev.vestibule.project.ClaimRule;
import dev.vestibule.token.CustomClaims;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The fields of a template in a request: everything except the id and the times. */
record JwtTemplateFields(
        String name,
        List<ClaimRule> claims,
        @Nullable Integer allowedLifetime,
        @Nullable Boolean isDefault) {
    private static final int MAX_NAME = 100;
    private static final int MAX_CLAIMS = 50;
    private static final int MAX_SOURCE = 256;
    private static final int MAX_STEPS = 16;
    private static final int MIN_LIFETIME = 30;
    private static final int MAX_LIFETIME = 86_400;

    /** Plain names, and URLs as collision-resistant names (RFC 7519, 4.2). */
    private static final Pattern KEY = Pattern.compile("[A-Za-z_][A-Za-z0-9_.:/~-]{0,127}");

    static JwtTemplateFields read(Fields fields) {
        var claims = claims(fields);
        return new JwtTemplateFields(
                fields.required("name", JwtTemplateFields::name),
                claims,
                fields.optional("allowedLifetime", FieldType.integer(MIN_LIFETIME, MAX_LIFETIME)),
                fields.optional("isDefault", FieldType.bool()));
    }

    static List<ClaimRule> claims(Fields fields) {
        if (!fields.isGiven("claims")) {
            fields.reject("claims", "is required");
        }
        var claims = fields.objects("claims", MAX_CLAIMS, JwtTemplateFields::claim);
        if (claims.stream().map(ClaimRule::key).distinct().count() < claims.size()) {
            fields.reject("claims", "must name each claim at most once");
        }
        if (fixedBytes(claims) > CustomClaims.MAX_BYTES) {
            fields.reject("claims", "must have at most " + CustomClaims.MAX_BYTES + " bytes of fixed values as JSON");
        }
        return claims;
    }

    static String name(String text) {
        return Text.line(text, MAX_NAME);
    }

    private static ClaimRule claim(Fields claim) {
        var key = claim.required("key", JwtTemplateFields::key);
        var source = claim.optional("source", JwtTemplateFields::source);
        var value = claim.optional("value", FieldType.any(CustomClaims.MAX_BYTES));
        if (claim.isGiven("source") == claim.isGiven("value")) {
            claim.reject("source", "must be there, or a value, but not both");
        }
        return new ClaimRule(key, source, value);
    }

    private static String key(String text) {
        if (!KEY.matcher(text).matches()) {
            throw new InvalidValueException(
                    "must have 1 to 128 letters, digits or _.:/~- and begin with a letter or _");
        }
        if (CustomClaims.isReserved(text)) {
            throw new InvalidValueException("must not be " + text + ", which tokens say themselves");
        }
        return text;
    }

    private static String source(String text) {
        if (text.equals("privateMetadata") || text.startsWith("privateMetadata.")) {
            throw new InvalidValueException("must not be private metadata, since users can read their tokens");
        }
        if (!CustomClaims.isSource(text)) {
            throw new InvalidValueException(
                    "must be id, email, displayName, avatarUrl, phone, externalId, emailVerified, phoneVerified,"
                            + " createdAt, publicMetadata, a path such as publicMetadata.role, organization.id,"
                            + " organization.slug or organization.role");
        }
        var steps = text.split("\\.", -1);
        if (text.length() > MAX_SOURCE
                || steps.length > MAX_STEPS
                || List.of(steps).contains("")) {
            throw new InvalidValueException(
                    "must have at most " + MAX_SOURCE + " characters and " + MAX_STEPS + " steps, none of them empty");
        }
        return Text.printable(text);
    }

    /** After a violation a rule may lack its key; the result is discarded anyway. */
    private static int fixedBytes(List<ClaimRule> claims) {
        return claims.stream()
                .filter(rule -> rule.key() != null && rule.value() != null)
                .mapToInt(rule -> CustomClaims.size(rule.key(), rule.value()))
                .sum();
    }
}
