package dev.vestibule.user.imports;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.vestibule.error.Violation;
import dev.vestibule.user.UserId;
import dev.vestibule.user.imports.UserCreation.Result;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The result of a line: the id of the created or existing user, with warnings about it, or the errors. */
@JsonInclude(JsonInclude.Include.NON_NULL)
record ImportResult(
        long line,
        Status status,
        @Nullable UserId id,
        @Nullable List<String> warnings,
        @Nullable List<Violation> errors) {
    private static final List<String> UNREACHABLE =
            List.of("The user has neither an email nor an identity, so there is no way to sign in yet.");
    private static final List<String> BY_SMS_ONLY =
            List.of("The user can sign in only by SMS, if the project's setting factors.sms is on.");

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
        return new ImportResult(line, Status.FAILED, null, null, errors);
    }

    private static @Nullable List<String> warnings(UserToCreate account) {
        if (!account.lacksEmailAndIdentity()) {
            return null;
        }
        return account.canSignInBySms() ? BY_SMS_ONLY : UNREACHABLE;
    }

    /** The result without its id if that is one of these, whose creation was undone. */
    ImportResult without(Set<UserId> undone) {
        return undone.contains(id) ? new ImportResult(line, status, null, warnings, errors) : this;
    }

    static ImportResult of(long line, UserToCreate account, Result result) {
        return switch (result.outcome()) {
            case CREATED -> new ImportResult(line, Status.CREATED, result.id(), warnings(account), null);
            case EXISTS -> new ImportResult(line, Status.EXISTS, result.id(), null, null);
            case ID_TAKEN -> failed(line, List.of(new Violation("id", "must not belong to another user")));
            case EXTERNAL_ID_TAKEN ->
                failed(line, List.of(new Violation("externalId", "must not belong to another user")));
            case PHONE_TAKEN ->
                failed(line, List.of(new Violation("phone", "must not be the verified number of another user")));
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
