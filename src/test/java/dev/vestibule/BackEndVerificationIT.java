package dev.vestibule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.vestibule.fixture.FreePort;
import dev.vestibule.fixture.JarCommand;
import dev.vestibule.fixture.JarServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The samples of README.md that verify a token in a back end accept a good token and refuse a forged one. */
class BackEndVerificationIT {
    private final Path folder;
    private final String url;
    private final JarServer server;
    private final String projectId;
    private final String token;

    /** The issuer is the public URL, so the port must be known before the start. */
    BackEndVerificationIT(@TempDir Path folder) throws IOException {
        this.folder = folder;
        var port = FreePort.find();
        url = "http://localhost:" + port;
        server = JarCommand.withDatabaseIn(folder)
                .with("VESTIBULE_HTTP_PORT", Integer.toString(port))
                .start();
        var project = server.firstProject();
        projectId = project.id();
        token = project.signUp().text("accessToken");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void nodeVerifiesTokensByTheKeySet() throws Exception {
        assumeTrue(succeeds("npm", "--version"), "npm is not on this machine");
        assumeTrue(
                succeeds("npm", "install", "--silent", "--prefix", folder.toString(), "jose"), "jose is not to be had");
        var script =
                "const [url, projectId, token] = process.argv.slice(2)\n" + sample("js") + "console.log(payload.sub)\n";
        var file = Files.writeString(folder.resolve("verify.mjs"), script);

        holds("node", file.toString());
    }

    @Test
    void pythonVerifiesTokensByTheKeySet() throws Exception {
        assumeTrue(succeeds("python3", "-m", "pip", "--version"), "Python is not on this machine");
        var libraries = folder.resolve("libraries").toString();
        assumeTrue(
                succeeds("python3", "-m", "pip", "install", "--quiet", "--target", libraries, "PyJWT[crypto]"),
                "PyJWT is not to be had");
        var script = "import sys; sys.path.insert(0, '" + libraries + "')\nurl, project_id, token = sys.argv[1:]\n"
                + sample("python") + "print(payload['sub'])\n";
        var file = Files.writeString(folder.resolve("verify.py"), script);

        holds("python3", file.toString());
    }

    private void holds(String... command) throws Exception {
        var good = run(command, token);
        assertThat(good.status).as(good.output).isZero();

        var forged = token.substring(0, token.lastIndexOf('.') + 1) + "A".repeat(86);
        assertThat(run(command, forged).status).as("a forged signature").isNotZero();
    }

    private static String sample(String language) throws IOException {
        var readme = Files.readString(Path.of("README.md"));
        var start = "```" + language + "\n";
        var code = readme.substring(readme.indexOf(start) + start.length());
        var sample = code.substring(0, code.indexOf("```"));
        assertThat(sample.lines()).as("lines of the sample for " + language).hasSizeLessThan(10);
        return sample;
    }

    private record Result(int status, String output) {}

    private Result run(String[] command, String checked) throws Exception {
        var line = new ArrayList<>(List.of(command));
        line.addAll(List.of(url, projectId, checked));
        return run(line);
    }

    private static boolean succeeds(String... command) throws Exception {
        try {
            return run(List.of(command)).status == 0;
        } catch (IOException absent) {
            return false;
        }
    }

    private static Result run(List<String> line) throws Exception {
        var process = new ProcessBuilder(line).redirectErrorStream(true).start();
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(2, TimeUnit.MINUTES)) {
            process.destroyForcibly();
        }
        return new Result(process.waitFor(), output);
    }
}
