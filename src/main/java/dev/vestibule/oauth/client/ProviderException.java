package dev.vestibule.oauth.client;

import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;

/** A sign in that failed at a provider; owners of the project who test it are told more than users are. */
public final class ProviderException extends ApiException {
    private static final long serialVersionUID = 1L;

    /** The kinds differ in what to do about them. */
    public enum Kind {
        /** It is down, slow, or at an address that this server must not call. */
        UNREACHABLE,
        /** It does not answer as its protocol demands. */
        UNUSABLE,
        /** The project's settings, here or at the provider, are wrong. */
        MISCONFIGURED,
        /** The response does not prove anybody's identity. */
        UNPROVEN
    }

    private final Kind kind;
    private final String finding;

    ProviderException(ErrorCode code, String message, Kind kind, String finding) {
        super(code, message);
        this.kind = kind;
        this.finding = finding;
    }

    public Kind kind() {
        return kind;
    }

    /** What the log says about it: part of a sentence about the provider, which quotes nothing that it sent. */
    public String finding() {
        return finding;
    }
}
