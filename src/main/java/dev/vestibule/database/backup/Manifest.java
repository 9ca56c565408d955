package dev.vestibule.database.backup;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.List;

/**
 * The contents of a backup. It is the last entry of the file, so that a truncated file has none.
 *
 * @param format the format of the file, which changes when older releases cannot restore it
 * @param vestibule the release that wrote it
 * @param schema the version of the newest migration
 * @param postgresql the version of PostgreSQL that it comes from
 * @param time when the backup began, by the clock of the database
 * @param migrations the migrations that created the schema
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

    /** A migration file in the schema's history, and its checksum. */
    public record Migration(String script, int checksum) {}

    /**
     * The rows of a table.
     *
     * @param sha256 the hash of the uncompressed rows
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

    /** Reads the format first, and fails if this release does not know it. */
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
