package dev.vestibule.project;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SlugTest {
    @ParameterizedTest
    @CsvSource({
        "My App, my-app",
        "Café Crème, cafe-creme",
        "  --My   App!! , my-app",
        "Café Zürich, cafe-zurich",
        "Łódź, lodz",
        "Проект, proekt",
        "東京, dong-jing",
        "C++ & C#, c-c",
        "'a/b\\c', a-b-c",
        "ÆON, aeon",
        "2026, 2026"
    })
    void aNameBecomesAsciiWords(String name, String slug) {
        assertThat(Slug.of(name)).isEqualTo(slug);
    }

    @ParameterizedTest
    @ValueSource(strings = {"مشروع", "프로젝트", "פרויקט", "โครงการ", "परियोजना", "🚀", "!!!", "-", "\u200b"})
    void anyScriptGivesASlug(String name) {
        assertThat(Slug.of(name)).matches("[a-z0-9]+(-[a-z0-9]+)*");
    }

    @ParameterizedTest
    @ValueSource(strings = {"مشروع", "프로젝트", "פרויקט", "โครงการ", "परियोजना", "პროექტი", "Ծրագիր"})
    void aNameWithLettersDoesNotBecomeTheDefault(String name) {
        assertThat(Slug.of(name)).isNotEqualTo("project").hasSizeGreaterThan(2);
    }

    @Test
    void aNameWithoutLettersBecomesTheDefault() {
        assertThat(Slug.of("🚀")).isEqualTo("project");
    }

    @Test
    void aLongNameIsCutWithoutATrailingHyphen() {
        assertThat(Slug.of("a".repeat(59) + " bcd")).isEqualTo("a".repeat(59));
        assertThat(Slug.of("x".repeat(100))).hasSize(60);
    }

    @Test
    void theSlugDoesNotDependOnTheDefaultLocale() {
        var before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag("tr"));
        try {
            assertThat(Slug.of("INFO")).isEqualTo("info");
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void aSuffixMakesTheSlugDifferent() {
        assertThat(Slug.suffixed("my-app")).matches("my-app-[0-9a-f]{6}").isNotEqualTo(Slug.suffixed("my-app"));
    }
}
