package dev.vestibule.user.imports;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.vestibule.error.Violation;
import dev.vestibule.user.UserId;
import dev.vestibule.user.imports.UserCreation.Result;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The result of a line: the id of the user who was created or exists, or the errors. */
@JsonInclude(JsonInclude.Include.NON_NULL)
record ImportResult(
        long line,
        Status status,
        @Nullable UserId id,
        @Nullable List<Violation> errors) {
    enum Status {
        CREATED,
        EXISTS,
        FAILED;

        @JsonValue
        String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static ImportResult failed(long line, List<Violation> errors) {
        return new ImportResult(line, Status.FAILED, null, errors);
    }

    static ImportResult of(long line, Result result) {
        return switch (result.outcome()) {
            case CREATED -> new ImportResult(line, Status.CREATED, result.id(), null);
            case EXISTS -> new ImportResult(line, Status.EXISTS, result.id(), null);
            case ID_TAKEN -> failed(line, List.of(new Violation("id", "must not belong to another user")));
            case IDENTITY_TAKEN ->
                failed(line, List.of(new Violation("identities", "must not belong to another user")));
            case ISSUER_UNKNOWN ->
                failed(
                        line,
                        List.of(new Violation(
                                "identities", "must name their issuer, or the provider must be set up before")));
        };
    }
}
