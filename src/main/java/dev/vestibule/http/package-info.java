/**
 * What every endpoint shares: bodies, replies, errors, CORS and client addresses. It knows nothing about the business.
 *
 * <p>A handler returns a {@link dev.vestibule.http.Reply} and never touches the response. {@link
 * dev.vestibule.http.ReplyHandler} writes it, and {@link dev.vestibule.http.FailureHandler} writes every error in one
 * form. Only an import streams: it reads {@link dev.vestibule.http.BodyLines} and writes {@link
 * dev.vestibule.http.ReplyLines}, both with limits in bytes, so that a slow client slows the import down and costs no
 * memory.
 *
 * <p>This package does not know the database. The caller of {@code FailureHandler} passes a function that knows which
 * failures of the database are a 503 rather than a defect. Until {@link dev.vestibule.http.Operation} has begun, an
 * unexpected failure is answered with 400, and later ones with 500 and a log line.
 *
 * <p>What strangers can make the server hold is bounded. {@link dev.vestibule.http.Connections} bounds connections and
 * the time that a head or a body may take, {@link dev.vestibule.http.BodyReader} the bytes of all bodies together, and
 * {@link dev.vestibule.http.UnreadResponses} what waits to be sent on a connection. Credentials in headers are checked
 * before a body is read. After an error, what is left of the body is dropped as it comes, for a few seconds, so that the
 * client can read the response; then the connection is closed.
 *
 * <p>The headers of proxies are read here, by the grammar of RFC 7239 ({@link dev.vestibule.http.ClientAddresses}).
 * vertx-web's {@code AllowForwardHeaders} believes anybody, and of a list the first element, which is the client's own text;
 * Netty reads none, and a Java library for it was not found.
 *
 * <p>A page that a person merely visits can send requests in their name. Paths that only a known page may call are
 * guarded by {@link dev.vestibule.http.TrustedOriginsHandler}, which does not believe the request's own host unless it is
 * an address or localhost: a name can be made to lead here. {@link dev.vestibule.http.ContentTypeHandler} makes browsers
 * ask before they send a body anywhere.
 *
 * <p>Responses are not cacheable unless they say so. Every response has an {@code X-Request-Id}, the caller's own if it
 * is safe to log, and the log line of a failure names it.
 */
@NullMarked
package dev.vestibule.http;

import org.jspecify.annotations.NullMarked;
