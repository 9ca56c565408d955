package dev.vestibule.oauth.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.json.FieldRule;
import dev.vestibule.json.Text;
import dev.vestibule.json.WebUrl;
import dev.vestibule.oauth.provider.ProviderConnection;
import dev.vestibule.user.UserFields;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes of what a provider says the fields that our users have; what breaks our rules counts as not said. */
final class UserInfoMapper {
    private static final int MAX_SUBJECT = 255; // OpenID Connect Core, 2
    private static final int MAX_NAME = 100;

    private UserInfoMapper() {}

    static ProviderIdentity read(ProviderConnection connection, JsonNode said, ProviderTokens tokens) {
        var mapping = connection.entry().user();
        var subject = mapping.subject().read(said).flatMap(text -> kept(text, UserInfoMapper::subject));
        if (subject.isEmpty()) {
            throw ProviderErrors.unusable(connection, "it does not say who the user is");
        }
        @Nullable String email = null;
        var isVerified = false;
        for (var source : mapping.emails()) {
            email = source.address()
                    .read(said)
                    .flatMap(text -> kept(text, UserFields::email))
                    .orElse(null);
            if (email != null) {
                isVerified = source.verified().read(said);
                break;
            }
        }
        return new ProviderIdentity(
                connection.provider(),
                subject.get(),
                email,
                isVerified,
                mapping.name()
                        .read(said)
                        .map(UserInfoMapper::cut)
                        .flatMap(text -> kept(text, UserFields::displayName))
                        .orElse(null),
                mapping.avatar()
                        .read(said)
                        .flatMap(text -> kept(text, WebUrl::absolute))
                        .orElse(null),
                tokens);
    }

    private static Optional<String> kept(String text, FieldRule<String> rule) {
        try {
            return Optional.of(rule.read(text));
        } catch (InvalidValueException unfit) {
            return Optional.empty();
        }
    }

    private static String subject(String text) {
        if (text.length() > MAX_SUBJECT) {
            throw new InvalidValueException("is too long");
        }
        return Text.printable(text);
    }

    /** A name that nobody could type is still somebody's: what does not fit is left out of it. */
    private static String cut(String name) {
        var fit = new StringBuilder();
        name.codePoints()
                .limit(10L * MAX_NAME)
                .filter(c -> c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE)
                .map(c -> Character.isISOControl(c) || c == '\u2028' || c == '\u2029' ? ' ' : c)
                .forEach(fit::appendCodePoint);
        var line = fit.toString().strip();
        return line.codePointCount(0, line.length()) <= MAX_NAME
                ? line
                : line.substring(0, line.offsetByCodePoints(0, MAX_NAME)).strip();
    }
}
