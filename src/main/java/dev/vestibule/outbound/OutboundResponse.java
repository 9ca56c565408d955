package dev.vestibule.outbound;

import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;

/**
 * A response with any status.
 *
 * @param isTruncated whether the body is incomplete: it was too long or too slow, or the connection broke
 * @param duration the time of the whole exchange
 */
public record OutboundResponse(int status, MultiMap headers, Buffer body, boolean isTruncated, Duration duration) {}
