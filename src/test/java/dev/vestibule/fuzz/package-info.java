/**
 * Parsers of bytes that anybody can send, and what each promises for any bytes: it answers or refuses, never fails
 * otherwise, and accepts nothing that others could read differently. {@code ParserCorpusTest} replays the corpus as
 * ordinary tests; {@code mvn -Pfuzz test -Dtest=ParserFuzz#svg} searches for new inputs by coverage, with Jazzer.
 */
@NullMarked
package dev.vestibule.fuzz;

import org.jspecify.annotations.NullMarked;
