package dev.vestibule.http;

import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * A body that is the same for everybody, compressed once for all readers; {@code gzipped} is null if compression saves
 * nothing. Do not use it for bodies that contain a secret, since their compressed length could reveal it (BREACH).
 */
public record CompressibleBody(Buffer bytes, @Nullable Buffer gzipped) {
    private static final String VARY = "Vary";
    private static final String ACCEPT_ENCODING = "Accept-Encoding";

    /** Takes milliseconds for a large body, so do not call it on an event loop. */
    public static CompressibleBody of(byte[] bytes) {
        var gzipped = gzip(bytes);
        return new CompressibleBody(
                Buffer.buffer(bytes), gzipped.length < bytes.length ? Buffer.buffer(gzipped) : null);
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

    /** Chooses the encoding that the client accepts (RFC 9110, 12.5.3); keeps a {@code Vary} header from the caller. */
    public Reply reply(RoutingContext ctx, int status, Map<String, String> headers) {
        var all = new HashMap<>(headers);
        all.merge(VARY, ACCEPT_ENCODING, (known, added) -> known + ", " + added);
        if (gzipped != null && acceptsGzip(ctx)) {
            all.put("Content-Encoding", "gzip");
            return new Reply(status, gzipped, Map.copyOf(all));
        }
        return new Reply(status, bytes, Map.copyOf(all));
    }

    private static boolean acceptsGzip(RoutingContext ctx) {
        return ctx.parsedHeaders().acceptEncoding().stream()
                .anyMatch(encoding -> encoding.value().equalsIgnoreCase("gzip") && encoding.weight() > 0);
    }
}
