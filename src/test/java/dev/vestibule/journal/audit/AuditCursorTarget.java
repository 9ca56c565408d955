package dev.vestibule.journal.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fuzz.ParserTarget;

/** A cursor has only one text. */
public final class AuditCursorTarget {
    private AuditCursorTarget() {}

    public static void check(String text) {
        var cursor = ParserTarget.acceptedBy(AuditCursor::read, text);
        if (cursor != null) {
            assertThat(cursor.text()).isEqualTo(text);
        }
    }
}
