package dev.vestibule.journal.audit;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.error.NearestName;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The events of the audit log: users cause {@code auth.}, {@code admin.} happens to users, and the rest to projects.
 */
public enum AuditEvent {
    SIGN_UP("auth.signup"),
    DISPOSABLE_EMAIL("auth.signup.disposable_email"),
    SIGN_IN("auth.signin"),
    SIGN_IN_FAILED("auth.signin.failed"),
    SIGN_OUT("auth.signout"),
    ACCOUNT_LOCKED("auth.account.locked"),
    REAUTHENTICATED("auth.reauthenticated"),

    TOKEN_REFRESHED("auth.token.refresh"),
    TOKEN_REUSED("auth.token.reused"),
    CODE_MISUSED("auth.code.misused"),

    SESSION_REVOKED("auth.session.revoked"),
    SESSIONS_REVOKED("auth.sessions.revoked"),
    EMAIL_CHANGE_REQUESTED("auth.email.change_requested"),
    EMAIL_CHANGED("auth.email.changed"),
    EMAIL_CHANGE_UNDONE("auth.email.undone"),
    ACCOUNT_DELETED("auth.account.deleted"),
    FACTOR_SET_UP("auth.mfa.setup"),
    FACTOR_VERIFIED("auth.mfa.verify"),
    FACTOR_FAILED("auth.mfa.failed"),
    FACTOR_DISABLED("auth.mfa.disabled"),
    FACTOR_UNDONE("auth.factor.undone"),
    BACKUP_CODES_REGENERATED("auth.mfa.backup_codes.regenerated"),
    PASSKEY_REGISTERED("auth.passkey.register"),
    PASSKEY_RENAMED("auth.passkey.renamed"),
    PASSKEY_REMOVED("auth.passkey.removed"),
    PASSKEY_CLONED("auth.passkey.cloned"),

    WALLET_VERIFIED("auth.web3.verify"),
    WALLET_REMOVED("auth.web3.removed"),
    USER_KEY_CREATED("auth.api_key.created"),
    USER_KEY_DELETED("auth.api_key.deleted"),

    PASSWORD_CHANGED("auth.password.changed"),
    PASSWORD_RESET("auth.password.reset"),
    PASSWORD_RESET_REQUESTED("auth.password.reset_requested"),

    EMAIL_VERIFIED("auth.email.verified"),
    PHONE_VERIFIED("auth.phone.verified"),
    CODE_REFUSED("auth.code.refused"),

    PROFILE_UPDATED("auth.profile.updated"),

    PROVIDER_LINKED("auth.provider.linked"),
    PROVIDER_UNLINKED("auth.provider.unlinked"),

    GRANT_CREATED("auth.grant.created"),
    GRANT_REFUSED("auth.grant.refused"),
    GRANT_ENDED("auth.grant.ended"),

    USER_CREATED("admin.user.created"),
    USER_UPDATED("admin.user.updated"),
    USER_BANNED("admin.user.banned"),
    USER_UNBANNED("admin.user.unbanned"),
    USER_UNLOCKED("admin.user.unlocked"),
    USER_DELETED("admin.user.deleted"),
    USER_IMPERSONATED("admin.user.impersonated"),
    USER_FACTORS_RESET("admin.user.factors.reset"),
    USER_PASSKEY_REMOVED("admin.user.passkey.removed"),
    USER_WALLET_REMOVED("admin.user.web3.removed"),
    USER_SESSION_REVOKED("admin.session.revoked"),
    USER_SESSIONS_REVOKED("admin.user.sessions_revoked"),
    USER_PROVIDER_TOKENS_READ("admin.user.provider_tokens_read"),

    USERS_IMPORTED("admin.users.imported"),
    USERS_EXPORTED("admin.users.exported"),

    PROJECT_CREATED("project.created"),
    PROJECT_UPDATED("project.updated"),
    PROJECT_DELETED("project.deleted"),

    KEY_CREATED("project.key.created"),
    KEY_UPDATED("project.key.updated"),
    KEY_REVOKED("project.key.revoked"),

    SIGNING_KEYS_ROTATED("project.signing_keys.rotated"),

    INVITATION_SENT("project.invitation.sent"),
    INVITATION_ACCEPTED("project.invitation.accepted"),
    INVITATION_WITHDRAWN("project.invitation.withdrawn"),

    MEMBER_ROLE_CHANGED("project.member.role_changed"),
    MEMBER_REMOVED("project.member.removed"),

    JWT_TEMPLATE_CREATED("project.jwt_template.created"),
    JWT_TEMPLATE_UPDATED("project.jwt_template.updated"),
    JWT_TEMPLATE_DELETED("project.jwt_template.deleted"),

    OAUTH_CLIENT_CREATED("project.oauth_client.created"),
    OAUTH_CLIENT_UPDATED("project.oauth_client.updated"),
    OAUTH_CLIENT_DELETED("project.oauth_client.deleted"),
    OAUTH_CLIENT_SECRET_CREATED("project.oauth_client.secret.created"),
    OAUTH_CLIENT_SECRET_DELETED("project.oauth_client.secret.deleted"),

    OAUTH_API_CREATED("project.oauth_api.created"),
    OAUTH_API_UPDATED("project.oauth_api.updated"),
    OAUTH_API_DELETED("project.oauth_api.deleted"),

    BRANDING_UPDATED("project.branding.updated"),

    PROVIDER_SET("project.provider.updated"),
    PROVIDER_REMOVED("project.provider.removed"),
    PROVIDER_TRIED("project.provider.tested"),

    WEBHOOK_CREATED("webhook.created"),
    WEBHOOK_UPDATED("webhook.updated"),
    WEBHOOK_DELETED("webhook.deleted"),
    WEBHOOK_SECRET_ROTATED("webhook.secret_rotated"),
    WEBHOOK_TESTED("webhook.tested"),
    WEBHOOK_DELIVERY_RETRIED("webhook.delivery.retried"),

    AUDIT_EXPORTED("audit.exported"),
    ENTRIES_DROPPED("audit.entries_dropped");

    /** Events that clients know but this server never writes: a filter accepts them and finds nothing. */
    private static final Set<String> NEVER_WRITTEN = Set.of(
            "org.created",
            "org.deleted",
            "org.member.added",
            "org.member.removed",
            "org.member.role_changed",
            "org.invitation.sent",
            "org.invitation.accepted");

    private static final List<String> NAMES = Stream.concat(
                    Arrays.stream(values()).map(AuditEvent::text), NEVER_WRITTEN.stream())
            .distinct()
            .sorted()
            .toList();

    /** What anyone can cause as often as they like, without proving anything first. */
    private static final Set<AuditEvent> REFUSED_ATTEMPTS =
            EnumSet.of(SIGN_IN_FAILED, CODE_REFUSED, FACTOR_FAILED, PASSWORD_RESET_REQUESTED);

    private final String text;

    AuditEvent(String text) {
        this.text = text;
    }

    /** Whether {@code audit.refusedPerDay} limits how many of these a project's log has. */
    boolean isRefusedAttempt() {
        return REFUSED_ATTEMPTS.contains(this);
    }

    /** The name in the API and in the database. */
    @JsonValue
    public String text() {
        return text;
    }

    /** A field rule: the name of an event. */
    static String named(String text) {
        if (!NAMES.contains(text)) {
            throw new InvalidValueException("must be the name of an event, such as "
                    + NearestName.of(text, NAMES).orElse("auth.signin or admin.user.banned"));
        }
        return text;
    }
}
