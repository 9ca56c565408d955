/**
 * What the server does in a second, each figure beside its floor in the same run, on the same cores: {@code mvn -q
 * verify -Pbenchmark}. It runs the real jar in a process of its own, takes about three minutes, and wants an otherwise
 * idle machine; {@code JAVA_HOME} says which Java. The ratios carry over to other machines, the figures do not.
 */
@NullMarked
package dev.vestibule.benchmark;

import org.jspecify.annotations.NullMarked;
