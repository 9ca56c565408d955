package dev.vestibule.oauth.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.json.FieldRule;
import dev.vestibule.json.Text;
import dev.vestibule.json.WebUrl;
import dev.vestibule.oauth.catalogue.UserMapping.Verified;
import dev.vestibule.oauth.provider.ProviderConnection;
import dev.vestibule.user.UserFields;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Maps a provider's claims to the fields of our users; a value that breaks our rules is ignored. */
final class UserInfoMapper {
    private static final int MAX_SUBJECT = 255; // OpenID Connect Core, 2
    private static final int MAX_NAME = 100;

    private UserInfoMapper() {}

    static ProviderIdentity read(ProviderConnection connection, JsonNode sources, ProviderTokens tokens) {
        var mapping = connection.entry().user();
        var subject = mapping.subject().read(sources).flatMap(text -> valid(text, UserInfoMapper::subject));
        if (subject.isEmpty()) {
            throw ProviderException.unusable(connection, "it does not send a usable subject");
        }
        @Nullable String email = null;
        var isVerified = false;
        for (var source : mapping.emails()) {
            email = source.address()
                    .read(sources)
                    .flatMap(text -> valid(text, UserFields::email))
                    .orElse(null);
            if (email != null) {
                isVerified = isVerified(connection, source.verified(), sources);
                break;
            }
        }
        return new ProviderIdentity(
                connection.provider(),
                connection.issuer(),
                subject.get(),
                email,
                isVerified,
                mapping.name()
                        .read(sources)
                        .map(UserInfoMapper::displayName)
                        .flatMap(text -> valid(text, UserFields::displayName))
                        .orElse(null),
                mapping.avatar()
                        .read(sources)
                        .flatMap(text -> valid(text, WebUrl::absolute))
                        .orElse(null),
                tokens);
    }

    /**
     * An organization's own provider need not say that an email is verified: Microsoft Entra never does. It is believed
     * only about the organization's own domains.
     */
    private static boolean isVerified(ProviderConnection connection, Verified verified, JsonNode sources) {
        return connection.organization() == null ? verified.read(sources) : !verified.isDenied(sources);
    }

    private static Optional<String> valid(String text, FieldRule<String> rule) {
        try {
            return Optional.of(rule.read(text));
        } catch (InvalidValueException invalid) {
            return Optional.empty();
        }
    }

    private static String subject(String text) {
        if (text.length() > MAX_SUBJECT) {
            throw new InvalidValueException("is too long");
        }
        return Text.printable(text);
    }

    /** Removes the characters that our rules forbid and shortens the name, rather than lose it. */
    private static String displayName(String name) {
        var allowed = new StringBuilder();
        name.codePoints()
                .limit(10L * MAX_NAME)
                .filter(c -> c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE)
                .map(c -> Character.isISOControl(c) || c == '\u2028' || c == '\u2029' ? ' ' : c)
                .forEach(allowed::appendCodePoint);
        var line = allowed.toString().strip();
        return line.codePointCount(0, line.length()) <= MAX_NAME
                ? line
                : line.substring(0, line.offsetByCodePoints(0, MAX_NAME)).strip();
    }
}
