/**
 * HTTP requests to URLs that customers enter: endpoints of webhooks, and identity providers.
 *
 * <p>A request connects only to public addresses. This package looks the name up, and connects to the address that it
 * has checked, so a DNS answer that changes in between has no effect. Each exchange has one deadline for everything
 * from the lookup to the last byte, and a limit for the body; a response that exceeds either is truncated and its
 * connection closed. All connections to a host are on one event loop, so an exchange never moves between threads.
 * Addresses are remembered for ten seconds, whatever their records say: a name with thousands of addresses that live
 * for years, which any stranger can have looked up, took half a megabyte of memory for good in Netty's caches.
 *
 * <p>The package uses {@code HttpClient}, not {@code vertx-web-client}, which only the benchmark's bare client loop
 * uses. We tried a {@code WebClient} wrapped around the same client, with a body codec that stops at the limit and one
 * timer for the deadline. The web client's public interface cannot end an exchange: its timeouts start over with each
 * byte, and after a body stream fails, the rest of an endless body keeps coming in. Only an interceptor from the web
 * client's internal classes can reset the request. With that, the tests of hostile servers passed, but
 * {@link dev.vestibule.outbound.Exchange} and {@link dev.vestibule.outbound.OutboundClient} grew from 275 to 333 lines,
 * most of them the methods that a codec's stream must implement. In one run on two cores it sent 11,855 deliveries a
 * second instead of 14,236, using 62 instead of 46 microseconds of server CPU each.
 */
@NullMarked
package dev.vestibule.outbound;

import org.jspecify.annotations.NullMarked;
