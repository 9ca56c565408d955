/**
 * What people look at in a browser: each page has a room below this one, and this one serves the files that they share.
 *
 * <p>The files are those below {@code src/main/resources/page} and a few of libraries, {@link
 * dev.vestibule.page.AssetFiles#LIBRARIES}. They are read from the jar into memory when the first of them is asked for,
 * since most servers of an API never are, and vertx-web's {@code StaticHandler} would unpack them into a temporary folder.
 * Their address holds a hash of all of them, so that a browser may keep them for ever and never mixes two versions. A page
 * names them relative to itself: a proxy may serve this server below a path.
 *
 * <p>No page loads anything from another host, and none has a script or a style of its own: {@link
 * dev.vestibule.page.ContentSecurityPolicy}. Pages are not part of the API description, and no page of another origin can
 * read them, unlike the API.
 */
@NullMarked
package dev.vestibule.page;

import org.jspecify.annotations.NullMarked;
