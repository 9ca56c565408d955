package dev.vestibule.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vestibule.error.InvalidValueException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimestampsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "2024-03-01T09:59:31.123Z",
                "2024-03-01t09:59:31.123z",
                "2024-03-01T10:59:31.123456789+01:00",
                "2024-03-01T10:59:31.123+0100",
                "2024-03-01 09:59:31.123456+00",
                "2024-03-01 10:59:31.123+01",
                "2024-03-01 15:29:31.1234+05:30",
                "2024-03-01 08:27:31.123-01:32",
                "1709287171123",
                "1709287171.123",
                "1709287171.123456"
            })
    void commonTimestampFormatsAreRead(String text) {
        assertThat(Timestamps.format(Timestamps.parse(text))).isEqualTo("2024-03-01T09:59:31.123Z");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "2024-03-01",
                "2024-03-01T09:59:31",
                "2024-03-01 09:59:31",
                "2024-03-0109:59:31Z",
                "2024-02-30T09:59:31Z",
                "2024-03-01T24:59:31Z",
                "1969-12-31T23:59:59Z",
                "+10000-01-01T00:00:00Z",
                "+999999999-12-31T23:59:59Z",
                "-1",
                "1e9",
                "253402300800000",
                "1709287171.",
                "1709287171123 "
            })
    void ambiguousTimestampsAreRefused(String text) {
        assertThatThrownBy(() -> Timestamps.parse(text)).isInstanceOf(InvalidValueException.class);
    }
}
