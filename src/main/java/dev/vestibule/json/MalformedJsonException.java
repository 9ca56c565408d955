package dev.vestibule.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;

/** The text is not JSON, or not JSON that this server accepts; the message says where and never repeats the content. */
public final class MalformedJsonException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MalformedJsonException(IOException cause) {
        super("The body is not valid JSON" + position(cause) + ".", null, false, false);
    }

    private static String position(IOException cause) {
        if (cause instanceof JsonProcessingException failure && failure.getLocation() != null) {
            return " (line " + failure.getLocation().getLineNr() + ", column "
                    + failure.getLocation().getColumnNr() + ")";
        }
        return "";
    }
}
