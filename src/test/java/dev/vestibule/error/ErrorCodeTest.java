package dev.vestibule.error;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.fixture.Description;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

class ErrorCodeTest {
    private static final Pattern ROW = Pattern.compile("^\\| `([a-z_]+)` \\| (\\d{3}) \\| \\S", Pattern.MULTILINE);

    private final JsonNode description = Description.get().root();

    @Test
    void theDescriptionListsAllCodes() {
        var listed = description.at("/components/schemas/ErrorCode/enum");
        assertThat(StreamSupport.stream(listed.spliterator(), false).map(JsonNode::asText))
                .containsExactly(
                        Arrays.stream(ErrorCode.values()).map(ErrorCode::text).toArray(String[]::new));
    }

    @Test
    void theDescriptionSaysWhatEachCodeMeansAndItsStatus() {
        var rows = ROW.matcher(description.at("/info/description").asText()).results();
        assertThat(rows.map(row -> row.group(1) + " " + row.group(2)))
                .containsExactly(Arrays.stream(ErrorCode.values())
                        .map(code -> code.text() + " " + code.status().code())
                        .toArray(String[]::new));
    }
}
