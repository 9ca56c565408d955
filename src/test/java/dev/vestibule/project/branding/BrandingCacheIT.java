package dev.vestibule.project.branding;

import dev.vestibule.fixture.DatabaseProxy;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.TestClock;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The memory limit of the branding cache. */
@ExtendWith(WithServer.class)
class BrandingCacheIT {
    private static final byte[] JPEG = {(byte) 0xff, (byte) 0xd8, (byte) 0xff};

    /** Six brandings of 40,000 characters, of which five fit. */
    @Test
    void theCacheIsBoundedByBytes(TestDatabase database) {
        var settings = Map.of("VESTIBULE_PROJECTS_BRANDING_CACHE_BYTES", "240000", "VESTIBULE_HTTP_EVENT_LOOPS", "1");
        try (var proxy = DatabaseProxy.before(database.createDatabase());
                var server = TestServer.startOn(proxy.url(), settings, new TestClock())) {
            var owner = server.newDashboardUser();
            var projects = Stream.generate(() -> withLogo(server.newProject(owner, "A project")))
                    .limit(6)
                    .toList();

            serve(projects);
            serve(projects);

            Eventually.until(
                    "one that was pushed out is read again",
                    () -> proxy.during(() -> serve(projects)).stream()
                            .anyMatch(statement -> statement.contains("brandings")));
        }
    }

    private static TestProject withLogo(TestProject project) {
        var logo = Base64.getEncoder().encodeToString(Arrays.copyOf(JPEG, 30_000));
        project.asOwner("PATCH", "/branding")
                .json(Map.of("logoDataUrl", "data:image/jpeg;base64," + logo))
                .expect(200);
        return project;
    }

    private static void serve(List<TestProject> projects) {
        projects.forEach(project -> project.get("/v1/auth/branding").expect(200));
    }
}
