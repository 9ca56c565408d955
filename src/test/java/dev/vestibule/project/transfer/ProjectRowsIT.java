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

    private static final List<String> REBUILT_BY_TRIGGERS = List.of("counts", "user_search");

    private static final List<String> OF_THIS_SERVER =
            List.of("memberships", "invitations", "project_changes", "retired_slugs", "audit_log");

    private static final List<String> IN_PROGRESS = List.of(
            "organization_setup_links",
            "codes",
            "email_changes",
            "messages",
            "notice_quotas",
            "mfa_challenges",
            "passkey_challenges",
            "wallet_messages",
            "oauth_states",
            "hosted_codes",
            "browser_sessions",
            "oauth_requests",
            "oauth_device_requests",
            "oauth_grants",
            "revocations",
            "provider_trials");

    private static final List<String> COUNTED_OR_LOGGED = List.of(
            "sign_in_failures",
            "sign_in_failures_by_network",
            "sign_in_networks",
            "budgets",
            "enrolment_starts",
            "used_once",
            "audit_refusals",
            "project_statistics",
            "webhook_events",
            "webhook_deliveries",
            "webhook_delivery_counts");

    private final TestServer server;

    ProjectRowsIT(TestServer server) {
        this.server = server;
    }

    @Test
    void everyTableIsListedAsMovedOrNot() {
        var stays = Stream.of(REBUILT_BY_TRIGGERS, OF_THIS_SERVER, IN_PROGRESS, COUNTED_OR_LOGGED)
                .flatMap(List::stream);
        var moves = ProjectRows.TABLES.stream().filter(table -> !table.equals("projects"));
        assertThat(Stream.concat(moves, stays))
                .containsExactlyInAnyOrderElementsOf(server.sql().texts(TABLES_OF_PROJECTS));
    }

    @Test
    void aTableMovesAfterThoseItRefersTo() {
        var order = ProjectRows.TABLES;
        assertThat(server.sql().texts(REFERENCES))
                .hasSizeGreaterThan(20)
                .filteredOn(reference -> order.contains(reference.split(" ", -1)[0]))
                .allSatisfy(reference -> assertThat(
                                order.subList(0, order.indexOf(reference.split(" ", -1)[0])))
                        .contains(reference.split(" ", -1)[1]));
    }
}
