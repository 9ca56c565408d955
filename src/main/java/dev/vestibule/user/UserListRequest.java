package dev.vestibule.user;

import dev.vestibule.error.InvalidValueException;
import dev.vestibule.http.Query;
import dev.vestibule.json.Fields;
import dev.vestibule.json.Page;
import dev.vestibule.json.Text;
import dev.vestibule.json.Timestamps;
import dev.vestibule.project.ProjectId;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which users a client asks for: those that match the filter and the term, or all if it is empty, from the given page
 * or cursor on.
 */
record UserListRequest(
        ProjectId project,
        String term,
        UserFilter filter,
        Page page,
        @Nullable UserCursor after) {
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

    private static final int MAX_TERM = 254;

    /** Reads {@code search} and {@code cursor}; without a cursor, the named parameter selects the page. */
    static UserListRequest read(Fields fields, ProjectId project, UserFilter filter, Page page, String pageParameter) {
        var term = Objects.requireNonNullElse(fields.optional("search", UserListRequest::term), "");
        var after = fields.optional("cursor", text -> UserCursor.read(text, project, list(term, filter)));
        if (after != null && fields.isGiven(pageParameter)) {
            fields.reject(pageParameter, "must not come with a cursor, which already says where the page begins");
        }
        return new UserListRequest(project, term, filter, page, after);
    }

    /** Whether all users of the project are in the list, in whichever order. */
    boolean selectsAll() {
        return term.isEmpty()
                && filter.equals(new UserFilter(null, null, null, null, null, null, filter.oldestFirst()));
    }

    /** The text of a cursor in the requested list; null if there is none. */
    @Nullable
    String textOf(Optional<UserCursor> cursor) {
        return cursor.map(place -> place.text(project, list(term, filter))).orElse(null);
    }

    /** What tells one list of a project from another, so that a cursor serves only its own. */
    private static String list(String term, UserFilter filter) {
        return filter.equals(UserFilter.NONE) ? term : term + "\n" + filter;
    }

    /** Empty if the term is blank. */
    private static String term(String text) {
        return text.isBlank() ? "" : Text.line(text, MAX_TERM);
    }
}
