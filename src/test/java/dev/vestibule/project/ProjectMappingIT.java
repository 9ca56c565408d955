package dev.vestibule.project;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import dev.vestibule.project.FactorSettings.MfaRequirement;
import dev.vestibule.project.FactorSettings.PasskeySettings;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Compares the declared settings of projects with the catalogue. */
@ExtendWith(WithServer.class)
class ProjectMappingIT {
    private static final String COLUMNS = """
            SELECT column_name FROM information_schema.columns WHERE table_schema = 'public' AND table_name = 'projects'
            """;

    private final TestServer server;

    ProjectMappingIT(TestServer server) {
        this.server = server;
    }

    private static Stream<RecordComponent> settings() {
        return Stream.of(
                        Project.class,
                        FactorSettings.class,
                        PasskeySettings.class,
                        BotSettings.class,
                        OrganizationSettings.class)
                .flatMap(type -> Stream.of(type.getRecordComponents()))
                .filter(component -> setting(component).isPresent());
    }

    private static Optional<ProjectSetting> setting(RecordComponent component) {
        return Optional.ofNullable(component.getAnnotation(ProjectSetting.class));
    }

    private static String column(RecordComponent component) {
        return setting(component).orElseThrow().column();
    }

    private List<String> columns(String condition) {
        return server.sql().texts(COLUMNS + condition);
    }

    @Test
    void everyColumnIsASettingOrOfTheRowItself() {
        var others = Stream.of(
                "updated_at",
                "deleted_at",
                "longer_tokens_until",
                "document_clients_end_as",
                "shard",
                "arrives",
                "leaves_until",
                "has_left_rows");
        assertThat(Stream.concat(settings().map(ProjectMappingIT::column), others))
                .containsExactlyInAnyOrderElementsOf(columns(""));
    }

    @Test
    void aSettingIsNullableIfItsColumnIs() {
        var nullable = settings()
                .filter(component -> component.getAnnotatedType().isAnnotationPresent(Nullable.class)
                        || component.getType() == MfaRequirement.class)
                .map(ProjectMappingIT::column);
        assertThat(Stream.concat(nullable, Stream.of("deleted_at", "longer_tokens_until", "shard", "leaves_until")))
                .containsExactlyInAnyOrderElementsOf(columns("AND is_nullable = 'YES'"));
    }
}
