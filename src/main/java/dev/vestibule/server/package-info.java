/**
 * The HTTP server: {@link dev.vestibule.server.Routes} lists the whole API, {@link dev.vestibule.server.ApiRouter}
 * puts the same handlers in the same order before each route, and {@link dev.vestibule.server.ApiVerticle} serves it
 * on one event loop. Health and metrics have their own port ({@link dev.vestibule.server.ManagementVerticle}), and
 * periodic work has its own verticle ({@link dev.vestibule.server.MaintenanceVerticle}).
 *
 * <p>What all event loops share (caches, the hashing pool, keys) is built once. Each event loop has its own handlers
 * with their own database connections ({@link dev.vestibule.server.Services}), so that no request changes threads to
 * reach the database.
 */
@NullMarked
package dev.vestibule.server;

import org.jspecify.annotations.NullMarked;
