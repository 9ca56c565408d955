package dev.vestibule.database.embedded;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

/** An embedded server in its own process, which can be killed. */
final class OtherProcess implements AutoCloseable {
    private final Process process;
    private final String firstLine;

    private OtherProcess(Process process, String firstLine) {
        this.process = process;
        this.firstLine = firstLine;
    }

    /** Waits for its first line: the port, or why there is none. */
    static OtherProcess start(Path dataDir) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> command = List.of(
                java,
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                OtherProcess.class.getName(),
                dataDir.toString());
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        BufferedReader output = process.inputReader();
        String line = output.readLine();
        while (line != null && !line.startsWith("> ")) {
            line = output.readLine();
        }
        return new OtherProcess(process, line == null ? "" : line.substring(2));
    }

    String firstLine() {
        return firstLine;
    }

    void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** Closing its input asks it to close its server. */
    @Override
    public void close() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        process.onExit().join();
    }

    /** Serves until its input ends. */
    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) throws IOException {
        try (EmbeddedServer server = EmbeddedServer.start(Path.of(arguments[0]))) {
            System.out.println("> " + server.address().port());
            int end = System.in.read();
            System.out.println("ended by " + end);
        } catch (EmbeddedServerException e) {
            System.out.println("> " + e.getMessage());
        }
    }
}
