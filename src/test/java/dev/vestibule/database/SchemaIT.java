package dev.vestibule.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The properties that allow the schema to be sharded by project; each shard would have its own nodes. */
@ExtendWith(WithServer.class)
class SchemaIT {
    private static final String TABLES = """
            SELECT table_name FROM information_schema.tables
            WHERE table_schema = 'public' AND table_type = 'BASE TABLE'
              AND table_name NOT IN ('projects', 'nodes', 'node_reports', 'schema_history')
            ORDER BY table_name
            """;

    private static final String TABLES_BY_PROJECT = """
            SELECT keys.table_name
            FROM information_schema.table_constraints AS keys
            JOIN information_schema.key_column_usage AS columns USING (constraint_schema, constraint_name)
            WHERE keys.table_schema = 'public' AND keys.constraint_type = 'PRIMARY KEY'
              AND columns.ordinal_position = 1 AND columns.column_name = 'project_id'
            ORDER BY keys.table_name
            """;

    /** Shards could not enforce a unique constraint across projects. */
    private static final String UNIQUE_ACROSS_PROJECTS = """
            SELECT indexes.indexrelid::regclass::text
            FROM pg_index AS indexes JOIN pg_class AS tables ON tables.oid = indexes.indrelid
            JOIN pg_attribute AS columns ON columns.attrelid = tables.oid AND columns.attnum = indexes.indkey[0]
            WHERE indexes.indisunique AND tables.relnamespace = 'public'::regnamespace
              AND tables.relname NOT IN ('projects', 'nodes', 'node_reports', 'schema_history') AND columns.attname <> 'project_id'
            """;

    private final TestServer server;

    SchemaIT(TestServer server) {
        this.server = server;
    }

    @Test
    void everyPrimaryKeyBeginsWithTheProject() {
        assertThat(server.sql().texts(TABLES_BY_PROJECT))
                .isNotEmpty()
                .containsExactlyElementsOf(server.sql().texts(TABLES));
    }

    @Test
    void nothingIsUniqueAcrossProjects() {
        assertThat(server.sql().texts(UNIQUE_ACROSS_PROJECTS)).isEmpty();
    }
}
