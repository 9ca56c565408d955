package dev.vestibule.user;

import dev.vestibule.json.Fields;
import dev.vestibule.json.Page;
import dev.vestibule.json.Text;
import dev.vestibule.project.ProjectId;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Which users a client asks for: those that match the term, or all where it is empty, from the page or the cursor on. */
record UserListRequest(
        ProjectId project, String term, Page page, @Nullable UserCursor after) {
    private static final int MAX_TERM = 254;

    /** Reads {@code search} and {@code cursor}; the named parameter says the page otherwise. */
    static UserListRequest read(Fields fields, ProjectId project, Page page, String pageParameter) {
        var term = Objects.requireNonNullElse(fields.optional("search", UserListRequest::term), "");
        var after = fields.optional("cursor", text -> UserCursor.read(text, project, term));
        if (after != null && fields.isGiven(pageParameter)) {
            fields.reject(pageParameter, "must not come with a cursor, which says itself where the page begins");
        }
        return new UserListRequest(project, term, page, after);
    }

    /** The text of a cursor in the list that is asked for; null where there is none. */
    @Nullable
    String textOf(Optional<UserCursor> cursor) {
        return cursor.map(place -> place.text(project, term)).orElse(null);
    }

    /** Empty where the term is blank. */
    private static String term(String text) {
        return text.isBlank() ? "" : Text.line(text, MAX_TERM);
    }
}
