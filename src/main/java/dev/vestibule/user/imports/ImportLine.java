package dev.vestibule.user.imports;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.Violation;
import dev.vestibule.json.Fields;
import dev.vestibule.json.Json;
import dev.vestibule.json.MalformedJsonException;
import dev.vestibule.project.Project;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One line of an import: the user to create, or the errors of the line. */
record ImportLine(long line, @Nullable UserToCreate account, List<Violation> errors) {
    private static final String NO_FIELD = "";

    /** How to read the lines of one import. */
    record Reader(UserToCreateFields rules, Project project, boolean ignoresUnknown) {
        private UserToCreate read(ObjectNode object, Instant now) {
            return ignoresUnknown
                    ? Fields.read(object, fields -> rules.read(fields, project, now))
                    : Fields.readStrictly(object, fields -> rules.read(fields, project, now));
        }
    }

    static ImportLine read(long line, Buffer text, Reader reader, Instant now) {
        try {
            return Json.parseExported(text) instanceof ObjectNode object
                    ? new ImportLine(line, reader.read(object, now), List.of())
                    : failed(line, "must be a JSON object");
        } catch (ApiException refused) {
            return new ImportLine(line, null, refused.details());
        } catch (MalformedJsonException malformed) {
            return failed(line, malformed.inLine(line));
        }
    }

    private static ImportLine failed(long line, String why) {
        return new ImportLine(line, null, List.of(new Violation(NO_FIELD, why)));
    }
}
