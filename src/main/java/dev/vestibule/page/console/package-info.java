/**
 * The console at {@code /console/}, where dashboard users manage their projects. It is one page of modules that call the API
 * as any other client does, so it can do nothing that the API refuses; the modules are in {@code page/console} of the
 * resources. Its refresh token is in a cookie that no script can read. It speaks the languages of the mails: each is a file
 * of {@code messages/}, of which a browser loads its own.
 *
 * <p>The modules have types in their comments, those of the API's answers made of its description, and {@code
 * ConsoleTypesIT} checks them: a path that the API does not have, or a text that is missing or not used, fails the build.
 */
@NullMarked
package dev.vestibule.page.console;

import org.jspecify.annotations.NullMarked;
