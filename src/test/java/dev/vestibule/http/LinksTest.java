package dev.vestibule.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LinksTest {
    private static final double MAX_GROWTH = 2.7; // 2 is linear, 4 is quadratic

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://evil.example/login",
                "Pay at HTTP://10.0.0.1",
                "x://y",
                "evil.com",
                "Your account is locked, see evil.com/unlock",
                "Evil.COM!",
                "(evil.com)",
                "a.evil.co.uk",
                "www.evil",
                "WWW.evil.corp",
                "mail me@evil.com",
                "mail me@evil.corp",
                "evil.corp/login",
                "evil.corp:8080",
                "evil.corp?a=b",
                "192.0.2.1/login",
                "192.0.2.1:8080",
                "evil\uFF0Ecom",
                "evil\u3002com",
                "evil\uFF61com",
                "evil\u2024com",
                "\uFF45\uFF56\uFF49\uFF4C.\uFF43\uFF4F\uFF4D",
                "ev\u200Bil.c\u200Dom",
                "evil.\u2060com",
                "evil\u00AD.com",
                "evil.c\u202Eom",
                "https\uFF1A\uFF0F\uFF0Fevil.corp",
                "b\u00fccher.de",
                "\u043f\u0440\u0438\u043c\u0435\u0440.\u0440\u0444",
                "evil.xn--p1ai",
                "evil.onion",
                "evil.example",
                "evil.com-",
                "evil.com_x",
                "evil.com-pay.x1",
                "evil.com\u00e9",
                "evil.com\uc785\ub2c8\ub2e4",
                "evil.\u0440\u0444-x",
                "co.ltd/pay",
                "Co.KG/pay",
                "//evil/x",
                "See //evil",
                "localhost/x",
                "LOCALHOST:8080",
                "will.i.am"
            })
    void aLinkIsDetectedAndBroken(String text) {
        assertThat(Links.containsLink(text)).isTrue();
        var broken = Links.removeFrom(text);
        assertThat(Links.containsLink(broken)).as(broken).isFalse();
        assertThat(broken).doesNotContainPattern("\\.\\S").doesNotContain("/", "@", ":");
        assertThat(Links.removeFrom(broken)).isEqualTo(broken);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Acme Inc.",
                "Node.js",
                "Node.js and React",
                "St. Mary's / St. John's",
                "J.R.R. Tolkien",
                "U.S. Bank",
                "S.p.A.",
                "Ph.D. Search",
                "Version 2.0/beta",
                "24/7 Support",
                "1.5:1",
                "A/B",
                "AC//DC",
                "Localhost",
                "Localhost / Friends",
                "and/or",
                "Node.js-\u00e9lite",
                "Tech@Home",
                "Q: what?",
                "Wait... what",
                "...",
                ".",
                "Mr.Robot",
                "Ewww. Games",
                "\u682a\u5f0f\u4f1a\u793e\u3002",
                "M\u00fcller GmbH & Co. KG",
                "#1 Shop",
                "A project"
            })
    void aNameWithoutALinkStaysUnchanged(String text) {
        assertThat(Links.containsLink(text)).isFalse();
        assertThat(Links.removeFrom(text)).isEqualTo(text);
    }

    @Test
    void aLegalFormIsAllowedInANameAndBrokenInMails() {
        assertThat(Links.containsLink("M\u00fcller GmbH & Co.KG")).isFalse();
        assertThat(Links.removeFrom("M\u00fcller GmbH & Co.KG")).isEqualTo("M\u00fcller GmbH & Co. KG");
        assertThat(Links.containsLink("evil.co.kg")).isTrue();
    }

    @Test
    void aBrokenLinkIsStillReadable() {
        assertThat(Links.removeFrom("See https://evil.com/login now")).isEqualTo("See https evil. com login now");
    }

    @Test
    void aLinkIsRemovedFromATextOfAnyLength() {
        for (var part : List.of("word ", "word", "a.", "\u3316", "\ufdfa", "\ud83d\ude80")) {
            var around = part.repeat(3000);
            assertThat(Links.removeFrom(around + " evil.com " + around))
                    .as(part)
                    .contains(" evil. com ")
                    .doesNotContain("evil.com");
        }
    }

    /**
     * Whatever is looked at closely is copied first, so the allocated memory tells the work, unlike a clock on every
     * machine. U+0130 is not among the texts: the JDK copies the whole text for each, which is why {@code UnicodeText}
     * limits it.
     */
    @Test
    void aTextOfTwiceTheLengthTakesTwiceTheWork() {
        for (var part : List.of(
                "a", ".", "a.", "-", "@", "1", "/", "www.", "://", "a.a/", " ", "%41", "\ufdfa", "a-", "a\u00e9")) {
            for (var prefix : List.of("", "a.")) {
                var once = prefix + part.repeat(400 / part.length());
                var twice = prefix + part.repeat(800 / part.length());
                allocated(once);
                allocated(twice); // once, what is made for good has been made
                assertThat((double) allocated(twice))
                        .as(prefix + part)
                        .isLessThan(MAX_GROWTH * allocated(once) + 20_000);
            }
        }
    }

    private static long allocated(String text) {
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        var before = threads.getCurrentThreadAllocatedBytes();
        Links.removeFrom(text);
        return threads.getCurrentThreadAllocatedBytes() - before;
    }
}
