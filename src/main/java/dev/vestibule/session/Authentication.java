package dev.vestibule.session;

import java.time.Instant;
import java.util.List;

/**
 * When the person behind a session last proved who they are ({@code auth_time} of OpenID Connect Core), and by what ({@code
 * amr}, RFC 8176). The methods are unknown, and none, for a session that an older release opened.
 */
public record Authentication(Instant at, List<String> methods) {
    public static final String PASSWORD = "pwd";

    /** An identity provider vouches for the person. */
    public static final String PROVIDER = "fed";

    /** A code or link by mail. */
    public static final String MAIL = "mail";

    public Authentication {
        methods = List.copyOf(methods);
    }

    public static Authentication by(String method, Instant at) {
        return new Authentication(at, List.of(method));
    }
}
