package dev.vestibule.database.backup;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.List;

/**
 * What a backup holds. It is the last entry of the file, so that a torn file has none.
 *
 * @param format of the file, which changes when older releases could not restore it
 * @param vestibule the release that wrote it
 * @param schema the version of the newest migration
 * @param postgresql the version of the database that it comes from
 * @param time when it was begun, by the clock of the database
 * @param migrations that had made the schema
 */
public record Manifest(
        int format,
        String vestibule,
        String schema,
        String postgresql,
        String time,
        List<Migration> migrations,
        List<Table> tables,
        List<Sequence> sequences) {
    static final int FORMAT = 1;
    static final String ENTRY = "manifest.json";
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .build();

    /** A file of the schema's history, and its checksum. */
    public record Migration(String script, int checksum) {}

    /**
     * The rows of a table.
     *
     * @param sha256 of the rows as they stand in the file, unpacked
     */
    public record Table(String name, List<String> columns, long rows, String sha256) {
        static String entry(String table) {
            return "tables/" + table;
        }
    }

    /** How far a sequence has counted. */
    public record Sequence(String name, long lastValue, boolean isCalled) {}

    /** How many rows there are in all tables. */
    public long rows() {
        return tables.stream().mapToLong(Table::rows).sum();
    }

    byte[] encode() {
        try {
            return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(this);
        } catch (JsonProcessingException failure) {
            throw new IllegalStateException("the manifest could not be written as JSON", failure);
        }
    }

    /** Of a format that this release knows; the format of others is read before the rest. */
    static Manifest decode(byte[] json) throws IOException {
        var tree = MAPPER.readTree(json);
        var format = tree.path("format").asInt();
        if (format != FORMAT) {
            throw new BackupException(
                    "This backup has format " + format + ", and this release of Vestibule knows format " + FORMAT
                            + ": restore it with the release that wrote it, "
                            + tree.path("vestibule").asText() + ", or a newer one");
        }
        return MAPPER.treeToValue(tree, Manifest.class);
    }
}
