package dev.vestibule.oauth.client;

import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorStatus;

/** A sign in that a provider did not let through; owners of the project who test it are told more than users are. */
public final class ProviderException extends ApiException {
    private static final long serialVersionUID = 1L;

    /** What is to be done about it differs. */
    public enum Kind {
        /** It is down, slow, or at no address that this server may call. */
        UNREACHABLE,
        /** It does not answer as its protocol demands. */
        UNUSABLE,
        /** The project's settings, here or there, are wrong. */
        MISCONFIGURED,
        /** What came back proves nobody's identity. */
        UNPROVEN
    }

    private final Kind kind;
    private final String finding;

    ProviderException(ErrorStatus status, String message, Kind kind, String finding) {
        super(status, message);
        this.kind = kind;
        this.finding = finding;
    }

    public Kind kind() {
        return kind;
    }

    /** What the log says of it: a part of a sentence about the provider, which quotes nothing of what it sent. */
    public String finding() {
        return finding;
    }
}
