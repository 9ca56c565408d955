/**
 * Reads arguments, the settings file and environment variables into checked {@link dev.vestibule.config.Settings}. No
 * other package reads any of them.
 *
 * <p>A setting is declared where it is read: one call in its section's {@code read} has its name, type, default and
 * description. Both sources, the errors and {@code config/vestibule.yaml} follow from that call; a test compares the
 * file with the code and writes the expected file to {@code target/vestibule.yaml}.
 *
 * <p>A wrong or unknown setting stops the start, and all faults are listed at once. Errors never repeat a value that
 * may contain a password, nor a library's message, which may repeat the value. {@link dev.vestibule.config.Secret}
 * prints itself as {@code [redacted]}.
 *
 * <p>We looked at libraries, and they do less. SmallRye Config 3.13 also collects all faults, but its errors repeat the
 * values of wrong settings, including secrets, and do not name the line of a YAML file; vertx-config merges sources and
 * checks nothing. With either, we would still need the records of the sections, their rules and the reference file,
 * which are most of this package.
 */
@NullMarked
package dev.vestibule.config;

import org.jspecify.annotations.NullMarked;
