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
import java.lang.management.ManagementFactory;
import java.util.Collections;
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
    void aChangeDistinguishesAbsentFromNull() {
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
    void aStrictReaderReportsUnknownFieldsFirst() {
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
    void aStrictReaderKnowsEveryFieldThatItAskedFor() {
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
    void aStrictReaderChecksNestedObjects() {
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
        assertThat(strictViolations(body.toString(), fields -> "")).hasSize(30);
    }

    @Test
    void invalidMetadataIsReportedWithItsPath() {
        var pointed = new Violation("a", "must not contain a number beyond the range of a double (at /limits/1/max)");
        assertThat(violations("{\"a\":{\"limits\":[1,{\"max\":1e999}]}}", FieldsTest::readMetadata))
                .containsExactly(pointed);
        assertThat(violations("{\"a\":{\"b\":{\"c\":\"\\u0000\"}}}", FieldsTest::readMetadata))
                .containsExactly(new Violation("a", "must not contain the character NUL (at /b/c)"));
        assertThat(violations("{\"a\":{\"\\u0000\":1}}", FieldsTest::readMetadata))
                .containsExactly(new Violation("a", "must not contain the character NUL"));
        assertThat(violations("{\"a\":{\"" + "🙂".repeat(120) + "\":1e999}}", FieldsTest::readMetadata))
                .extracting(Violation::message)
                .containsExactly(
                        "must not contain a number beyond the range of a double (at /" + "🙂".repeat(99) + "…)");
    }

    /** However a rule is used: it may be slow, and a body can hold 64 KiB. */
    @Test
    void everyTextHasItsLengthCheckedBeforeItsRule() {
        var tooLong = "\"" + "1".repeat(2049) + "\"";
        assertThat(violations("{\"a\":" + tooLong + "}", fields -> {
                    fields.required("a", FieldsTest::neverAsked);
                    fields.optional("a", FieldsTest::neverAsked);
                    fields.change("a", FieldsTest::neverAsked);
                    fields.replacement("a", FieldsTest::neverAsked);
                    return absent(fields.holds("a", text -> !neverAsked(text).isEmpty()));
                }))
                .containsExactlyElementsOf(Collections.nCopies(4, new Violation("a", "is too long")));
        assertThat(violations(
                        "{\"a\":[" + tooLong + "]}",
                        fields -> absent(fields.optional("a", FieldType.strings(1, FieldsTest::neverAsked)))))
                .containsExactly(new Violation("a", "item 0 is too long"));
        assertThat(violations("{\"a\":" + tooLong + "}", fields -> absent(fields.optional("a", FieldType.moment()))))
                .containsExactly(new Violation("a", "is too long"));
        assertThat(this.<String>read(
                        "{\"a\":\"" + "1".repeat(2048) + "\"}", fields -> fields.required("a", text -> text)))
                .hasSize(2048);
    }

    @Test
    void aFieldCanDeclareALargerLimit() {
        var type = FieldType.text(3000, text -> text);
        assertThat(this.<String>read("{\"a\":\"" + "1".repeat(3000) + "\"}", fields -> fields.required("a", type)))
                .hasSize(3000);
        assertThat(violations("{\"a\":\"" + "1".repeat(3001) + "\"}", fields -> fields.required("a", type)))
                .containsExactly(new Violation("a", "must have at most 3000 characters"));
    }

    /** It must be refused with the same status as any token that was never issued. */
    @Test
    void aTokenThatIsTooLongBecomesEmpty() {
        assertThat(this.<String>read(
                        "{\"a\":\"" + "1".repeat(2049) + "\"}", fields -> fields.required("a", FieldType.token())))
                .isEmpty();
        assertThat(this.<String>read("{\"a\":\" x\"}", fields -> fields.required("a", FieldType.token())))
                .isEqualTo(" x");
        assertThat(violations("{\"a\":1}", fields -> fields.required("a", FieldType.token())))
                .containsExactly(new Violation("a", "must be a string"));
    }

    /** The path to each value would be 30 KB long, and there are 15,000 of them. */
    @Test
    void manyValuesUnderALongNameAreReadQuickly() {
        var body = "{\"a\":{\"" + "x".repeat(30_000) + "\":[" + "1,".repeat(15_000) + "1]}}";
        var bean = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        var before = bean.getThreadAllocatedBytes(Thread.currentThread().getId());
        assertThat(violations(body, FieldsTest::readMetadata))
                .containsExactly(new Violation("a", "must have at most 2000 characters as JSON"));
        assertThat(bean.getThreadAllocatedBytes(Thread.currentThread().getId()) - before)
                .isLessThan(50_000_000);
    }

    private static String neverAsked(String text) {
        throw new AssertionError("the rule was asked about " + text.length() + " characters");
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
