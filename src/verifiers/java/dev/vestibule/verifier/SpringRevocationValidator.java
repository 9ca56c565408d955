package dev.vestibule.verifier;

import org.springframework.security.oauth2.core.OAuth2Error;
import org.springframework.security.oauth2.core.OAuth2TokenValidator;
import org.springframework.security.oauth2.core.OAuth2TokenValidatorResult;
import org.springframework.security.oauth2.jwt.Jwt;

/**
 * Refuses tokens whose session or grant has ended, and all tokens while nobody can know, after Spring Security's
 * decoder has checked the signature and its other validators the claims. For Spring Security 6 with
 * spring-security-oauth2-jose.
 */
public final class SpringRevocationValidator implements OAuth2TokenValidator<Jwt> {
    private static final OAuth2Error REVOKED =
            new OAuth2Error("invalid_token", "The session or grant of the token has ended.", null);
    private static final OAuth2Error SILENT =
            new OAuth2Error("temporarily_unavailable", "The list of revocations is not up to date.", null);

    private final RevocationList revocations;

    public SpringRevocationValidator(RevocationList revocations) {
        this.revocations = revocations;
    }

    @Override
    public OAuth2TokenValidatorResult validate(Jwt token) {
        var isRevoked = revocations.contains(token.getClaimAsString("sid"), token.getId());
        return !revocations.isCurrent()
                ? OAuth2TokenValidatorResult.failure(SILENT)
                : isRevoked ? OAuth2TokenValidatorResult.failure(REVOKED) : OAuth2TokenValidatorResult.success();
    }
}
