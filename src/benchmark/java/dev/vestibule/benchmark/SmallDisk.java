package dev.vestibule.benchmark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * A folder on a file system of its own, in memory, that can be filled; an ordinary one where nothing may be mounted.
 */
final class SmallDisk implements AutoCloseable {
    private static final int MIB = 1 << 20;
    private static final int SIZE_MIB = 768;
    private static final int UNMOUNT_SECONDS = 30;

    private final Path folder;
    private final boolean isMounted;

    private SmallDisk(Path folder, boolean isMounted) {
        this.folder = folder;
        this.isMounted = isMounted;
    }

    static SmallDisk at(Path folder) {
        try {
            Files.createDirectories(folder);
            var options = "size=" + SIZE_MIB + "m,mode=0700";
            return new SmallDisk(folder, run("mount", "-t", "tmpfs", "-o", options, "chaos", folder.toString()));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static boolean run(String... command) {
        try {
            var process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(UNMOUNT_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException noSuchProgram) {
            return false;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    Path folder() {
        return folder;
    }

    boolean canBeFilled() {
        return isMounted;
    }

    /** Leaves room for nothing, until it is emptied. */
    void fill() {
        try (var out = Files.newOutputStream(filler())) {
            while (true) {
                out.write(new byte[MIB]);
            }
        } catch (IOException full) {
            fillLastBytes();
        }
    }

    private void fillLastBytes() {
        try (var out = Files.newOutputStream(folder.resolve("filler-of-the-rest"))) {
            while (true) {
                out.write(new byte[1 << 10]);
            }
        } catch (IOException full) {
            // as it should be
        }
    }

    private Path filler() {
        return folder.resolve("filler");
    }

    void empty() {
        try {
            Files.deleteIfExists(filler());
            Files.deleteIfExists(folder.resolve("filler-of-the-rest"));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void close() {
        if (isMounted && !run("umount", folder.toString())) {
            run("umount", "--lazy", folder.toString());
        }
    }
}
