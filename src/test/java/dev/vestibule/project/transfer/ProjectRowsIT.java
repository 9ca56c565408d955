package dev.vestibule.project.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Compares the list of moved tables with the catalogue. */
@ExtendWith(WithServer.class)
class ProjectRowsIT {
    private static final String TABLES_OF_PROJECTS = """
            SELECT attrelid::regclass::text FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
            WHERE attname = 'project_id' AND relkind IN ('r', 'p') AND NOT relispartition
              AND relnamespace = 'public'::regnamespace
            """;

    /** Pairs of tables, of which the first refers to the second. */
    private static final String REFERENCES = """
            SELECT conrelid::regclass || ' ' || confrelid::regclass FROM pg_constraint
            WHERE contype = 'f' AND connamespace = 'public'::regnamespace
            """;

    private static final List<String> ORDER = Stream.concat(ProjectRows.TABLES.stream(), ProjectRows.IN_MOTION.stream())
            .toList();

    private static final List<String> AT_HOME =
            List.of("memberships", "invitations", "project_changes", "retired_slugs");

    private final TestServer server;

    ProjectRowsIT(TestServer server) {
        this.server = server;
    }

    @Test
    void everyTableIsListedAsMovedOrNot() {
        assertThat(Stream.of(ProjectRows.moving(), ProjectRows.FILLED_BY_TRIGGERS, AT_HOME)
                        .flatMap(List::stream))
                .containsExactlyInAnyOrderElementsOf(server.sql().texts(TABLES_OF_PROJECTS));
    }

    @Test
    void aTableMovesAfterThoseItRefersTo() {
        assertThat(server.sql().texts(REFERENCES))
                .hasSizeGreaterThan(40)
                .filteredOn(reference -> ORDER.contains(reference.split(" ", -1)[0]))
                .allSatisfy(reference -> {
                    var tables = reference.split(" ", -1);
                    // Rows may refer to others of their own table: a COPY checks them at its end.
                    assertThat(ORDER.subList(0, ORDER.indexOf(tables[0]) + 1)).contains(tables[1]);
                });
    }
}
