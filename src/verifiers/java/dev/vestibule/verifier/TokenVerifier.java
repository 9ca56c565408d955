package dev.vestibule.verifier;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.JSONObjectUtils;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import dev.vestibule.verifier.InvalidTokenException.Unavailable;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.text.ParseException;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Verifies access tokens of a project without a request for each, and refuses those whose session or grant has ended.
 * It needs Nimbus JOSE + JWT and nothing else. Make one for the whole application; it is safe for threads.
 */
public final class TokenVerifier {
    /** Seconds that clocks may differ; the server keeps revocations a minute longer than tokens live. */
    private static final int LEEWAY = 5;

    private static final Duration KEYS_AGE = Duration.ofMinutes(5);
    private static final Duration LONGEST_ANSWER = Duration.ofSeconds(5);
    private static final int CACHE_SIZE = 10_000;

    private record Verified(JWTClaimsSet claims, long untilNanos) {}

    private final String url;
    private final String projectId;
    private final RevocationList revocations;
    private final boolean asksWhenSilent;
    private final DefaultJWTProcessor<SecurityContext> processor;
    private final HttpClient http = HttpClient.newHttpClient();
    private final Map<String, Verified> verified = Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Verified> eldest) {
            return size() > CACHE_SIZE;
        }
    });

    private TokenVerifier(String url, String projectId, String audience, RevocationList list, boolean asksWhenSilent) {
        this.url = url;
        this.projectId = projectId;
        this.revocations = list;
        this.asksWhenSilent = asksWhenSilent;
        this.processor = processor(url + "/v1/projects/" + projectId, audience);
    }

    /** Accepts the tokens that users get when they sign in. */
    public static TokenVerifier ofSessions(String url, String projectId, RevocationList revocations) {
        return new TokenVerifier(url, projectId, null, revocations, false);
    }

    /** Like {@link #ofSessions}, but asks the server while the list of revocations is not up to date. */
    public static TokenVerifier askingWhenSilent(String url, String projectId, RevocationList revocations) {
        return new TokenVerifier(url, projectId, null, revocations, true);
    }

    /** Accepts the OAuth access tokens that are for the API of this URI. */
    public static TokenVerifier ofApi(String url, String projectId, String audience, RevocationList revocations) {
        return new TokenVerifier(url, projectId, audience, revocations, false);
    }

    private DefaultJWTProcessor<SecurityContext> processor(String issuer, String audience) {
        var made = new DefaultJWTProcessor<SecurityContext>();
        try {
            var keys = JWKSourceBuilder.create(
                            URI.create(issuer + "/.well-known/jwks.json").toURL())
                    .cache(KEYS_AGE.toMillis(), LONGEST_ANSWER.toMillis())
                    .build();
            made.setJWSKeySelector(
                    new JWSVerificationKeySelector<>(Set.of(JWSAlgorithm.ES256, JWSAlgorithm.RS256), keys));
        } catch (MalformedURLException malformed) {
            throw new IllegalArgumentException(malformed);
        }
        var isOfSession = audience == null;
        made.setJWSTypeVerifier(
                new DefaultJOSEObjectTypeVerifier<>(isOfSession ? JOSEObjectType.JWT : new JOSEObjectType("at+jwt")));
        var exact = new JWTClaimsSet.Builder().issuer(issuer);
        var claims = new DefaultJWTClaimsVerifier<SecurityContext>(
                Set.of(isOfSession ? projectId : audience),
                (isOfSession ? exact.claim("type", "access") : exact).build(),
                Set.of("sub", "exp", isOfSession ? "sid" : "jti"),
                Set.of("cnf")); // bound to a key (RFC 9449), whose proof is not checked here
        claims.setMaxClockSkew(LEEWAY);
        made.setJWTClaimsSetVerifier(claims);
        return made;
    }

    /** Whether {@link #verify} needs no request and no signature check, so that it may run on an event loop. */
    public boolean isQuick(String token) {
        return revocations.isCurrent() ? remembered(token) != null : !asksWhenSilent;
    }

    /** The claims of a valid token. */
    public JWTClaimsSet verify(String token) throws InvalidTokenException {
        if (!revocations.isCurrent()) {
            return whenSilent(token);
        }
        var known = remembered(token);
        var claims = known == null ? check(token) : known;
        if (revocations.contains((String) claims.getClaim("sid"), claims.getJWTID())) {
            throw new InvalidTokenException("revoked", null);
        }
        return revocations.isCurrent() ? claims : whenSilent(token);
    }

    private JWTClaimsSet remembered(String token) {
        var known = verified.get(token);
        return known != null
                        && System.nanoTime() - known.untilNanos() < 0
                        && System.currentTimeMillis()
                                < known.claims().getExpirationTime().getTime() + LEEWAY * 1000L
                ? known.claims()
                : null;
    }

    private JWTClaimsSet check(String token) throws InvalidTokenException {
        try {
            var claims = processor.process(token, null);
            verified.put(token, new Verified(claims, System.nanoTime() + KEYS_AGE.toNanos()));
            return claims;
        } catch (KeySourceException failure) {
            throw new Unavailable("the key set cannot be read", failure);
        } catch (Exception invalid) {
            throw new InvalidTokenException("not a valid token", invalid);
        }
    }

    private JWTClaimsSet whenSilent(String token) throws InvalidTokenException {
        if (!asksWhenSilent) {
            throw new Unavailable("the list of revocations is not up to date", null);
        }
        try {
            var request = HttpRequest.newBuilder(URI.create(url + "/v1/auth/token/verify"))
                    .header("Authorization", "Bearer " + token)
                    .timeout(LONGEST_ANSWER)
                    .build();
            var response = http.send(request, BodyHandlers.ofString());
            if (response.statusCode() != 200 && response.statusCode() != 401) {
                throw new Unavailable("the server answered " + response.statusCode(), null);
            }
            var payload = JSONObjectUtils.getJSONObject(JSONObjectUtils.parse(response.body()), "payload");
            if (response.statusCode() == 401 || !projectId.equals(payload.get("projectId"))) {
                throw new InvalidTokenException("refused by the server", null);
            }
            return JWTClaimsSet.parse(payload);
        } catch (IOException | ParseException | IllegalArgumentException failure) {
            throw new Unavailable("the server does not answer", failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new Unavailable("interrupted", interrupted);
        }
    }
}
