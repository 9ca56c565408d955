package dev.vestibule;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Coding rules that only the source can show. */
class SourcesTest {
    private static final Path MAIN = Path.of("src/main/java");
    private static final Pattern PUBLIC_TYPE = Pattern.compile(
            "(?m)^(?:@[^\\n]+\\n)*public (?:(?:abstract|final|sealed|non-sealed) )*(?:class|record|interface|enum|@interface) ");
    private static final Pattern CONSTANT =
            Pattern.compile("private static final String ([A-Z_]+) = \"\"\"\\n(.*?)\"\"\"", Pattern.DOTALL);
    private static final Pattern QUERY_CALL =
            Pattern.compile("\\.(?:preparedQuery|query)\\(([^)]*)\\)|\\bSql\\.run\\(\\s*[^,]+,\\s*([^,)]*)");
    private static final Path MIGRATIONS = Path.of("src/main/resources/db/migration");
    private static final Pattern TABLE = Pattern.compile("CREATE TABLE (\\w+)");
    private static final Pattern BOUND_TO_PROJECT = Pattern.compile("\\bproject_id = |\\(project_id, ");

    /** Statements that intentionally cover all projects. */
    private static final Set<String> CROSS_PROJECT = Set.of(
            "ChangeStore.READ",
            "ChangeStore.PURGE",
            "ChangeStore.RENUMBER",
            "ApiKeyStore.UPDATE_LAST_USED",
            "StatisticsStore.ADD",
            "SessionStore.SWEEP",
            "ImpersonationStore.PROJECTS_OF",
            "ImpersonationStore.SHARDS_OF",
            "SignInStore.PURGE_FAILURES",
            "MessageStore.CLAIM",
            "MessageStore.COUNT",
            "GrantStore.SWEEP",
            "EndingStore.REMOVE",
            "SigningKeyStore.OF_SUCCEEDED",
            "SigningKeyStore.SEALED_WITH",
            "AuditRefusalStore.MARK_REPORTED",
            "AuditRefusalStore.PURGE",
            "OrganizationDomainStore.CLAIM",
            "AllProjectsStore.FOUND",
            "AllProjectsStore.LIST",
            "BacklogStore.MESSAGES",
            "BacklogStore.DELIVERIES",
            "MemberStore.PROJECTS_OF",
            "MemberStore.COUNT_OWNED_BY",
            "MemberStore.COUNT_PROJECTS_OF",
            "ClaimStore.CLAIM",
            "DeliveryPurgeStore.REMOVE_DELIVERIES",
            "DeliveryPurgeStore.REMOVE_EVENTS");

    private static final Set<String> OF_NO_PROJECT = Set.of("projects", "nodes", "node_reports");

    private record Source(String type, String text) {}

    private record Statement(String name, String sql) {}

    @Test
    void everyPublicTypeSaysWhatItIs() {
        var silent = sources().stream()
                .filter(source -> {
                    var declaration = PUBLIC_TYPE.matcher(source.text());
                    return declaration.find()
                            && !source.text()
                                    .substring(0, declaration.start())
                                    .stripTrailing()
                                    .endsWith("*/");
                })
                .map(Source::type);
        assertThat(silent).isEmpty();
    }

    /** One forgotten predicate would leak data between customers. */
    @Test
    void everyStatementBindsEachTableToItsProject() {
        var reference = Pattern.compile("\\b(?:FROM|JOIN|UPDATE|INTO|USING) (?:" + tablesOfProjects() + ")\\b");
        assertThat(statements()).hasSizeGreaterThan(20).allSatisfy(statement -> {
            var tables = reference.matcher(statement.sql()).results().count();
            var bound = BOUND_TO_PROJECT.matcher(statement.sql()).results().count();
            assertThat(bound)
                    .as("%s names %d tables: %s", statement.name(), tables, statement.sql())
                    .isGreaterThanOrEqualTo(CROSS_PROJECT.contains(statement.name()) ? 0 : tables);
        });
    }

    @Test
    void theListOfCrossProjectStatementsIsNotStale() {
        assertThat(statements()).extracting(Statement::name).containsAll(CROSS_PROJECT);
    }

    /** This way each is prepared once for each connection, and no outside text can become SQL. */
    @Test
    void everyStatementIsAConstant() {
        for (var store : stores()) {
            assertThat(store.text().split("\"\"\"", -1).length / 2)
                    .as("text blocks of %s", store.type())
                    .isEqualTo((int) CONSTANT.matcher(store.text()).results().count());
            assertThat(QUERY_CALL
                            .matcher(store.text())
                            .results()
                            .map(call -> Objects.requireNonNullElse(call.group(1), call.group(2))))
                    .as("statements that %s runs", store.type())
                    .isNotEmpty()
                    .allMatch(argument -> argument.matches("[A-Z_]+"));
        }
    }

    /**
     * Read by Fields, each text has its length checked before a rule sees it; an id and a token of one length check
     * their own.
     */
    @Test
    void theTextsOfARequestsBodyAreReadByFieldsAlone() {
        var rawRead = Pattern.compile("\\.(?:textValue|asText)\\(");
        var body = Pattern.compile("\\bBody\\.(?:of|orEmpty|find)\\(|Optional<ObjectNode> body");
        assertThat(sources().stream()
                        .filter(source -> body.matcher(source.text()).find())
                        .filter(source -> rawRead.matcher(source.text()).find())
                        .map(Source::type))
                .containsExactlyInAnyOrder("Authenticator", "ProjectParameter");
    }

    /**
     * The JDK maps letters in quadratic time in the worst case. Only {@code UnicodeText} does it for texts of clients,
     * after it has checked their length. The exceptions are packages that handle the operator's texts, names of
     * constants, and classes whose texts are short for the reason given here.
     */
    @Test
    void noTextOfUnlimitedLengthIsMappedByTheJdk() {
        var mapping = Pattern.compile("(?<!\\bname\\(\\))(?<!\\bvalueOf\\(text)\\.to(?:Lower|Upper)Case\\("
                + "|::to(?:Lower|Upper)Case\\b|\\bNormalizer\\.|\\bIDN\\.");
        var operators = Pattern.compile("(?m)^package dev\\.vestibule\\.(?:config|server\\.command|database)\\b");
        var shortTexts = Map.of(
                "UnicodeText", "measures them",
                "NearestName", "names of at most 80 characters",
                "CrockfordBase32", "codes of at most 64 characters",
                "Pbkdf2Hash", "digests that a pattern lists",
                "DeviceReader", "countries of two ASCII letters",
                "Provider", "names of the catalogue",
                "SearchIndex", "names of HTTP methods",
                "EmailDomain", "domains of emails");
        assertThat(sources().stream()
                        .filter(source -> !operators.matcher(source.text()).find())
                        .filter(source -> mapping.matcher(source.text()).find())
                        .map(Source::type))
                .containsExactlyInAnyOrderElementsOf(shortTexts.keySet());
    }

    /** As alternatives of a pattern; one that a list names may be any. */
    private static String tablesOfProjects() {
        return read(MIGRATIONS, ".sql").stream()
                .flatMap(migration -> TABLE.matcher(migration.text()).results())
                .map(table -> table.group(1))
                .filter(table -> !OF_NO_PROJECT.contains(table))
                .collect(Collectors.joining("|", "%1\\$s|", ""));
    }

    private static List<Statement> statements() {
        var statements = new ArrayList<Statement>();
        for (var store : stores()) {
            CONSTANT.matcher(store.text())
                    .results()
                    .forEach(constant ->
                            statements.add(new Statement(store.type() + "." + constant.group(1), constant.group(2))));
        }
        return statements;
    }

    private static List<Source> stores() {
        return sources().stream()
                .filter(source -> source.type().endsWith("Store"))
                .toList();
    }

    private static List<Source> sources() {
        return read(MAIN, ".java");
    }

    private static List<Source> read(Path folder, String ending) {
        try (Stream<Path> files = Files.walk(folder)) {
            var sources = new ArrayList<Source>();
            for (var file :
                    files.filter(path -> path.toString().endsWith(ending)).toList()) {
                sources.add(new Source(String.valueOf(file.getFileName()).replace(ending, ""), Files.readString(file)));
            }
            return sources;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
