package dev.vestibule.error;

/** The HTTP statuses (RFC 9110, RFC 6585) of the error responses that this server sends. */
public enum ErrorStatus {
    BAD_REQUEST(400, "Bad Request"),
    UNAUTHORIZED(401, "Unauthorized"),
    FORBIDDEN(403, "Forbidden"),
    NOT_FOUND(404, "Not Found"),
    METHOD_NOT_ALLOWED(405, "Method Not Allowed"),
    REQUEST_TIMEOUT(408, "Request Timeout"),
    CONFLICT(409, "Conflict"),
    PAYLOAD_TOO_LARGE(413, "Payload Too Large"),
    URI_TOO_LONG(414, "URI Too Long"),
    UNSUPPORTED_MEDIA_TYPE(415, "Unsupported Media Type"),
    UNPROCESSABLE(422, "Unprocessable Entity"),
    TOO_MANY_REQUESTS(429, "Too Many Requests"),
    HEADERS_TOO_LARGE(431, "Request Header Fields Too Large"),
    INTERNAL(500, "Internal Server Error"),
    BAD_GATEWAY(502, "Bad Gateway"),
    UNAVAILABLE(503, "Service Unavailable");

    private final int code;
    private final String reasonPhrase;

    ErrorStatus(int code, String reasonPhrase) {
        this.code = code;
        this.reasonPhrase = reasonPhrase;
    }

    public int code() {
        return code;
    }

    /** The status name, which is also the {@code error} field of the body. */
    public String reasonPhrase() {
        return reasonPhrase;
    }
}
