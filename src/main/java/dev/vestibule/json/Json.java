package dev.vestibule.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;

/**
 * JSON as this server reads and writes it. It rejects duplicate keys, text after the value, more than 32 levels and
 * numbers of more than 64 digits or an exponent beyond 32 bits, and it writes instants as ISO 8601 in UTC with
 * milliseconds.
 */
public final class Json {
    static final int MAX_DEPTH = 32;
    private static final int MAX_NUMBER_LENGTH = 64;

    /** Of a number with all its digits, as PostgreSQL writes it: room for 1e300, and for 64 digits of 1e-300. */
    static final int MAX_PLAIN_NUMBER = 400;

    /** A parsed {@code {}} takes 28 times the memory of its text, and the memory limit counts a body by its text. */
    private static final int MAX_TOKENS = 20_000;

    private static final ObjectMapper MAPPER = mapper(MAX_NUMBER_LENGTH);
    private static final ObjectMapper EXPORTED = mapper(MAX_PLAIN_NUMBER);
    private static final ObjectWriter PLAIN_NUMBERS =
            MAPPER.writer().with(JsonGenerator.Feature.WRITE_BIGDECIMAL_AS_PLAIN);

    /**
     * Without the limits of {@link #parse}: PostgreSQL writes 1e300 with all its digits, and a response has many
     * values.
     */
    private static final ObjectMapper OWN = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private static final ObjectReader STORED = OWN.readerFor(new TypeReference<Map<String, Object>>() {});

    private Json() {}

    /** Reads one JSON value, or throws a {@link MalformedJsonException}, whose message is safe to show. */
    public static JsonNode parse(Buffer text) {
        return parse(MAPPER, text);
    }

    /** As {@link #parse}, but accepts the numbers that an export writes with all their digits. */
    public static JsonNode parseExported(Buffer text) {
        return parse(EXPORTED, text);
    }

    private static JsonNode parse(ObjectMapper mapper, Buffer text) {
        try {
            return mapper.readTree(text.getBytes());
        } catch (IOException failure) {
            throw new MalformedJsonException(failure);
        } catch (ArithmeticException | NumberFormatException failure) { // from BigDecimal; Jackson does not wrap them
            throw MalformedJsonException.exponent();
        }
    }

    public static Buffer encode(Object value) {
        try {
            return Buffer.buffer(MAPPER.writeValueAsBytes(value));
        } catch (JsonProcessingException failure) {
            throw new IllegalStateException("a response could not be written as JSON", failure);
        }
    }

    /** An object from the database, with its numbers exactly as they were stored. */
    public static Map<String, Object> storedObject(String text) {
        try {
            return STORED.readValue(text);
        } catch (JsonProcessingException failure) {
            throw new IllegalStateException("stored JSON could not be read", failure);
        }
    }

    /** Reads what this server or its database has written, whose size and numbers {@link #parse} need not accept. */
    public static JsonNode parseOwn(Buffer text) {
        try {
            return OWN.readTree(text.getBytes());
        } catch (IOException failure) {
            throw new IllegalStateException("own JSON could not be read", failure);
        }
    }

    /** Compact JSON, with numbers in plain digits ({@code 1e3} becomes {@code 1000}). */
    static String plainText(JsonNode value) {
        try {
            return PLAIN_NUMBERS.writeValueAsString(value);
        } catch (JsonProcessingException failure) {
            throw new IllegalStateException("parsed JSON could not be written again", failure);
        }
    }

    /** An object's fields as plain maps, lists, strings, numbers and booleans. */
    static Map<String, Object> toMap(JsonNode object) {
        return MAPPER.convertValue(object, new TypeReference<Map<String, Object>>() {});
    }

    /** A value as a plain map, list, string, number or boolean. */
    static Object toValue(JsonNode value) {
        return MAPPER.convertValue(value, Object.class);
    }

    private static ObjectMapper mapper(int maxNumberLength) {
        var mapper = JsonMapper.builder()
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .addModule(new SimpleModule().addSerializer(Instant.class, new InstantSerializer()))
                .build();
        mapper.getFactory()
                .setStreamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(MAX_DEPTH)
                        .maxTokenCount(MAX_TOKENS)
                        .maxNumberLength(maxNumberLength)
                        .build());
        return mapper;
    }

    private static final class InstantSerializer extends JsonSerializer<Instant> {
        @Override
        public void serialize(Instant value, JsonGenerator out, SerializerProvider provider) throws IOException {
            out.writeString(Timestamps.format(value));
        }
    }
}
