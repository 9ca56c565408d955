package dev.vestibule.journal;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.error.NearestName;
import dev.vestibule.project.statistics.Counted;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Everything that is recorded about a project, and who learns of it. The type of a fact says what {@link Trail#record}
 * must be given, so a fact that somebody else is to learn of does not compile until its call has what that takes.
 *
 * <p>Users cause the facts whose action begins with {@code auth.}, {@code admin.} happens to users, {@code org.} to
 * organizations, and the rest to projects.
 */
public sealed interface Fact {
    /** The name in the audit log and in the API. */
    @JsonValue
    String action();

    /** Owners of the project read it in the audit log; nobody else is told. */
    enum Logged implements Fact {
        /** Recorded in addition to the sign up, if the project wants to know. */
        DISPOSABLE_EMAIL("auth.signup.disposable_email"),
        SIGN_IN_FAILED("auth.signin.failed"),
        SIGN_OUT("auth.signout"),
        REAUTHENTICATED("auth.reauthenticated"),

        TOKEN_REFRESHED("auth.token.refresh"),
        TOKEN_REUSED("auth.token.reused"),
        CODE_MISUSED("auth.code.misused"),

        SESSION_REVOKED("auth.session.revoked"),
        SESSIONS_REVOKED("auth.sessions.revoked"),
        EMAIL_CHANGE_UNDONE("auth.email.undone"),
        /** An account that never verified its email has lost it to its owner; nobody can be mailed about that. */
        EMAIL_RELEASED("auth.email.changed"),
        FACTOR_VERIFIED("auth.mfa.verify"),
        FACTOR_FAILED("auth.mfa.failed"),
        FACTOR_UNDONE("auth.factor.undone"),
        PASSKEY_RENAMED("auth.passkey.renamed"),
        USER_KEY_CREATED("auth.api_key.created"),
        USER_KEY_DELETED("auth.api_key.deleted"),
        ORGANIZATION_KEY_CREATED("org.api_key.created"),
        ORGANIZATION_KEY_DELETED("org.api_key.deleted"),

        PASSWORD_RESET_REQUESTED("auth.password.reset_requested"),

        CODE_REFUSED("auth.code.refused"),
        GRANT_REFUSED("auth.grant.refused"),
        /** One entry for all grants of a client that ended with this; each is an event. */
        GRANT_WITHDRAWN("auth.grant.withdrawn"),

        /** The statement that creates users, one or many of them, publishes each. */
        USER_CREATED("admin.user.created"),
        USERS_IMPORTED("admin.users.imported"),
        USERS_EXPORTED("admin.users.exported"),
        USER_UNLOCKED("admin.user.unlocked"),
        USER_IMPERSONATED("admin.user.impersonated"),
        USER_SESSION_REVOKED("admin.session.revoked"),
        USER_SESSIONS_REVOKED("admin.user.sessions_revoked"),
        USER_GRANT_WITHDRAWN("admin.user.grant.withdrawn"),
        USER_PROVIDER_TOKENS_READ("admin.user.provider_tokens_read"),

        ORGANIZATION_INVITATION_RESENT("org.invitation.sent"),
        ORGANIZATION_INVITATION_REJECTED("org.invitation.rejected"),
        ORGANIZATION_INVITATION_REVOKED("org.invitation.revoked"),
        ORGANIZATION_DOMAIN_ADDED("org.domain.added"),
        ORGANIZATION_DOMAIN_UPDATED("org.domain.updated"),
        ORGANIZATION_DOMAIN_VERIFIED("org.domain.verified"),
        ORGANIZATION_DOMAIN_FAILING("org.domain.failing"),
        ORGANIZATION_DOMAIN_LOST("org.domain.lost"),
        ORGANIZATION_DOMAIN_REMOVED("org.domain.removed"),
        ORGANIZATION_CONNECTION_ADDED("org.connection.added"),
        ORGANIZATION_CONNECTION_UPDATED("org.connection.updated"),
        ORGANIZATION_CONNECTION_REMOVED("org.connection.removed"),
        DIRECTORY_CREATED("org.directory.created"),
        DIRECTORY_UPDATED("org.directory.updated"),
        DIRECTORY_DELETED("org.directory.deleted"),
        DIRECTORY_TOKEN_CREATED("org.directory.token.created"),
        DIRECTORY_TOKEN_REVOKED("org.directory.token.revoked"),
        /** Groups of a directory; what they do to roles is told of each member. */
        GROUP_CREATED("org.group.created"),
        GROUP_UPDATED("org.group.updated"),
        GROUP_DELETED("org.group.deleted"),
        ORGANIZATION_SETUP_LINK_CREATED("org.setup_link.created"),
        ORGANIZATION_SETUP_LINK_REVOKED("org.setup_link.revoked"),

        PROJECT_CREATED("project.created"),
        PROJECT_UPDATED("project.updated"),
        PROJECT_DELETED("project.deleted"),
        /** A project without an owner has got one, an administrator of the server. */
        PROJECT_ADOPTED("project.adopted"),

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
        /** The texts of a mail or SMS in one language; without fields, they are the server's again. */
        MESSAGE_TEXTS_UPDATED("project.message_texts.updated"),

        PROVIDER_SET("project.provider.updated"),
        PROVIDER_REMOVED("project.provider.removed"),
        PROVIDER_TRIED("project.provider.tested"),

        WEBHOOK_CREATED("webhook.created"),
        WEBHOOK_UPDATED("webhook.updated"),
        WEBHOOK_DELETED("webhook.deleted"),
        WEBHOOK_SECRET_ROTATED("webhook.secret_rotated"),
        WEBHOOK_TESTED("webhook.tested"),
        WEBHOOK_DELIVERY_RETRIED("webhook.delivery.retried"),
        /** One entry for all that one call sends again. */
        WEBHOOK_DELIVERIES_RETRIED("webhook.deliveries.retried"),

        AUDIT_EXPORTED("audit.exported"),
        ENTRIES_DROPPED("audit.entries_dropped");

        /** Facts that anyone can cause as often as they like, without proving anything first. */
        private static final Set<Logged> REFUSED_ATTEMPTS =
                EnumSet.of(SIGN_IN_FAILED, CODE_REFUSED, FACTOR_FAILED, PASSWORD_RESET_REQUESTED);

        private final String action;

        Logged(String action) {
            this.action = action;
        }

        @Override
        public String action() {
            return action;
        }
    }

    /** Webhooks tell it to the application too, so recording it takes what the event is about. */
    enum Published implements Fact {
        /** The statement of a sign up with a session adds {@link EventKind#SESSION_CREATED}. */
        SIGNED_UP("auth.signup", EventKind.USER_CREATED, Counted.SIGN_UPS),
        /** A sign in from a new place is also mailed ({@link NoticeKind#NEW_SIGN_IN}). */
        SIGNED_IN("auth.signin", EventKind.SESSION_CREATED, Counted.SIGN_INS),

        PROFILE_UPDATED("auth.profile.updated", EventKind.USER_UPDATED),
        EMAIL_VERIFIED("auth.email.verified", EventKind.USER_UPDATED),
        ACCOUNT_DELETED("auth.account.deleted", EventKind.USER_DELETED),

        /** The account was created or claimed by this sign in or sign up, so nobody else needs a mail. */
        PROVIDER_LINKED_AT_SIGN_IN("auth.provider.linked", EventKind.PROVIDER_LINKED),
        /** The account was created by this sign up. */
        WALLET_LINKED_AT_SIGN_UP("auth.web3.verify", EventKind.WALLET_LINKED),
        /** What the first proof of an email removes may be a stranger's; the owner does it at this moment. */
        PROVIDERS_OF_STRANGER_UNLINKED("auth.provider.unlinked", EventKind.PROVIDER_UNLINKED),
        /**
         * Another identity of the same connection of an organization takes its place: the provider has created the
         * person again.
         */
        IDENTITY_REPLACED("auth.provider.unlinked", EventKind.PROVIDER_UNLINKED),
        WALLETS_OF_STRANGER_REMOVED("auth.web3.removed", EventKind.WALLET_UNLINKED),
        PASSKEYS_OF_STRANGER_REMOVED("auth.passkey.removed", EventKind.FACTOR_REMOVED),
        FACTOR_OF_STRANGER_REMOVED("auth.mfa.disabled", EventKind.FACTOR_REMOVED),

        GRANT_CREATED("auth.grant.created", EventKind.GRANT_CREATED),
        GRANT_ENDED("auth.grant.ended", EventKind.GRANT_ENDED),
        /** Their grants end: somebody else may have a copy of the code or token. */
        GRANT_CODE_MISUSED("auth.code.misused", EventKind.GRANT_ENDED),
        GRANT_TOKEN_REUSED("auth.token.reused", EventKind.GRANT_ENDED),

        USER_UPDATED("admin.user.updated", EventKind.USER_UPDATED),
        USER_BANNED("admin.user.banned", EventKind.USER_BANNED),
        USER_UNBANNED("admin.user.unbanned", EventKind.USER_UNBANNED),
        USER_DELETED("admin.user.deleted", EventKind.USER_DELETED),
        /** One entry for all factors that there were, if any; the notices are those of what was removed. */
        USER_FACTORS_RESET("admin.user.factors.reset", EventKind.FACTOR_REMOVED),

        /** Its first owner is an event of its own. */
        ORGANIZATION_CREATED("org.created", EventKind.ORGANIZATION_CREATED),
        ORGANIZATION_UPDATED("org.updated", EventKind.ORGANIZATION_UPDATED),
        ORGANIZATION_DELETED("org.deleted", EventKind.ORGANIZATION_DELETED),
        ORGANIZATION_MEMBER_ADDED("org.member.added", EventKind.ORGANIZATION_MEMBER_ADDED),
        ORGANIZATION_MEMBER_REMOVED("org.member.removed", EventKind.ORGANIZATION_MEMBER_REMOVED),
        ORGANIZATION_MEMBER_ROLE_CHANGED("org.member.role_changed", EventKind.ORGANIZATION_MEMBER_ROLE_CHANGED),
        ORGANIZATION_INVITATION_SENT("org.invitation.sent", EventKind.ORGANIZATION_INVITATION_CREATED),
        ORGANIZATION_INVITATION_ACCEPTED("org.invitation.accepted", EventKind.ORGANIZATION_INVITATION_ACCEPTED);

        private final String action;
        private final EventKind event;
        private final @Nullable Counted counted;

        Published(String action, EventKind event) {
            this(action, event, null);
        }

        Published(String action, EventKind event, @Nullable Counted counted) {
            this.action = action;
            this.event = event;
            this.counted = counted;
        }

        @Override
        public String action() {
            return action;
        }

        EventKind event() {
            return event;
        }

        /** What it adds to in the project's statistics. */
        @Nullable
        Counted counted() {
            return counted;
        }
    }

    /** A mail tells it to the person whose account it is, so recording it takes the mail. */
    enum Noticed implements Fact {
        PASSWORD_CHANGED("auth.password.changed", EventKind.USER_UPDATED, NoticeKind.PASSWORD_CHANGED),
        /** The proof of the email, which comes first, publishes the changed user; so it does for the next two. */
        PASSWORD_RESET("auth.password.reset", null, NoticeKind.PASSWORD_RESET),
        EMAIL_CHANGED("auth.email.changed", null, NoticeKind.EMAIL_CHANGED),
        EMAIL_CHANGE_REQUESTED("auth.email.change_requested", null, NoticeKind.EMAIL_CHANGE_REQUESTED),
        /** Management has set the password; its other changes of a user are {@link Published#USER_UPDATED}. */
        USER_PASSWORD_SET("admin.user.updated", EventKind.USER_UPDATED, NoticeKind.PASSWORD_CHANGED),
        PHONE_VERIFIED("auth.phone.verified", EventKind.USER_UPDATED, NoticeKind.PHONE_VERIFIED),
        ACCOUNT_LOCKED("auth.account.locked", null, NoticeKind.ACCOUNT_LOCKED),

        PROVIDER_LINKED("auth.provider.linked", EventKind.PROVIDER_LINKED, NoticeKind.PROVIDER_LINKED),
        PROVIDER_UNLINKED("auth.provider.unlinked", EventKind.PROVIDER_UNLINKED, NoticeKind.PROVIDER_UNLINKED),

        WALLET_LINKED("auth.web3.verify", EventKind.WALLET_LINKED, NoticeKind.PROVIDER_LINKED),
        WALLET_UNLINKED("auth.web3.removed", EventKind.WALLET_UNLINKED, NoticeKind.PROVIDER_UNLINKED),
        USER_WALLET_UNLINKED("admin.user.web3.removed", EventKind.WALLET_UNLINKED, NoticeKind.PROVIDER_UNLINKED),

        FACTOR_SET_UP("auth.mfa.setup", EventKind.FACTOR_ADDED, NoticeKind.FACTOR_ADDED),
        FACTOR_DISABLED("auth.mfa.disabled", EventKind.FACTOR_REMOVED, NoticeKind.FACTOR_REMOVED),
        BACKUP_CODES_REGENERATED("auth.mfa.backup_codes.regenerated", null, NoticeKind.BACKUP_CODES_REPLACED),

        PASSKEY_REGISTERED("auth.passkey.register", EventKind.FACTOR_ADDED, NoticeKind.PASSKEY_ADDED),
        PASSKEY_REMOVED("auth.passkey.removed", EventKind.FACTOR_REMOVED, NoticeKind.PASSKEY_REMOVED),
        USER_PASSKEY_REMOVED("admin.user.passkey.removed", EventKind.FACTOR_REMOVED, NoticeKind.PASSKEY_REMOVED),
        PASSKEY_CLONED("auth.passkey.cloned", null, NoticeKind.PASSKEY_CLONED),

        /** By the user; a server's is {@link Logged#USER_KEY_CREATED}. */
        OWN_KEY_CREATED("auth.api_key.created", null, NoticeKind.API_KEY_CREATED);

        private final String action;
        private final @Nullable EventKind event;
        private final NoticeKind notice;

        Noticed(String action, @Nullable EventKind event, NoticeKind notice) {
            this.action = action;
            this.event = event;
            this.notice = notice;
        }

        @Override
        public String action() {
            return action;
        }

        @Nullable
        EventKind event() {
            return event;
        }

        /** For a mail that waits for more than the transaction of the change. */
        public NoticeKind notice() {
            return notice;
        }
    }

    /** Whether {@code audit.refusedPerDay} limits how many of these a project's log has. */
    default boolean isRefusedAttempt() {
        return this instanceof Logged logged && Logged.REFUSED_ATTEMPTS.contains(logged);
    }

    /** The names of all facts, without duplicates. */
    static Stream<String> actions() {
        return Stream.of(Logged.values(), Published.values(), Noticed.values())
                .flatMap(Arrays::stream)
                .map(Fact::action)
                .distinct();
    }

    /** A field rule: the name of a fact. */
    static String named(String text) {
        var names = actions().sorted().toList();
        if (!names.contains(text)) {
            throw new InvalidValueException("must be the name of an event, such as "
                    + NearestName.of(text, names).orElse("auth.signin or admin.user.banned"));
        }
        return text;
    }
}
