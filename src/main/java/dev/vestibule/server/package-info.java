/**
 * The HTTP server: {@link dev.vestibule.server.Routes} lists the whole API, {@link dev.vestibule.server.ApiRouter} puts
 * the same handlers in the same order before each route, and {@link dev.vestibule.server.ApiVerticle} serves it on one
 * event loop. Health and metrics have their own port ({@link dev.vestibule.server.ManagementVerticle}), and periodic
 * work has its own verticle ({@link dev.vestibule.server.Maintenance} lists it).
 *
 * <p>All event loops share one graph of objects, {@link dev.vestibule.App}. Each loop has its own router and its own
 * connections to the database, which {@link dev.vestibule.database.Database} finds by itself, so that no request
 * changes threads to reach the database.
 */
@NullMarked
package dev.vestibule.server;

import org.jspecify.annotations.NullMarked;
