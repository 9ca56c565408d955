package dev.vestibule.session;

import dev.vestibule.user.UserId;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * When the person behind a session last authenticated ({@code auth_time} of OpenID Connect Core), and by which methods
 * ({@code amr}, RFC 8176); there are none in a session that someone else, or an automatic test, opened in their name.
 * It accompanies every token that is issued, so that each one says who is really there.
 *
 * @param impersonator the dashboard user who acts as the session's user ({@code act}, RFC 8693); the user has then
 *     proved nothing
 */
public record Authentication(
        Instant at, List<String> methods, @Nullable UserId impersonator) {
    public static final String PASSWORD = "pwd";

    /** An identity provider vouches for the person. */
    public static final String PROVIDER = "fed";

    /** A code or link by mail. */
    public static final String MAIL = "mail";

    /** A one-time password from an authenticator app, or a backup code. */
    public static final String ONE_TIME_PASSWORD = "otp";

    /** A code by SMS. */
    public static final String SMS = "sms";

    /** The key of a wallet: a key in software, as far as anybody knows (RFC 8176). */
    public static final String WALLET = "swk";

    /** More than one factor. */
    public static final String SEVERAL_FACTORS = "mfa";

    /** One factor, or the assertion of another system. */
    private static final String ONE_FACTOR = "aal1";

    /** Two different factors, or a device that asked for a second one itself. */
    private static final String TWO_FACTORS = "aal2";

    /** A key that cannot leave its device. */
    private static final String HARDWARE_KEY = "hwk";

    /** A key that can be synchronised between devices. */
    private static final String SOFTWARE_KEY = WALLET;

    private static final Set<String> KEYS = Set.of(HARDWARE_KEY, SOFTWARE_KEY);

    /** The device has recognised its owner, for example by a PIN or a fingerprint. */
    private static final String USER_VERIFIED = "user";

    public Authentication {
        methods = List.copyOf(methods);
    }

    public Authentication(Instant at, List<String> methods) {
        this(at, methods, null);
    }

    /** A sign in with these methods that a one-time password, or setting one up, has completed. */
    public static Authentication withCode(List<String> methods, Instant at) {
        return new Authentication(
                at,
                Stream.concat(methods.stream(), Stream.of(ONE_TIME_PASSWORD, SEVERAL_FACTORS))
                        .toList());
    }

    /** A sign in with a passkey, which is one factor, or two if the device also verified the person. */
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
     * The authentication of a session that was opened with this, after its user has reauthenticated: a single factor
     * does not weaken it, and a one-time password adds to the factor that opened it, if there was one.
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
     * How much the methods prove ({@code acr} of OpenID Connect Core; RFC 9470): {@code aal1} or {@code aal2}, after
     * the authenticator assurance levels of NIST SP 800-63B. Null if they prove nothing about the person.
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

    /** A session that is opened in someone else's name. */
    public static Authentication byImpersonator(UserId impersonator, Instant at) {
        return new Authentication(at, List.of(), impersonator);
    }
}
