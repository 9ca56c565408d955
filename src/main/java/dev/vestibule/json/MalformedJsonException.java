package dev.vestibule.json;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The text is not JSON, or not JSON that this server accepts. The message says where, and repeats nothing of the text
 * except the name of a duplicate field.
 */
public final class MalformedJsonException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Jackson has no exception type for a duplicate field. */
    private static final Pattern DUPLICATE = Pattern.compile("Duplicate field '(.*)'", Pattern.DOTALL);

    private final String problem;
    private final int line;
    private final int column;

    MalformedJsonException(IOException cause) {
        this(problem(cause), location(cause));
    }

    /** A number too large for any exact type; its position is unknown. */
    static MalformedJsonException exponent() {
        return new MalformedJsonException("has a number whose exponent is too large", null);
    }

    private MalformedJsonException(String problem, @Nullable JsonLocation at) {
        super(
                "The body " + problem + (at == null ? "" : position(at.getLineNr(), at.getColumnNr())) + ".",
                null,
                false,
                false);
        this.problem = problem;
        this.line = at == null ? 1 : at.getLineNr();
        this.column = at == null ? 1 : at.getColumnNr();
    }

    /** What is wrong, worded as the message of a violation, for a text that begins at this line of a larger one. */
    public String inLine(long first) {
        return problem + position(first + line - 1, column);
    }

    private static String position(long line, int column) {
        return " (line " + line + ", column " + column + ")";
    }

    private static @Nullable JsonLocation location(IOException cause) {
        return cause instanceof JsonProcessingException failure ? failure.getLocation() : null;
    }

    private static String problem(IOException cause) {
        if (cause instanceof JsonProcessingException failure) {
            var duplicate = DUPLICATE.matcher(String.valueOf(failure.getOriginalMessage()));
            if (duplicate.matches()) {
                return "has the field " + TextNode.valueOf(Text.shortened(duplicate.group(1))) + " twice in one object";
            }
        }
        return "is not valid JSON";
    }
}
