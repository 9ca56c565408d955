package dev.vestibule;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/**
 * What the jar contains may be passed on with it: each library has a licence of this list, by the bill of materials.
 */
class LicencesIT {
    /**
     * They ask for a notice at most, or, as the EPL and LGPL do, for the source of changes to the library itself, of
     * which we make none. Of several licences, a library can be taken under any.
     */
    private static final Set<String> ALLOWED = Set.of(
            "Apache-2.0",
            "MIT",
            "0BSD",
            "BSD-2-Clause",
            "BSD-3-Clause",
            "CC0-1.0",
            "EPL-2.0",
            "Bouncy Castle Licence",
            "GNU Lesser General Public License version 2.1 (LGPLv2.1)",
            "GNU Lesser General Public License, Version 3");

    @Test
    void eachLibraryHasALicenceThatAllowsIt() throws IOException {
        var components = new ObjectMapper()
                .readTree(Path.of("target", "vestibule-sbom.json").toFile())
                .path("components");

        assertThat(components).hasSizeGreaterThan(50);
        assertThat(StreamSupport.stream(components.spliterator(), false)
                        .filter(library -> licences(library).noneMatch(ALLOWED::contains))
                        .map(library -> library.path("purl").asText() + " "
                                + licences(library).toList()))
                .isEmpty();
    }

    private static Stream<String> licences(JsonNode library) {
        return StreamSupport.stream(library.path("licenses").spliterator(), false)
                .map(entry -> entry.path("license"))
                .map(licence -> licence.path("id").asText(licence.path("name").asText()));
    }
}
