package dev.vestibule.user;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.vestibule.journal.Subject;
import dev.vestibule.journal.Target;
import dev.vestibule.project.Project;
import dev.vestibule.project.ProjectId;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A user as the API returns it to everybody who may see the user; nothing in it is secret. {@link ManagedUser} shows
 * more, such as the external id, which is here only so that statements need not return it twice.
 *
 * @param secondFactors what the user has in addition to one factor; {@link #secondFactor} says what counts
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
        @JsonIgnore @Nullable Instant enrolmentFrom)
        implements Subject {
    @Override
    public Target target() {
        return Target.user(id.value());
    }

    @Override
    public Map<String, Object> data() {
        return Map.of("user", this);
    }

    /** Whether a code has proved that the number is the user's. */
    public boolean hasVerified(String number) {
        return phoneVerified && number.equals(phone);
    }

    /** The start of the user's grace period to set up a second factor, if the project requires one. */
    public Instant enrolmentStart() {
        return enrolmentFrom == null ? createdAt : enrolmentFrom;
    }

    /**
     * False until the email is proved: until then, anyone may have created the account, and nobody can be notified of
     * what happens to it. A phone number is not enough, since the first proof of the email takes the account from
     * anyone who has the number.
     */
    @JsonIgnore
    public boolean isProven() {
        return email != null && emailVerified;
    }

    /**
     * Whether the user can set up the second factor that a sign in asks for: not while the email waits for its first
     * proof, which takes the account from anyone who is in it. Nobody else can be in an account that has had no email
     * yet.
     */
    public boolean canHaveFactor() {
        return email == null || emailVerified;
    }

    /**
     * Whether a password can be the first step of the user's sign ins. Where none can, a code by mail or SMS is that
     * step for a user with one-time passwords, who could not sign in any more otherwise.
     */
    public boolean canHavePassword(Project project) {
        return email != null && project.factors().password();
    }

    /**
     * What a sign in with one factor must ask for. This is the one place that decides what counts as a second factor. A
     * passkey does not count while the email is missing or not proved: anyone may have created it, and nobody would
     * read the mail that undoes it. A passkey that already counted still does after management changes the email or
     * marks it as unverified.
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

    /** Whether a passkey is a second factor, alone or in addition to one-time passwords. */
    public boolean hasPasskeyAsFactor(Project project) {
        return (isProven() || secondFactors.areHeld()) && secondFactors.hasPasskey(project);
    }
}
