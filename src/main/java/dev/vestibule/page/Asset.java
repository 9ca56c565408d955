package dev.vestibule.page;

import dev.vestibule.http.CompressibleBody;
import java.util.Map;

/** A file as the server sends it to browsers. */
record Asset(String mediaType, CompressibleBody body) {
    private static final String FOR_EVER = "public, max-age=31536000, immutable";

    static Asset of(String mediaType, byte[] bytes) {
        return new Asset(mediaType, CompressibleBody.of(bytes));
    }

    /**
     * Under the URL of another version, which a page of another node may use, the file can differ, so browsers must not
     * cache it.
     */
    Map<String, String> headers(boolean isCurrent) {
        return Map.of(
                "Content-Type",
                mediaType,
                "Cache-Control",
                isCurrent ? FOR_EVER : "no-store",
                "Cross-Origin-Resource-Policy",
                "same-origin");
    }
}
