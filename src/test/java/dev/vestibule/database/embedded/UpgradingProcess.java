package dev.vestibule.database.embedded;

import dev.vestibule.database.backup.EmbeddedTransfer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Starts on older data in its own process, and is killed as soon as it has logged a certain line. */
final class UpgradingProcess {
    private UpgradingProcess() {}

    /** Kills it with SIGKILL; false if it has not got that far. */
    static boolean killAt(String line, Path dataDir) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process process = new ProcessBuilder(List.of(
                        java,
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        UpgradingProcess.class.getName(),
                        dataDir.toString()))
                .redirectErrorStream(true)
                .start();
        try (var lines = process.inputReader()) {
            for (String said = lines.readLine(); said != null; said = lines.readLine()) {
                if (said.contains(line)) {
                    return true;
                }
            }
            return false;
        } finally {
            process.destroyForcibly().onExit().join();
        }
    }

    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) {
        EmbeddedServer.start(Path.of(arguments[0]), 20, new EmbeddedTransfer(System.out::println))
                .close();
    }
}
