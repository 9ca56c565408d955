package dev.vestibule.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorStatus;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.error.Violation;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FieldsTest {
    @Test
    void everyFailingFieldIsNamedAtOnce() {
        assertThat(violations("{\"a\":\"x\",\"b\":7,\"c\":null}", fields -> {
                    fields.required("a", FieldsTest::onlyY);
                    fields.required("b", FieldsTest::onlyY);
                    fields.required("c", FieldsTest::onlyY);
                    fields.required("d", FieldsTest::onlyY);
                    fields.optional("a", FieldsTest::onlyY);
                    return "";
                }))
                .containsExactly(
                        new Violation("a", "must be y"),
                        new Violation("b", "must be a string"),
                        new Violation("c", "is required"),
                        new Violation("d", "is required"),
                        new Violation("a", "must be y"));
    }

    @Test
    void anOptionalFieldMayBeAbsentOrNullAndNothingElse() {
        assertThat(this.<Object>read("{}", fields -> absent(fields.optional("a", text -> text))))
                .isEqualTo("absent");
        assertThat(this.<Object>read("{\"a\":null}", fields -> absent(fields.optional("a", text -> text))))
                .isEqualTo("absent");
        assertThat(violations("{\"a\":[]}", fields -> absent(fields.optional("a", text -> text))))
                .containsExactly(new Violation("a", "must be a string"));
    }

    @Test
    void aChangeTellsAbsentFromNull() {
        assertThat(this.<Change<String>>read("{}", fields -> fields.change("a", text -> text)))
                .isEqualTo(Change.keep());
        assertThat(this.<Change<String>>read("{\"a\":null}", fields -> fields.change("a", text -> text)))
                .isEqualTo(Change.to(null));
        assertThat(this.<Change<String>>read("{\"a\":\"x\"}", fields -> fields.change("a", text -> text)))
                .isEqualTo(Change.to("x"));
    }

    @Test
    void theRuleGivesTheCanonicalForm() {
        assertThat(this.<String>read("{\"a\":\" X \"}", fields -> fields.required("a", String::strip)))
                .isEqualTo("X");
    }

    @Test
    void unknownFieldsAreIgnored() {
        assertThat(this.<String>read("{\"a\":\"y\",\"other\":{}}", fields -> fields.required("a", FieldsTest::onlyY)))
                .isEqualTo("y");
    }

    private static String onlyY(String text) {
        if (!text.equals("y")) {
            throw new InvalidValueException("must be y");
        }
        return text;
    }

    private static Object absent(@Nullable Object value) {
        return Objects.requireNonNullElse(value, "absent");
    }

    private <T> T read(String json, Function<Fields, T> reader) {
        return Fields.read((ObjectNode) Json.parse(Buffer.buffer(json)), reader);
    }

    private List<Violation> violations(String json, Function<Fields, Object> reader) {
        var refused = catchThrowableOfType(ApiException.class, () -> read(json, reader));
        var error = refused;
        assertThat(error.status()).isEqualTo(ErrorStatus.UNPROCESSABLE);
        var first = error.details().get(0);
        assertThat(error.message()).isEqualTo(first.field() + " " + first.message());
        return error.details();
    }
}
