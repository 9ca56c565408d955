package dev.vestibule.database.embedded;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;

/** Copies a folder with the permissions of its files, without which PostgreSQL does not start. */
public final class FolderCopy extends SimpleFileVisitor<Path> {
    /** How a file is copied. */
    @FunctionalInterface
    private interface FileCopy {
        void copy(Path file, Path to) throws IOException;
    }

    private final Path from;
    private final Path to;
    private final FileCopy files;

    private FolderCopy(Path from, Path to, FileCopy files) {
        this.from = from;
        this.to = to;
        this.files = files;
    }

    /** Makes a copy that can be changed. */
    public static void copied(Path from, Path to) throws IOException {
        Files.walkFileTree(from, new FolderCopy(from, to, FolderCopy::copy));
    }

    /** Makes a copy that shares the files themselves, if both folders are on one disk. */
    static void linked(Path from, Path to) throws IOException {
        Files.walkFileTree(from, new FolderCopy(from, to, FolderCopy::link));
    }

    private static void copy(Path file, Path to) throws IOException {
        Files.copy(file, to, StandardCopyOption.COPY_ATTRIBUTES, LinkOption.NOFOLLOW_LINKS);
    }

    private static void link(Path file, Path to) throws IOException {
        try {
            Files.createLink(to, file);
        } catch (IOException anotherDisk) {
            copy(file, to);
        }
    }

    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) throws IOException {
        Files.createDirectory(
                to.resolve(from.relativize(folder)),
                PosixFilePermissions.asFileAttribute(Files.getPosixFilePermissions(folder)));
        return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
        files.copy(file, to.resolve(from.relativize(file)));
        return FileVisitResult.CONTINUE;
    }
}
