/**
 * The console at {@code /console/}, where dashboard users manage their projects. It is one page, whose modules call the
 * API like any other client, so it can do nothing that the API refuses; the modules are in {@code page/console} of the
 * resources. Its refresh token is in a cookie that no script can read. It supports the languages of the mails: each is
 * a file in {@code messages/}, and a browser loads only its own.
 *
 * <p>The modules have types in their comments; those of API responses are generated from the API description.
 * {@code ConsoleTypesIT} checks them: a path that the API does not have, or a missing or unused text, fails the build.
 */
@NullMarked
package dev.vestibule.page.console;

import org.jspecify.annotations.NullMarked;
