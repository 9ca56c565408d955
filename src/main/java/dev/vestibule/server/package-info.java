/**
 * The HTTP server: {@link dev.vestibule.server.Routes} is the whole API on one page, {@link dev.vestibule.server.ApiRouter}
 * puts the same handlers in the same order before each route, and {@link dev.vestibule.server.ApiVerticle} serves it on one
 * event loop. Health and metrics have a port of their own ({@link dev.vestibule.server.ManagementVerticle}), and periodic
 * work a verticle of its own ({@link dev.vestibule.server.MaintenanceVerticle}).
 *
 * <p>What all event loops share (caches, the hashing pool, keys) is built once; each event loop has handlers with database
 * connections of its own ({@link dev.vestibule.server.Services}), so that no request changes threads to reach the database.
 */
@NullMarked
package dev.vestibule.server;

import org.jspecify.annotations.NullMarked;
