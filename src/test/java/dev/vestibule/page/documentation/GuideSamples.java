package dev.vestibule.page.documentation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.vestibule.fixture.FreePort;
import dev.vestibule.fixture.Jwt;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;

/**
 * The samples of the guides, word for word: a fenced block that names a file is that file, and the blocks of JSON after
 * it that name none are what it gets. A sample is skipped if its language is not installed, or the registry of the
 * language does not provide its library.
 */
final class GuideSamples {
    private static final Pattern BLOCK =
            Pattern.compile("^```([a-z]*)(?: (\\S+))?\\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);
    private static final int MINUTES = 4;
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private static final Map<String, Sample> SAMPLES = read();
    private static final Map<List<String>, Optional<Path>> INSTALLED = new ConcurrentHashMap<>();

    private record Sample(String text, List<JsonNode> answers) {}

    /** What a program wrote, and how it ended. */
    record Result(int status, String output) {
        Result expectSuccess() {
            assertThat(status).as(output).isZero();
            return this;
        }

        Result expectFailure() {
            assertThat(status).as(output).isNotZero();
            return this;
        }

        JsonNode json() {
            return parse(output);
        }
    }

    private GuideSamples() {}

    private static Map<String, Sample> read() {
        var samples = new LinkedHashMap<String, Sample>();
        for (var slug : Guides.SLUGS) {
            var blocks = BLOCK.matcher(Guides.resource(slug + ".md"));
            var last = new Sample("", new ArrayList<>());
            while (blocks.find()) {
                if (blocks.group(2) != null) {
                    last = new Sample(blocks.group(3), new ArrayList<>());
                    assertThat(samples.put(blocks.group(2), last))
                            .as("another sample %s", blocks.group(2))
                            .isNull();
                } else if (blocks.group(1).equals("json")) {
                    last.answers.add(parse(blocks.group(3)));
                } else {
                    last = new Sample("", new ArrayList<>());
                }
            }
        }
        return samples;
    }

    static List<String> names() {
        return List.copyOf(SAMPLES.keySet());
    }

    private static Sample sample(String file) {
        assertThat(SAMPLES).containsKey(file);
        return SAMPLES.getOrDefault(file, new Sample("", List.of()));
    }

    static Path write(Path folder, String file) throws IOException {
        return Files.writeString(folder.resolve(file), sample(file).text);
    }

    static JsonNode parse(String json) {
        try {
            return MAPPER.readTree(json);
        } catch (JsonProcessingException failure) {
            throw new UncheckedIOException(json, failure);
        }
    }

    /** The real answer has every field that the guide shows, of the same kind; flags and nulls are as shown. */
    static void isAsShown(String file, JsonNode real) {
        isAsShown(file, 0, real);
    }

    /** Runs the sample against the nth block after it. */
    static void isAsShown(String file, int number, JsonNode real) {
        var answers = sample(file).answers;
        assertThat(answers).as("answers after %s", file).hasSizeGreaterThan(number);
        compare(file, answers.get(number), real);
    }

    private static void compare(String path, JsonNode shown, JsonNode real) {
        assertThat(real.getNodeType()).as("%s: %s", path, real).isEqualTo(shown.getNodeType());
        if (shown.isBoolean()) {
            assertThat(real).as(path).isEqualTo(shown);
        }
        shown.properties().forEach(field -> {
            assertThat(real.has(field.getKey()))
                    .as("%s/%s in %s", path, field.getKey(), real)
                    .isTrue();
            compare(path + "/" + field.getKey(), field.getValue(), real.path(field.getKey()));
        });
        if (shown.isArray() && !shown.isEmpty()) {
            assertThat(real.size()).as(path).isPositive();
            compare(path + "/0", shown.get(0), real.get(0));
        }
    }

    static JsonNode claims(String token) {
        return Jwt.parse(token).claims();
    }

    // Servers

    /** The issuer of tokens is the public URL, so the port must be known before the start. */
    static TestServer startServer(TestDatabase database) {
        var port = FreePort.find();
        return TestServer.start(
                database,
                Map.of(
                        "VESTIBULE_HTTP_PORT",
                        Integer.toString(port),
                        "VESTIBULE_PUBLIC_URL",
                        "http://localhost:" + port));
    }

    /** What the samples read. */
    static Map<String, String> environment(TestProject of) {
        return Map.of(
                "VESTIBULE_URL", of.api().base().toString(),
                "VESTIBULE_PROJECT_ID", of.id(),
                "VESTIBULE_KEY", of.publishableKey(),
                "VESTIBULE_SECRET_KEY", of.secretKey(),
                "DASHBOARD_TOKEN", of.owner());
    }

    // Languages and their libraries

    static void tool(String... command) throws Exception {
        assumeThat(succeeds(Path.of("."), command))
                .as("this machine has %s", command[0])
                .isTrue();
    }

    static void npm(Path folder, String library) throws Exception {
        tool("node", "--version");
        tool("npm", "--version");
        assumeThat(succeeds(folder, "npm", "install", "--silent", "--no-audit", "--prefix", folder.toString(), library))
                .as("npm gives %s", library)
                .isTrue();
    }

    /** A set of libraries is installed once for all samples that want it. */
    static void pip(Path folder, String... libraries) throws Exception {
        tool("python3", "-m", "pip", "--version");
        var installed = INSTALLED.computeIfAbsent(List.of(libraries), GuideSamples::installByPip);
        assumeThat(installed).as("pip gives %s", List.of(libraries)).isPresent();
        FileUtils.copyDirectory(installed.orElseThrow().toFile(), folder.toFile());
    }

    private static Optional<Path> installByPip(List<String> libraries) {
        try {
            var folder = Files.createTempDirectory("pip");
            var install = Stream.concat(
                            Stream.of("python3", "-m", "pip", "install", "--quiet", "--target", folder.toString()),
                            libraries.stream())
                    .toArray(String[]::new);
            return succeeds(folder, install) ? Optional.of(folder) : Optional.empty();
        } catch (Exception failure) {
            throw new IllegalStateException(failure);
        }
    }

    /** Builds the program of the only source in the folder. */
    static String go(Path folder, String... libraries) throws Exception {
        tool("go", "version");
        assertThat(succeeds(folder, "go", "mod", "init", "example.com/sample")).isTrue();
        var get = Stream.concat(Stream.of("go", "get"), Stream.of(libraries)).toArray(String[]::new);
        assumeThat(succeeds(folder, get)).as("go gets %s", List.of(libraries)).isTrue();
        assumeThat(succeeds(folder, "go", "mod", "tidy")).as("go gets the rest").isTrue();
        run(folder, List.of("go", "build", "-buildvcs=false", "-o", "sample", "."), Map.of())
                .expectSuccess();
        return folder.resolve("sample").toString();
    }

    static String jar(Class<?> ofLibrary) throws Exception {
        return Path.of(ofLibrary
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI())
                .toString();
    }

    private static boolean succeeds(Path folder, String... command) throws Exception {
        try {
            return run(folder, List.of(command), Map.of()).status == 0;
        } catch (IOException absent) {
            return false;
        }
    }

    // Programs

    /** The command that runs a sample of the shell or of Node. */
    static List<String> command(Path folder, String file) throws Exception {
        if (file.endsWith(".sh")) {
            tool("curl", "--version");
            return List.of("sh", "-eu", write(folder, file).toString());
        }
        tool("node", "--version");
        return List.of("node", write(folder, file).toString());
    }

    /** Runs a sample of the shell or of Node with these arguments. */
    static Result run(Path folder, TestProject of, String file, String... arguments) throws Exception {
        var line = new ArrayList<>(command(folder, file));
        line.addAll(Arrays.asList(arguments));
        return run(folder, line, environment(of));
    }

    /** Runs a sample of the shell, whose answer is as the guide shows it. */
    static JsonNode answer(Path folder, TestProject of, String file, String... arguments) throws Exception {
        var answer = run(folder, of, file, arguments).expectSuccess().json();
        isAsShown(file, answer);
        return answer;
    }

    static Result run(Path folder, List<String> line, Map<String, String> environment) throws Exception {
        var log = Files.createTempFile("sample", ".log");
        var process = start(folder, line, log.toFile(), environment);
        if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
            process.destroyForcibly();
        }
        return new Result(process.waitFor(), Files.readString(log, StandardCharsets.UTF_8));
    }

    /** Ends the input of a program with this line, and waits for its end. */
    static Result type(Process process, File log, String text) throws Exception {
        try (var input = process.outputWriter(StandardCharsets.UTF_8)) {
            input.write(text + "\n");
        }
        assertThat(process.waitFor(MINUTES, TimeUnit.MINUTES)).as(read(log)).isTrue();
        return new Result(process.exitValue(), read(log));
    }

    static Process start(Path folder, List<String> line, File log, Map<String, String> environment) throws IOException {
        var builder = new ProcessBuilder(line)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log);
        var all = new HashMap<>(environment);
        all.putIfAbsent("PYTHONPATH", folder.toString());
        builder.environment().putAll(all);
        return builder.start();
    }

    static boolean listens(int port) {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }

    static String read(File log) {
        try {
            return Files.readString(log.toPath());
        } catch (IOException failure) {
            return "";
        }
    }
}
