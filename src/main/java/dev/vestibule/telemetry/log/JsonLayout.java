package dev.vestibule.telemetry.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.LayoutBase;
import ch.qos.logback.core.util.CachingDateFormatter;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.ZoneOffset;

/**
 * One flat JSON object per line, escaped by Jackson. Logback's own encoder nests fields in lists and turns numbers into
 * strings.
 */
final class JsonLayout extends LayoutBase<ILoggingEvent> {
    private final CachingDateFormatter time = new CachingDateFormatter(TextLayout.TIME, ZoneOffset.UTC);

    /** Writes only ASCII, so that no text can control a terminal or look like the end of a line. */
    private final JsonFactory json =
            JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    @Override
    public String doLayout(ILoggingEvent event) {
        var line = new StringWriter();
        try (var object = json.createGenerator(line)) {
            object.writeStartObject();
            object.writeStringField("time", time.format(event.getTimeStamp()));
            object.writeStringField("level", event.getLevel().toString());
            object.writeStringField("logger", event.getLoggerName());
            object.writeStringField("message", event.getFormattedMessage());
            var fields = event.getKeyValuePairs();
            if (fields != null) {
                for (var field : fields) {
                    write(object, field.key, field.value);
                }
            }
            for (var field : event.getMDCPropertyMap().entrySet()) {
                object.writeStringField(field.getKey(), field.getValue());
            }
            if (event.getThrowableProxy() != null) {
                object.writeStringField("stackTrace", ThrowableProxyUtil.asString(event.getThrowableProxy()));
            }
            object.writeEndObject();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return line.append(System.lineSeparator()).toString();
    }

    private static void write(JsonGenerator object, String name, Object value) throws IOException {
        if (value instanceof Integer || value instanceof Long) {
            object.writeNumberField(name, ((Number) value).longValue());
        } else {
            object.writeStringField(name, String.valueOf(value));
        }
    }
}
