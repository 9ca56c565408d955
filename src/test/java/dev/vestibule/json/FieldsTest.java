package dev.vestibule.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorStatus;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.error.Violation;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
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

    @Test
    void aStrictReaderRefusesUnknownFieldsBeforeAllElse() {
        assertThat(strictViolations("{\"emial\":\"y\",\"b\":1,\"quite different\":{}}", fields -> {
                    fields.required("email", FieldsTest::onlyY);
                    fields.optional("b", FieldsTest::onlyY);
                    return "";
                }))
                .containsExactly(
                        new Violation("emial", "is not known; did you mean email?"),
                        new Violation("quite…", "is not known"),
                        new Violation("email", "is required"),
                        new Violation("b", "must be a string"));
    }

    @Test
    void aStrictReaderKnowsWhatItAskedForInWhateverWay() {
        var json =
                "{\"a\":\"y\",\"b\":\"y\",\"c\":\"y\",\"d\":\"y\",\"e\":{\"any\":{\"thing\":1}},\"f\":1,\"g\":{\"a\":\"y\"},"
                        + "\"h\":[{\"a\":\"y\"},{\"a\":\"y\"}],\"i\":null}";
        boolean known = Fields.readStrictly((ObjectNode) Json.parse(Buffer.buffer(json)), fields -> {
            fields.required("a", FieldsTest::onlyY);
            fields.optional("b", FieldsTest::onlyY);
            fields.change("c", FieldsTest::onlyY);
            fields.replacement("d", FieldsTest::onlyY);
            fields.optional("e", FieldType.object(100));
            fields.ignore("f");
            fields.object("g").required("a", FieldsTest::onlyY);
            fields.objects("h", 2, item -> item.required("a", FieldsTest::onlyY));
            return fields.has("i");
        });
        assertThat(known).isTrue();
    }

    @Test
    void aStrictReaderLooksIntoTheObjectsThatItReads() {
        assertThat(strictViolations("{\"g\":{\"lenght\":1},\"h\":[{},{\"lengt\":1}]}", fields -> {
                    fields.object("g").optional("length", FieldsTest::onlyY);
                    fields.objects("h", 2, item -> absent(item.optional("length", FieldsTest::onlyY)));
                    return "";
                }))
                .containsExactly(
                        new Violation("g.lenght", "is not known; did you mean g.length?"),
                        new Violation("h.1.lengt", "is not known; did you mean h.1.length?"));
    }

    @Test
    void aStrictReaderReportsABoundedNumberOfUnknownFields() {
        var body = JsonNodeFactory.instance.objectNode();
        IntStream.range(0, 1000).forEach(i -> body.put("x" + i, i));
        assertThat(strictViolations(body.toString(), fields -> "")).hasSize(20);
    }

    @Test
    void whatMetadataCannotHoldIsPointedAt() {
        var pointed = new Violation("a", "must not contain a number beyond the range of a double (at /limits/1/max)");
        assertThat(violations("{\"a\":{\"limits\":[1,{\"max\":1e999}]}}", FieldsTest::readMetadata))
                .containsExactly(pointed);
        assertThat(violations("{\"a\":{\"b\":{\"c\":\"\\u0000\"}}}", FieldsTest::readMetadata))
                .containsExactly(new Violation("a", "must not contain NUL (at /b/c)"));
        assertThat(violations("{\"a\":{\"\\u0000\":1}}", FieldsTest::readMetadata))
                .containsExactly(new Violation("a", "must not contain NUL"));
        assertThat(violations("{\"a\":{\"" + "🙂".repeat(120) + "\":1e999}}", FieldsTest::readMetadata))
                .extracting(Violation::message)
                .containsExactly(
                        "must not contain a number beyond the range of a double (at /" + "🙂".repeat(99) + "…)");
    }

    private static Object readMetadata(Fields fields) {
        return Objects.requireNonNullElse(fields.optional("a", FieldType.object(2000)), "absent");
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
        return violations(() -> read(json, reader));
    }

    private static List<Violation> strictViolations(String json, Function<Fields, Object> reader) {
        return violations(() -> Fields.readStrictly((ObjectNode) Json.parse(Buffer.buffer(json)), reader));
    }

    private static List<Violation> violations(ThrowingCallable reading) {
        var error = catchThrowableOfType(ApiException.class, reading);
        assertThat(error.status()).isEqualTo(ErrorStatus.UNPROCESSABLE);
        var first = error.details().get(0);
        assertThat(error.message()).isEqualTo(first.field() + " " + first.message());
        return error.details();
    }
}
