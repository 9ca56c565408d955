package dev.vestibule.page;

import dev.vestibule.crypto.Sha256;
import dev.vestibule.http.CompressibleBody;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** All files that pages load, by their path in a folder whose name is a hash of all files. */
public final class AssetFiles {
    /** The library files: the path in a page's URL, and the place in the jar. */
    static final Map<String, String> LIBRARIES = Map.of(
            "lib/lit-html/lit-html.js", litHtml("lit-html.js"),
            "lib/swagger-ui/swagger-ui-bundle.js", swaggerUi("swagger-ui-bundle.js"),
            "lib/swagger-ui/swagger-ui.css", swaggerUi("swagger-ui.css"));

    private static final String FOLDER = "/page";
    private static final Map<String, String> MEDIA_TYPES = Map.of(
            "css", "text/css; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "json", "application/json",
            "svg", "image/svg+xml",
            "png", "image/png");
    private static final Pattern INDENT = Pattern.compile("^ +", Pattern.MULTILINE);
    private static final int HASH_BYTES = 8;

    private final Map<String, Asset> files;
    private final String version;

    private AssetFiles(Map<String, Asset> files, String version) {
        this.files = files;
        this.version = version;
    }

    private static String litHtml(String file) {
        return "/META-INF/resources/_static/lit-html/3.3.3/" + file;
    }

    private static String swaggerUi(String file) {
        return "/META-INF/resources/webjars/swagger-ui/5.34.1/" + file;
    }

    /**
     * Not for an event loop: this takes a tenth of a second. Leaves out templates, texts and files that no page loads.
     */
    static AssetFiles read() {
        var found = new TreeMap<String, byte[]>();
        try {
            readFolder(Objects.requireNonNull(AssetFiles.class.getResource(FOLDER), FOLDER), found);
            for (var library : LIBRARIES.entrySet()) {
                found.put(library.getKey(), resource(library.getValue()));
            }
        } catch (IOException | URISyntaxException unreadable) {
            throw new IllegalStateException("The jar's own files cannot be read.", unreadable);
        }
        var files = new TreeMap<String, Asset>();
        found.forEach((path, bytes) -> files.put(path, Asset.of(mediaType(path).orElseThrow(), bytes)));
        return new AssetFiles(Map.copyOf(files), hash(found));
    }

    /** From a jar or, in development, from a folder. */
    private static void readFolder(URL folder, Map<String, byte[]> into) throws IOException, URISyntaxException {
        if (folder.openConnection() instanceof JarURLConnection jar) {
            // Not the shared file system of the JVM, which a second reader would find in use.
            try (var system =
                    FileSystems.newFileSystem(Path.of(jar.getJarFileURL().toURI()))) {
                readTree(system.getPath(FOLDER), into);
            }
        } else {
            readTree(Path.of(folder.toURI()), into);
        }
    }

    private static void readTree(Path root, Map<String, byte[]> into) throws IOException {
        List<Path> files;
        try (var tree = Files.walk(root)) {
            files = tree.filter(Files::isRegularFile).toList();
        }
        for (var file : files) {
            var path = root.relativize(file).toString();
            if (mediaType(path).isPresent()) {
                into.put(path, bytes(file, path));
            }
        }
    }

    /**
     * The file without indents and documentation, which only people read and which make up a quarter of it. None of our
     * string literals and texts has an indented line, or anything that looks like a comment.
     */
    private static byte[] bytes(Path file, String path) throws IOException {
        if (path.endsWith(".js")) {
            return withoutIndents(withoutDocumentation(Files.readString(file)));
        }
        return path.endsWith(".json") ? withoutIndents(Files.readString(file)) : Files.readAllBytes(file);
    }

    private static String withoutDocumentation(String script) {
        var kept = new StringBuilder();
        int from = 0;
        for (int start = script.indexOf("/**"); start >= 0; start = script.indexOf("/**", from)) {
            kept.append(script, from, start);
            from = script.indexOf("*/", start) + 2;
        }
        return kept.append(script, from, script.length()).toString();
    }

    private static byte[] withoutIndents(String text) {
        return INDENT.matcher(text).replaceAll("").getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] resource(String name) throws IOException {
        try (InputStream stream = AssetFiles.class.getResourceAsStream(name)) {
            return Objects.requireNonNull(stream, name).readAllBytes();
        }
    }

    private static Optional<String> mediaType(String path) {
        return Optional.ofNullable(MEDIA_TYPES.get(path.substring(path.lastIndexOf('.') + 1)));
    }

    private static String hash(SortedMap<String, byte[]> files) {
        var all = new ByteArrayOutputStream();
        files.forEach((path, bytes) -> {
            all.writeBytes((path + '\n' + bytes.length + '\n').getBytes(StandardCharsets.UTF_8));
            all.writeBytes(bytes);
        });
        return HexFormat.of().formatHex(Sha256.of(all.toByteArray()), 0, HASH_BYTES);
    }

    /** The folder of the files, relative to the root of this server and with a trailing slash: {@code assets/1f…/}. */
    public String folder() {
        return "assets/" + version + "/";
    }

    /** The paths of the scripts that the page of this folder always loads. */
    public List<String> scripts(String folder) {
        return files.keySet().stream()
                .filter(path ->
                        path.startsWith(folder) && path.endsWith(".js") && path.indexOf('/', folder.length()) < 0)
                .sorted()
                .toList();
    }

    /** The hash by which a page can name the very content of a file, such as {@code sha256-…}. */
    public String digest(String path) {
        return find(path).orElseThrow().digest();
    }

    boolean isCurrent(String folder) {
        return folder.equals(version);
    }

    /** Finds a file by its path in the folder, such as {@code console/console.js}. */
    Optional<Asset> find(String path) {
        return Optional.ofNullable(files.get(path));
    }

    /**
     * A file as the server sends it to browsers.
     *
     * @param digest the hash by which a page can name this very content (Subresource Integrity, 3.1)
     */
    record Asset(String mediaType, CompressibleBody body, String digest) {
        private static final String FOR_EVER = "public, max-age=31536000, immutable";

        static Asset of(String mediaType, byte[] bytes) {
            return new Asset(
                    mediaType,
                    CompressibleBody.of(bytes),
                    "sha256-" + Base64.getEncoder().encodeToString(Sha256.of(bytes)));
        }

        /**
         * Under the URL of another version, which a page of another node may use, the file can differ, so browsers must
         * not cache it.
         */
        Map<String, String> headers(boolean isCurrent) {
            return Map.of(
                    "Content-Type",
                    mediaType,
                    "Cache-Control",
                    isCurrent ? FOR_EVER : "no-store",
                    "Cross-Origin-Resource-Policy",
                    "same-origin");
        }
    }
}
