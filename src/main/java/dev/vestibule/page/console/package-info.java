/**
 * The console at {@code /console/}, where dashboard users manage their projects. It is one page of modules that call the API
 * as any other client does, so it can do nothing that the API refuses; the modules are in {@code page/console} of the
 * resources. Its refresh token is in a cookie that no script can read.
 */
@NullMarked
package dev.vestibule.page.console;

import org.jspecify.annotations.NullMarked;
