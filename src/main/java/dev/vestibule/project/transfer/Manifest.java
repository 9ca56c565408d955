package dev.vestibule.project.transfer;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.List;
import java.util.UUID;

/**
 * The contents of a project's file. It is the last entry, so that a truncated file has none.
 *
 * @param format the format of the file, which changes when older releases cannot read it
 * @param migrations the schema of the rows
 */
record Manifest(int format, UUID project, String name, String slug, String migrations, List<Table> tables) {
    static final int FORMAT = 1;
    static final String ENTRY = "project.json";
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    /** The rows of a table, and its columns in the order of the file. */
    record Table(String name, List<String> columns, long rows, String sha256) {
        String entry() {
            return "tables/" + name;
        }
    }

    byte[] encode() {
        try {
            return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(this);
        } catch (JsonProcessingException failure) {
            throw new IllegalStateException("the manifest could not be written as JSON", failure);
        }
    }

    static Manifest decode(byte[] json) throws IOException {
        var tree = MAPPER.readTree(json);
        var format = tree.path("format").asInt();
        if (format != FORMAT) {
            throw new TransferException("The file has format " + format + ", and this release knows format " + FORMAT
                    + ": use the release that wrote it on both servers.");
        }
        return MAPPER.treeToValue(tree, Manifest.class);
    }
}
