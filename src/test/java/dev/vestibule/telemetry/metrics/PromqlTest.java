package dev.vestibule.telemetry.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PromqlTest {
    private final Promql scrape = new Promql("""
            # HELP requests_total Requests
            requests_total{route="GET /a",status="2xx"} 1.0
            time_bucket{route="GET /a",le="0.1"} 1
            ready 1.0
            """);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ready == 0",
                "up{job=\"vestibule\"} == 0",
                "sum by (status) (rate(requests_total{instance=~\"$instance\", route!=\"\"}[$__rate_interval]))",
                "histogram_quantile(0.99, sum by (instance, le) (rate(time_bucket[5m]))) > 1",
                "label_values(ready, instance)"
            })
    void aQueryThatTheScrapeCanAnswerHasNoFaults(String query) {
        assertThat(scrape.faults(query)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redy == 0",
                "rate(request_total[5m])",
                "requests_total{stats=\"2xx\"}",
                "requests_total{status=\"5xx\"}",
                "requests_total{status=~\"5..\"}",
                "sum by (rout) (requests_total)",
                "sum by (le) (rate(requests_total[5m]))",
                "rat(requests_total[5m])",
                "requests_total / redy",
                "1 == 1"
            })
    void misspelledOrMissingNamesAreFound(String query) {
        assertThat(scrape.faults(query)).isNotEmpty();
    }

    @Test
    void aFaultIsNamed() {
        assertThat(scrape.faults("redy")).containsExactly("no metric redy");
    }
}
