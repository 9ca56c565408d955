package dev.vestibule.http;

import io.netty.buffer.Unpooled;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.buffer.BufferInternal;
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
        return new CompressibleBody(direct(bytes), gzipped.length < bytes.length ? direct(gzipped) : null);
    }

    /** The network reads it from where it is, while it would copy bytes of the heap for each response. */
    private static Buffer direct(byte[] bytes) {
        return BufferInternal.buffer(
                Unpooled.directBuffer(bytes.length, bytes.length).writeBytes(bytes));
    }

    /** Whether a body costs a response no memory, as one of these does. */
    static boolean isShared(Buffer body) {
        return ((BufferInternal) body).getByteBuf().isDirect();
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
