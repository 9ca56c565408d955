package dev.vestibule.user.password;

import dev.vestibule.crypto.PasswordHasher;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.error.Violation;
import dev.vestibule.json.FieldRule;
import dev.vestibule.json.UnicodeText;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.UserFields;
import io.vertx.core.Future;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** New passwords: their rules, and their hashing. */
public final class NewPasswords {
    private static final int SHORTEST_NAME = 4;
    private static final Pattern BLANKS =
            Pattern.compile("^\\p{IsWhite_Space}++|(?<!\\p{IsWhite_Space})\\p{IsWhite_Space}++$");
    private static final Pattern ORNAMENT =
            Pattern.compile("(?<![^\\p{L}\\p{M}])[^\\p{L}\\p{M}]++$|[^\\p{L}\\p{M}\\p{N}]++");

    private final CommonPasswords common;
    private final BreachedPasswords breached;
    private final PasswordHasher hasher;

    public NewPasswords(CommonPasswords common, BreachedPasswords breached, PasswordHasher hasher) {
        this.common = common;
        this.breached = breached;
        this.hasher = hasher;
    }

    /** Returns the NFKC-normalised password, and refuses those that an attacker tries first for this account. */
    public FieldRule<String> rule(@Nullable String email, @Nullable String displayName, String projectName) {
        return rule(common, email, displayName, projectName);
    }

    /** The rule for a password that is read before the server can hash. */
    public static FieldRule<String> rule(
            CommonPasswords common, @Nullable String email, @Nullable String displayName, String projectName) {
        return text -> {
            var password = UserFields.newPassword(text);
            var withoutBlanks = BLANKS.matcher(password).replaceAll("");
            if (withoutBlanks.equalsIgnoreCase(email)) {
                throw new InvalidValueException("must not be the email");
            }
            var plain = withoutOrnament(password);
            if (names(email, displayName, projectName).anyMatch(plain::equals)) {
                throw new InvalidValueException("must not be the email, the display name or the project's name");
            }
            if (common.contains(withoutBlanks)) {
                throw new InvalidValueException("is one of the most common passwords; choose another");
            }
            return password;
        };
    }

    private static Stream<String> names(@Nullable String email, @Nullable String displayName, String projectName) {
        var mailbox = email == null ? null : email.substring(0, email.lastIndexOf('@'));
        return Stream.of(mailbox, displayName, projectName)
                .filter(Objects::nonNull)
                .map(NewPasswords::withoutOrnament)
                .filter(name -> name.length() >= SHORTEST_NAME);
    }

    /**
     * Lower-case letters and digits, without the digits at the end: {@code Ada Lovelace 1815!} is {@code adalovelace}.
     */
    private static String withoutOrnament(String text) {
        var normalised = UnicodeText.lower(UnicodeText.nfkc(text));
        return ORNAMENT.matcher(normalised).replaceAll("");
    }

    /** Hashes a password that follows the rule; a 422 for this field if it is known from a data breach. */
    public Future<String> hash(ProjectId project, String field, String password) {
        return breached.contains(password).compose(isBreached -> {
            if (isBreached) {
                throw ApiException.invalid(List.of(new Violation(field, "was found in a data breach; choose another")));
            }
            return hasher.hash(project.value(), password);
        });
    }
}
