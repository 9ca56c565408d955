package dev.vestibule.webhook.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryScheduleTest {
    private static final Instant NOW = Instant.parse("2026-01-15T10:30:00Z");

    private static Duration pause(double chance, int attempts, Duration retryAfter) {
        return Duration.between(
                NOW,
                new RetrySchedule(() -> chance)
                        .next(attempts, NOW, Optional.of(retryAfter))
                        .orElseThrow());
    }

    @ParameterizedTest
    @CsvSource({
        "1, PT5S",
        "2, PT30S",
        "3, PT5M",
        "4, PT30M",
        "5, PT2H",
        "6, PT5H",
        "7, PT10H",
        "8, PT14H",
        "9, PT20H",
        "10, PT24H"
    })
    void pausesGrowAndVaryByAFifth(int attempts, Duration pause) {
        assertThat(pause(0.5, attempts, Duration.ZERO)).isEqualTo(pause);
        assertThat(pause(0, attempts, Duration.ZERO)).isEqualTo(Duration.ofMillis(pause.toMillis() * 8 / 10));
        assertThat(pause(1, attempts, Duration.ZERO)).isEqualTo(Duration.ofMillis(pause.toMillis() * 12 / 10));
    }

    @Test
    void theEleventhAttemptIsTheLast() {
        assertThat(new RetrySchedule(() -> 0.5).next(11, NOW, Optional.of(Duration.ofHours(1))))
                .isEmpty();
    }

    @Test
    void anEndpointCanLengthenAPauseButNotShortenIt() {
        assertThat(pause(0.5, 1, Duration.ofMinutes(2))).isEqualTo(Duration.ofMinutes(2));
        assertThat(pause(0.5, 3, Duration.ofMinutes(2))).isEqualTo(Duration.ofMinutes(5));
    }

    @ParameterizedTest
    @CsvSource({
        "120, PT2M",
        "' 7 ', PT7S",
        "86401, PT24H",
        "999999999999999999, PT24H",
        "'Thu, 15 Jan 2026 10:31:00 GMT', PT1M",
        "'Fri, 16 Jan 2099 10:30:00 GMT', PT24H"
    })
    void retryAfterIsSecondsOrADate(String header, Duration pause) {
        assertThat(RetryAfter.parse(header, NOW)).contains(pause);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "-1", "1.5", "soon", "9999999999999999999999", "Thu, 15 Jan 2026 10:29:59 GMT"})
    void anyOtherRetryAfterIsIgnored(String header) {
        assertThat(RetryAfter.parse(header, NOW)).isEmpty();
        assertThat(RetryAfter.parse(null, NOW)).isEmpty();
    }
}
