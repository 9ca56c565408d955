package dev.vestibule.page;

import dev.vestibule.crypto.Sha256;
import dev.vestibule.http.CompressibleBody;
import java.util.Base64;
import java.util.Map;

/**
 * A file as the server sends it to browsers.
 *
 * @param digest the hash by which a page can name this very content (Subresource Integrity, 3.1)
 */
record Asset(String mediaType, CompressibleBody body, String digest) {
    private static final String FOR_EVER = "public, max-age=31536000, immutable";

    static Asset of(String mediaType, byte[] bytes) {
        return new Asset(
                mediaType,
                CompressibleBody.of(bytes),
                "sha256-" + Base64.getEncoder().encodeToString(Sha256.of(bytes)));
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
