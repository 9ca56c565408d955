package dev.vestibule.user;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.vestibule.project.Project;
import dev.vestibule.project.ProjectId;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A user as the API returns it to everybody who may see the user; nothing in it is secret. {@link ManagedUser} shows more,
 * such as the external id, which is here only so that each statement need not return it twice.
 *
 * @param secondFactors what the user has beside one factor; {@link #secondFactor} says what counts
 */
public record User(
        UserId id,
        ProjectId projectId,
        @Nullable String email,
        @Nullable String displayName,
        @Nullable String avatarUrl,
        @Nullable String phone,
        @JsonIgnore @Nullable String externalId,
        boolean emailVerified,
        boolean phoneVerified,
        boolean isBanned,
        @JsonIgnore SecondFactors secondFactors,
        @Nullable Map<String, Object> publicMetadata,
        int signInCount,
        @Nullable Instant lastSignInAt,
        Instant createdAt,
        Instant updatedAt,
        @JsonIgnore @Nullable Instant enrolmentFrom) {
    /** Since when the user has time to set up a second factor, where the project requires one. */
    public Instant enrolmentStart() {
        return enrolmentFrom == null ? createdAt : enrolmentFrom;
    }

    /**
     * False until the email is proved: until then anyone may have made the account, and nobody can be told of what is done to it.
     * A phone number is no such proof, since the first one of the email takes the account from whoever has the number.
     */
    @JsonIgnore
    public boolean isProven() {
        return email != null && emailVerified;
    }

    /**
     * What a way in of one factor has to ask for: the one place that decides what counts as a second factor. A passkey does not
     * while the email is not proved, or there is none: its maker may be anyone, and nobody would read the mail that undoes it.
     * One that did goes on when management changes the email or doubts it.
     */
    public SecondFactor secondFactor(Project project) {
        if (secondFactors.hasTotp()) {
            return SecondFactor.TOTP;
        }
        return hasPasskeyAsFactor(project) ? SecondFactor.PASSKEY : SecondFactor.NONE;
    }

    public boolean hasSecondFactor(Project project) {
        return secondFactor(project) != SecondFactor.NONE;
    }

    /** Whether there is one beside one-time passwords, if there are these. */
    public boolean hasPasskeyAsFactor(Project project) {
        return (isProven() || secondFactors.areHeld()) && secondFactors.hasPasskey(project);
    }
}
