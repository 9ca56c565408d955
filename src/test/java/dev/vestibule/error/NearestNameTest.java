package dev.vestibule.error;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestNameTest {
    private static final List<String> KNOWN = List.of("email", "emailVerified", "phone", "publicMetadata");

    @ParameterizedTest
    @CsvSource({
        "emial,email",
        "EMAIL,email",
        "email_verified,emailVerified",
        "emailVerfied,emailVerified",
        "fone,phone",
        "public-meta-data,publicMetadata"
    })
    void theMostSimilarNameIsSuggested(String unknown, String meant) {
        assertThat(NearestName.of(unknown, KNOWN)).contains(meant);
    }

    @Test
    void aNameUnlikeAllOthersGetsNoSuggestion() {
        assertThat(NearestName.of("environment", KNOWN)).isEmpty();
        assertThat(NearestName.of("", KNOWN)).isEmpty();
        assertThat(NearestName.of("email", List.of())).isEmpty();
        assertThat(NearestName.of("email".repeat(10_000), KNOWN)).isEmpty();
    }

    @Test
    void textThatDoesNotLookLikeANameIsNotRepeated() {
        assertThat(NearestName.printable("http.port_2-x")).isEqualTo("http.port_2-x");
        assertThat(NearestName.printable("")).isEqualTo("…");
        assertThat(NearestName.printable("secret:hunter2")).isEqualTo("secret…");
        assertThat(NearestName.printable("a\u0000b")).isEqualTo("a…");
        assertThat(NearestName.printable("\ud800")).isEqualTo("…");
        assertThat(NearestName.printable("a\nb")).startsWith("a…").doesNotContain("b");
    }

    @Test
    void aLongNameIsCut() {
        assertThat(NearestName.printable("x".repeat(10_000))).hasSize(81);
    }
}
