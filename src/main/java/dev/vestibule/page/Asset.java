package dev.vestibule.page;

import dev.vestibule.http.CompressibleBody;
import java.util.Map;

/** A file as browsers get it. */
record Asset(String mediaType, CompressibleBody body) {
    private static final String FOR_EVER = "public, max-age=31536000, immutable";

    static Asset of(String mediaType, byte[] bytes) {
        return new Asset(mediaType, CompressibleBody.of(bytes));
    }

    /** Under an old address, as a page of another node's version names it, the file may be another one: not to be kept. */
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
