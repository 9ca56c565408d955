package dev.vestibule.project;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LanguageTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ko-KR,ko;q=0.9|KO",
                "en;q=0.5, de-CH-1996 ; q=0.8|DE",
                "xx, fr-CA|FR",
                "zh-Hant-TW|ZH",
                "DE|DE",
                "*|EN",
                "de;q=0, es|ES",
                "nl|EN",
                "de;q=2|EN",
                "\u00e4,de|EN",
                "''|EN",
                "pt_BR|EN"
            })
    void theBestLanguageOfAHeaderIsChosen(String header, Language language) {
        assertThat(Language.ofHeader(header)).isEqualTo(language);
    }

    /** A range of hundreds of subtags took the JDK's own look-up 0.3 s, and half a gigabyte. */
    @Test
    void noHeaderTakesLong() {
        for (var header : List.of(
                "xx" + "-a".repeat(498),
                "a,".repeat(499) + "a",
                "a;q=0.1,".repeat(124) + "b",
                "i-klingon,".repeat(99) + "x",
                "zh-hakka-hans-cn,".repeat(58) + "a")) {
            assertThat(allocated(header)).as(header).isLessThan(1_000_000);
        }
    }

    private static long allocated(String header) {
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        Language.ofHeader(header); // which loads what is needed once
        var before = threads.getCurrentThreadAllocatedBytes();
        Language.ofHeader(header);
        return threads.getCurrentThreadAllocatedBytes() - before;
    }
}
