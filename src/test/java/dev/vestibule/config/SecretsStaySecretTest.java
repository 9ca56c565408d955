package dev.vestibule.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretsStaySecretTest {
    private final Path folder;

    SecretsStaySecretTest(@TempDir Path folder) {
        this.folder = folder;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "VESTIBULE_SECRET=hunter2",
                "VESTIBULE_PREVIOUS_SECRETS=hunter2",
                "VESTIBULE_DASHBOARD_PASSWORD=hunter2",
                "VESTIBULE_SMS_SECRET=hunter2",
                "VESTIBULE_SMS_SECRET=whsec_hunter2",
                "VESTIBULE_SMS_URL=https://u:hunter2@sms.example.com",
                "VESTIBULE_PUBLIC_URL=postgresql://u:hunter2@db/auth",
                "VESTIBULE_SMTP_URL=mysql://u:hunter2@mail",
                "VESTIBULE_SMTP_URL=smtp://u:hunter2^@mail",
                "VESTIBULE_SMTP_URL=smtp://u:p?hunter2=x@mail",
                "VESTIBULE_SMTP_URL=smtp://u:p/hunter2@mail",
                "VESTIBULE_SMTP_URL=smtp://u:p#hunter2@mail",
                "VESTIBULE_SMTP_URL=smtp://hunter2@mail",
                "VESTIBULE_SMTP_URL=smtp://u:hunter2@mail?starttls=hunter2",
                "VESTIBULE_DATABASE_URL=mysql://u:hunter2@db/auth",
                "VESTIBULE_DATABASE_URL=postgresql://u:hunter2^@db/auth",
                "VESTIBULE_DATABASE_SHARDS=eu=postgresql://u:hunter2^@db/auth",
                "VESTIBULE_DATABASE_SHARDS=postgresql://u:hunter2@db/auth",
                "VESTIBULE_DATABASE_URL=postgresql://u:p?hunter2=x@db/auth",
                "VESTIBULE_DATABASE_URL=postgresql://u:p/hunter2@db/auth",
                "VESTIBULE_DATABASE_URL=postgresql://u:p#hunter2@db/auth",
                "VESTIBULE_DATABASE_URL=postgresql://u:hunter2@db/auth?sslmode=hunter2",
            })
    void aSecretNeverReachesAMessage(String variable) {
        Loading loading = Loading.in(folder).environment(variable);

        assertThat(loading.faults())
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line).doesNotContain("hunter2"));
        assertThatThrownBy(loading::settings).hasNoCause();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "secret: *hunter2",
                "secret: !hunter2 x",
                "secret: !h!hunter2 x",
                "secret: 'hunter2",
                "secret: {hunter2: x}",
                "secret: [{hunter2: x}]",
                "secret:hunter2",
                "{secret:hunter2}",
                "database: postgresql://u:hunter2@db/auth",
                "- hunter2",
                "? [hunter2]\n: x",
            })
    void aSecretInAFileWithAMistakeNeverReachesAMessage(String text) {
        assertThat(Loading.in(folder).file(text).faults())
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line).doesNotContain("hunter2"));
    }

    @Test
    void settingsPrintNoSecret() {
        Settings settings = Loading.in(folder)
                .environment(
                        "VESTIBULE_SECRET=hunter2" + Loading.SECRET,
                        "VESTIBULE_PREVIOUS_SECRETS=hunter2" + Loading.SECRET,
                        "VESTIBULE_DATABASE_URL=postgresql://u:hunter2@db/auth",
                        "VESTIBULE_DATABASE_SHARDS=eu=postgresql://u:hunter2@eu/auth",
                        "VESTIBULE_SMTP_URL=smtp://u:hunter2@mail",
                        "VESTIBULE_DASHBOARD_EMAIL=a@b.example",
                        "VESTIBULE_DASHBOARD_PASSWORD=hunter2hunter2")
                .settings();

        assertThat(settings.toString()).contains("[redacted]").doesNotContain("hunter2");
    }
}
