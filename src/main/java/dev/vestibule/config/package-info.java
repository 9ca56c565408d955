/**
 * Reads arguments, the settings file and environment variables into checked {@link dev.vestibule.config.Settings}. No
 * other package reads any of them.
 *
 * <p>A setting is declared where it is read: one line in its section's {@code read} has its name, type, default and
 * description. Both sources, the errors and {@code config/vestibule.yaml} follow from that line; a test compares the
 * file with the code and writes the wanted one to {@code target/vestibule.yaml}.
 *
 * <p>A wrong or unknown setting stops the start, and all faults are listed at once. Errors never repeat a value that may
 * hold a password, nor the library's own messages, which may repeat it. {@link dev.vestibule.config.Secret} prints itself
 * as {@code [redacted]}.
 *
 * <p>Libraries were looked at and do less here. SmallRye Config 3.13 collects all faults too, but its errors repeat the
 * values of wrong settings, secrets among them, and name no line of a YAML file; vertx-config merges sources and checks
 * nothing. With either, the records of the sections, their rules and the reference file, which are most of this room,
 * would stay.
 */
@NullMarked
package dev.vestibule.config;

import org.jspecify.annotations.NullMarked;
