package dev.vestibule.page.console;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.http.Reply;
import dev.vestibule.page.AssetFiles;
import dev.vestibule.page.Assets;
import dev.vestibule.page.ContentSecurityPolicy;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Serves the console, which is one page. */
public final class ConsoleHandler {
    private static final String WITHOUT_SLASH = "/console";
    private static final String ROOT = WITHOUT_SLASH + "/";
    /**
     * What an address of a screen is made of; anything else leads to the beginning. Possessive, since the stack would
     * overflow at a deep address otherwise.
     */
    private static final Pattern SCREEN = Pattern.compile("[\\w.~-]++(?:/[\\w.~-]++)*+");

    private static final String PAGE = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="referrer" content="no-referrer">
            <meta name="color-scheme" content="light dark">
            <title>Vestibule console</title>
            <link rel="icon" href="../%1$sconsole/mark.svg" type="image/svg+xml">
            <link rel="stylesheet" href="../%1$sconsole/tokens.css">
            <link rel="stylesheet" href="../%1$sconsole/console.css">
            <script type="module" src="../%1$sconsole/console.js"></script>
            %2$s
            </head>
            <body>
            <div id="console"><noscript><p>The console needs JavaScript.</p></noscript></div>
            </body>
            </html>
            """;

    private final Assets assets;

    public ConsoleHandler(Assets assets) {
        this.assets = assets;
    }

    /** {@code GET /console/}: the page. Its address ends with a slash, since its links are relative. */
    public Future<Reply> get(ApiRequest request) {
        return request.path().equals(WITHOUT_SLASH)
                ? Future.succeededFuture(Reply.redirect("console/"))
                : assets.files(request.vertx())
                        .map(files -> Reply.page(
                                200, PAGE.formatted(files.folder(), preloads(files)), ContentSecurityPolicy.CONSOLE));
    }

    /** {@code GET /}: leads a person who enters only the host to the console; for programs, there is nothing. */
    public Future<Reply> enter(ApiRequest request) {
        var accepted = request.header(HttpHeaders.ACCEPT);
        return accepted != null && accepted.contains("text/html")
                ? Future.succeededFuture(Reply.redirect("console/").withHeader("Vary", "Accept"))
                : Future.failedFuture(ApiException.of(ErrorCode.NOT_FOUND, "There is nothing at this path."));
    }

    /**
     * {@code GET /console/*}: leads to the screen of that name, which really is in the fragment. The address is
     * relative to the folder of the last slash.
     */
    public Future<Reply> enterScreen(ApiRequest request) {
        var below = request.path().substring(ROOT.length());
        var up =
                "../".repeat((int) below.chars().filter(letter -> letter == '/').count());
        var screen = below.endsWith("/") ? below.substring(0, below.length() - 1) : below;
        return Future.succeededFuture(
                Reply.redirect("./" + up + (SCREEN.matcher(screen).matches() ? "#/" + screen : "")));
    }

    /**
     * Preloads the modules of the frame at once, so that the browser does not have to read a module before it requests
     * its imports. Those of the screens are in a folder below, and a browser loads each when it is opened.
     */
    private static String preloads(AssetFiles files) {
        return Stream.concat(files.scripts("console/").stream(), Stream.of("lib/lit-html/lit-html.js"))
                .map(path -> "<link rel=\"modulepreload\" href=\"../" + files.folder() + path + "\">")
                .collect(Collectors.joining("\n"));
    }
}
