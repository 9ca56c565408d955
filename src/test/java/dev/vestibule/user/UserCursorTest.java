package dev.vestibule.user;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vestibule.error.InvalidValueException;
import dev.vestibule.project.ProjectId;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UserCursorTest {
    private static final ProjectId PROJECT = new ProjectId(new UUID(1, 2));

    private static String at(String time) {
        return new UserCursor(Instant.parse(time), new UserId(new UUID(3, 4))).text(PROJECT, "");
    }

    @Test
    void aCursorIsReadAsItWasWritten() {
        assertThat(UserCursor.read(at("2026-03-01T09:59:31.123456Z"), PROJECT, "")
                        .listedAt())
                .isEqualTo("2026-03-01T09:59:31.123456Z");
    }

    /** The digest is no secret, so anybody can write a time that PostgreSQL does not know. */
    @ParameterizedTest
    @ValueSource(strings = {"-9999-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "+250000-01-01T00:00:00Z"})
    void aTimeThatNoUserIsFromIsRefused(String time) {
        var text = at(time);
        assertThatThrownBy(() -> UserCursor.read(text, PROJECT, "")).isInstanceOf(InvalidValueException.class);
    }
}
