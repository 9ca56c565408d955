package dev.vestibule.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;

/** A text that is not the JSON that we take; the message names the place, never the content. */
public final class MalformedJsonException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MalformedJsonException(IOException cause) {
        super("The body is not valid JSON" + place(cause) + ".", null, false, false);
    }

    private static String place(IOException cause) {
        if (cause instanceof JsonProcessingException failure && failure.getLocation() != null) {
            return " (line " + failure.getLocation().getLineNr() + ", column "
                    + failure.getLocation().getColumnNr() + ")";
        }
        return "";
    }
}
