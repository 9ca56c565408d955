package dev.vestibule.session;

import dev.vestibule.user.UserId;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * When the person behind a session last proved who they are ({@code auth_time} of OpenID Connect Core), and by what ({@code
 * amr}, RFC 8176); by nothing in a session that someone else opened in their name, or a test by its code. It stands beside
 * every token that is issued, so that none forgets who is really there.
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

    /** A code by SMS. */
    public static final String SMS = "sms";

    /** More than one factor. */
    public static final String SEVERAL_FACTORS = "mfa";

    /** One factor, or another system's word. */
    private static final String ONE_FACTOR = "aal1";

    /** Two different factors, or a device that asked for a second one itself. */
    private static final String TWO_FACTORS = "aal2";

    /** A key that cannot leave its device. */
    private static final String HARDWARE_KEY = "hwk";

    /** A key that may be kept on several devices. */
    private static final String SOFTWARE_KEY = "swk";

    private static final Set<String> KEYS = Set.of(HARDWARE_KEY, SOFTWARE_KEY);

    /** The device has recognised its owner, by a PIN or a fingerprint say. */
    private static final String USER_VERIFIED = "user";

    public Authentication {
        methods = List.copyOf(methods);
    }

    public Authentication(Instant at, List<String> methods) {
        this(at, methods, null);
    }

    /** Of a sign in by these methods that a one-time password has completed, or the set up of one. */
    public static Authentication withCode(List<String> methods, Instant at) {
        return new Authentication(
                at,
                Stream.concat(methods.stream(), Stream.of(ONE_TIME_PASSWORD, SEVERAL_FACTORS))
                        .toList());
    }

    /** Of a passkey, which is a factor by itself, and two where the device also verified the person. */
    public static Authentication byPasskey(boolean isOnSeveralDevices, boolean isVerified, Instant at) {
        var key = isOnSeveralDevices ? SOFTWARE_KEY : HARDWARE_KEY;
        return new Authentication(at, isVerified ? List.of(key, USER_VERIFIED, SEVERAL_FACTORS) : List.of(key));
    }

    public static Authentication by(String method, Instant at) {
        return new Authentication(at, List.of(method));
    }

    /** Whether more than one factor was asked for. */
    public boolean isMultiFactor() {
        return isMultiFactor(methods);
    }

    public static boolean isMultiFactor(List<String> methods) {
        return TWO_FACTORS.equals(assurance(methods));
    }

    /**
     * Of the session that was opened like this, once its user has proved who they are again: a single factor makes no less of
     * it, and a one-time password completes the other one that has opened it, if there was one.
     */
    public Authentication renewedBy(Authentication given) {
        if (given.isMultiFactor()) {
            return given;
        }
        if (isMultiFactor()) {
            return new Authentication(given.at(), methods);
        }
        var others = methods.stream()
                .filter(method -> !method.equals(ONE_TIME_PASSWORD))
                .toList();
        return given.methods().contains(ONE_TIME_PASSWORD) && !others.isEmpty() ? withCode(others, given.at()) : given;
    }

    /**
     * How much the methods prove ({@code acr} of OpenID Connect Core; RFC 9470): {@code aal1} or {@code aal2}, after the
     * authenticator assurance levels of NIST SP 800-63B. Null where they prove nothing of the person.
     */
    public static @Nullable String assurance(List<String> methods) {
        if (methods.isEmpty()) {
            return null;
        }
        return methods.contains(SEVERAL_FACTORS)
                        || (methods.contains(USER_VERIFIED) && methods.stream().anyMatch(KEYS::contains))
                ? TWO_FACTORS
                : ONE_FACTOR;
    }

    /** Of a session that is opened in someone's name. */
    public static Authentication ofImpersonator(UserId impersonator, Instant at) {
        return new Authentication(at, List.of(), impersonator);
    }
}
