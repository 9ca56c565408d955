/**
 * HTTP requests to URLs that customers enter: endpoints of webhooks, and identity providers.
 *
 * <p>A request connects only to public addresses. The name is looked up here and the checked address is the one
 * connected to, so a DNS answer that changes in between leads nowhere else. Each exchange has one deadline for
 * everything from the lookup to the last byte, and a limit for the body; a response that exceeds either is truncated and
 * its connection closed. All connections to a host are on one event loop, so an exchange never moves between threads.
 *
 * <p>The room uses {@code HttpClient}, not {@code vertx-web-client}, which serves the benchmark's bare loop only. What
 * was tried: a {@code WebClient} wrapped around the same client, with a body codec that stops at the limit and one timer
 * for the deadline. The web client's public interface has no way to end an exchange: its timeouts start over with each
 * byte, and a body stream that fails leaves the rest of an endless body coming in. The request can only be reset
 * through an interceptor of the web client's internal classes. With that, the tests of hostile servers passed, but
 * {@link dev.vestibule.outbound.Exchange} and {@link dev.vestibule.outbound.OutboundClient} grew from 275 to 333 lines,
 * most of them the methods that a codec's stream must have. In one run on two cores it
 * sent 11,855 deliveries a second instead of 14,236, for 62 instead of 46 microseconds of the server's CPU each.
 */
@NullMarked
package dev.vestibule.outbound;

import org.jspecify.annotations.NullMarked;
