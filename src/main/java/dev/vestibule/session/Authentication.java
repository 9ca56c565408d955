package dev.vestibule.session;

import dev.vestibule.user.UserId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * When the person behind a session last proved who they are ({@code auth_time} of OpenID Connect Core), and by what ({@code
 * amr}, RFC 8176). The methods are unknown, and none, for a session that an older release opened. It stands beside every
 * token that is issued, so that none forgets who is really there.
 *
 * @param impersonator the dashboard user who acts as the session's user ({@code act}, RFC 8693), who has proved nothing then
 */
public record Authentication(
        Instant at, List<String> methods, @Nullable UserId impersonator) {
    public static final String PASSWORD = "pwd";

    /** An identity provider vouches for the person. */
    public static final String PROVIDER = "fed";

    /** A code or link by mail. */
    public static final String MAIL = "mail";

    /** A one-time password: of an authenticator app, or a backup code. */
    public static final String ONE_TIME_PASSWORD = "otp";

    /** More than one factor. */
    public static final String SEVERAL_FACTORS = "mfa";

    public Authentication {
        methods = List.copyOf(methods);
    }

    public Authentication(Instant at, List<String> methods) {
        this(at, methods, null);
    }

    /** Of a sign in by password that a second factor has completed. */
    public static Authentication byPasswordAndCode(Instant at) {
        return new Authentication(at, List.of(PASSWORD, ONE_TIME_PASSWORD, SEVERAL_FACTORS));
    }

    public static Authentication by(String method, Instant at) {
        return new Authentication(at, List.of(method));
    }

    /** Of a session that is opened in someone's name. */
    public static Authentication ofImpersonator(UserId impersonator, Instant at) {
        return new Authentication(at, List.of(), impersonator);
    }
}
