package dev.vestibule.page;

import dev.vestibule.http.Reply;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** A file as browsers get it; {@code gzipped} is null where compression saves nothing. */
record Asset(String mediaType, Buffer bytes, @Nullable Buffer gzipped) {
    private static final String FOR_EVER = "public, max-age=31536000, immutable";

    static Asset of(String mediaType, byte[] bytes) {
        var gzipped = gzip(bytes);
        return new Asset(
                mediaType, Buffer.buffer(bytes), gzipped.length < bytes.length ? Buffer.buffer(gzipped) : null);
    }

    private static byte[] gzip(byte[] bytes) {
        var target = new ByteArrayOutputStream(bytes.length);
        try (var gzip = new GZIPOutputStream(target)) {
            gzip.write(bytes);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return target.toByteArray();
    }

    /** Under an old address, as a page of another node's version names it, the file may be another one: not to be kept. */
    Reply reply(boolean isCurrent, boolean takesGzip) {
        var headers = new HashMap<>(Map.of(
                "Content-Type",
                mediaType,
                "Vary",
                "Accept-Encoding",
                "Cache-Control",
                isCurrent ? FOR_EVER : "no-store",
                "Cross-Origin-Resource-Policy",
                "same-origin"));
        if (takesGzip && gzipped != null) {
            headers.put("Content-Encoding", "gzip");
            return new Reply(200, gzipped, Map.copyOf(headers));
        }
        return new Reply(200, bytes, Map.copyOf(headers));
    }
}
