package dev.vestibule.user;

import dev.vestibule.json.Fields;
import dev.vestibule.json.Page;
import dev.vestibule.json.Text;
import dev.vestibule.project.ProjectId;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which users a client asks for: those that match the filter and the term, or all if it is empty, from the given page or
 * cursor on.
 */
record UserListRequest(
        ProjectId project,
        String term,
        UserFilter filter,
        Page page,
        @Nullable UserCursor after) {
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
