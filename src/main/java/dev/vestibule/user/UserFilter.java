package dev.vestibule.user;

import dev.vestibule.error.InvalidValueException;
import dev.vestibule.http.Query;
import dev.vestibule.json.Fields;
import dev.vestibule.json.Text;
import dev.vestibule.json.Timestamps;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Which users a list shows, in addition to a search, and in which order; null: all of them. */
record UserFilter(
        @Nullable Boolean isBanned,
        @Nullable Boolean emailVerified,
        @Nullable Boolean mfaEnabled,
        @Nullable String provider,
        @Nullable Instant createdFrom,
        @Nullable Instant createdTo,
        boolean oldestFirst) {
    /** All users, newest first. */
    static final UserFilter NONE = new UserFilter(null, null, null, null, null, null, false);

    private static final int MAX_PROVIDER = 64;

    static UserFilter read(Fields fields) {
        return new UserFilter(
                fields.optional("isBanned", Query.flag()),
                fields.optional("emailVerified", Query.flag()),
                fields.optional("mfaEnabled", Query.flag()),
                fields.optional("provider", text -> Text.line(text, MAX_PROVIDER)),
                fields.optional("createdFrom", Timestamps::parse),
                fields.optional("createdTo", Timestamps::parse),
                Boolean.TRUE.equals(fields.optional("order", UserFilter::isOldestFirst)));
    }

    private static boolean isOldestFirst(String text) {
        return switch (text) {
            case "oldest" -> true;
            case "newest" -> false;
            default -> throw new InvalidValueException("must be newest or oldest");
        };
    }
}
