/**
 * Vestibule, a user authentication server for many projects at once. The map of the house, from the floor up:
 *
 * <ul>
 *   <li>floor: {@code error} (what a client can be refused with), {@code json}, {@code config}, {@code crypto}, {@code
 *       database}, {@code http}, {@code limits}, {@code metrics}, {@code outbound} (the HTTP
 *       client for addresses that strangers name)
 *   <li>nouns: {@code project}, {@code user}, {@code session}, {@code token}, {@code membership},
 *       {@code provider}: records and stores that features share
 *   <li>outlets: {@code mail} and {@code webhook}: a row written in the caller's transaction, and the verticle that sends
 *       it; {@code identity}: what identity providers say of a user
 *   <li>{@code caller}: who sends a request, and the guards that a route declares
 *   <li>features, one handler class for each operation: {@code password}, {@code verification}, {@code account}, {@code
 *       branding}, {@code oauth}; for applications' servers {@code users}, {@code sessions} and {@code webhooks}; for dashboard users {@code
 *       management}
 *   <li>top: {@code server} ({@code Routes} is the whole API on one page), {@link dev.vestibule.App}, {@link
 *       dev.vestibule.Main}
 * </ul>
 *
 * A route leads to its handler, the handler to a store, and the store's SQL stands directly above its method.
 */
@NullMarked
package dev.vestibule;

import org.jspecify.annotations.NullMarked;
