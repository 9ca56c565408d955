package dev.vestibule.user;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fuzz.ParserTarget;
import dev.vestibule.project.ProjectId;
import java.util.UUID;

/** A cursor is good for its own list only. */
public final class UserCursorTarget {
    private static final ProjectId PROJECT = new ProjectId(new UUID(1, 2));

    private UserCursorTarget() {}

    public static void check(String text) {
        var cursor = ParserTarget.acceptedBy(typed -> UserCursor.read(typed, PROJECT, "a term"), text);
        if (cursor != null) {
            var elsewhere = ParserTarget.acceptedBy(typed -> UserCursor.read(typed, PROJECT, "another term"), text);
            assertThat((Object) elsewhere).isNull();
        }
    }
}
