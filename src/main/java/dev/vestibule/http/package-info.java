/**
 * What every endpoint shares: bodies, replies, errors, CORS and client addresses. It contains no business logic.
 *
 * <p>A handler returns a {@link dev.vestibule.http.Reply} and never touches the response.
 * {@link dev.vestibule.http.ReplyHandler} writes it, and {@link dev.vestibule.http.FailureHandler} writes every error
 * in one format. Only imports and exports stream: they read {@link dev.vestibule.http.BodyLines} and write
 * {@link dev.vestibule.http.ReplyLines}, both with limits in bytes, so that a slow client slows its own operation down
 * and costs no memory.
 *
 * <p>This package does not depend on the database. The creator of {@code FailureHandler} passes a function that knows
 * which database failures are a 503 rather than a defect. Until {@link dev.vestibule.http.Operation} has begun, an
 * unexpected failure gets a 400; after that, a 500 and a log line.
 *
 * <p>What strangers can make the server hold in memory is bounded. {@link dev.vestibule.http.Connections} bounds
 * connections and the time that a head or a body may take, {@link dev.vestibule.http.BodyReader} the bytes of all
 * bodies together, and {@link dev.vestibule.http.UnreadResponses} what waits to be sent on a connection. Credentials in
 * headers are checked before a body is read. After an error, the rest of the body is dropped as it arrives for a few
 * seconds, so that the client can read the response; then the connection is closed.
 *
 * <p>The headers of proxies are read here, by the grammar of RFC 7239 ({@link dev.vestibule.http.ClientAddresses}).
 * vertx-web's {@code AllowForwardHeaders} trusts anybody, and takes the first element of a list, which is the client's
 * own text. Netty does not read these headers, and we found no Java library that does.
 *
 * <p>A page that a person merely visits can send requests on their behalf.
 * {@link dev.vestibule.http.RequestChecks#origin} guards the paths that only known pages may call. It does not trust
 * the request's own host unless that is an IP address or localhost: anybody can point a name to this machine.
 * {@link dev.vestibule.http.RequestChecks#contentType} forces browsers to send a preflight before they send a body.
 *
 * <p>Responses are not cacheable unless they say so. Every response has an {@code X-Request-Id}, the caller's own if it
 * is safe to log, and the log line of a failure names it.
 */
@NullMarked
package dev.vestibule.http;

import org.jspecify.annotations.NullMarked;
