/**
 * The pages that people see in a browser: each has a subpackage, and this package serves the files that they share.
 *
 * <p>The files are those below {@code src/main/resources/page} and a few of libraries,
 * {@link dev.vestibule.page.AssetFiles#LIBRARIES}. They are read from the jar into memory when the first of them is
 * requested, since most API servers never get such a request, and the {@code StaticHandler} of vertx-web would unpack
 * them into a temporary folder. Their URL contains a hash of all of them, so that a browser can cache them for ever and
 * never mixes two versions. Pages refer to them with relative URLs, since a proxy can serve this server below a path.
 *
 * <p>No page loads anything from another host, but for the captcha of a provider that a project has chosen, and none
 * has an inline script or style: {@link dev.vestibule.page.ContentSecurityPolicy}. Pages are not part of the API
 * description, and no page of another origin can read them, unlike the API.
 */
@NullMarked
package dev.vestibule.page;

import org.jspecify.annotations.NullMarked;
