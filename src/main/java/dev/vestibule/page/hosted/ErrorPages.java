package dev.vestibule.page.hosted;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorStatus;
import dev.vestibule.http.Form;
import dev.vestibule.http.Reply;
import dev.vestibule.page.Assets;
import dev.vestibule.page.hosted.HostedPages.Reader;
import dev.vestibule.project.Language;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Function;

/** Errors as pages that belong to no project. */
public final class ErrorPages {
    private static final String PATH = "/p/";
    private static final String API = "/v1/";
    private static final String AUTHORIZE = "/oauth/authorize";
    private static final String LOGOUT = "/oauth/logout";

    private final Assets assets;
    private final HostedPages pages;
    private final URI publicUrl;

    ErrorPages(Assets assets, HostedPages pages, URI publicUrl) {
        this.assets = assets;
        this.pages = pages;
        this.publicUrl = publicUrl;
    }

    /** There is no project of this slug. */
    Future<Reply> unknown(ApiRequest request) {
        return plain(request, reader -> pages.unknown(reader, null));
    }

    private Future<Reply> plain(ApiRequest request, Function<Reader, Reply> render) {
        var language = Language.ofHeader(request.header(HttpHeaders.ACCEPT_LANGUAGE));
        var slashes =
                request.http().path().chars().filter(letter -> letter == '/').count();
        var toRoot = "../".repeat((int) Math.max(0, slashes - 1));
        return assets.files(request.vertx()).map(files -> render.apply(new Reader(language, files, toRoot)));
    }

    /**
     * An error as a page, if the request is not one of the API, or begins an authorization, and comes from a browser
     * that shows one; other clients, scripts and style sheets get the usual JSON.
     */
    public Optional<Future<Reply>> failed(ApiRequest request, ApiException error) {
        var path = request.http().path();
        if (path == null || !acceptsHtml(request)) {
            return Optional.empty();
        }
        var isOfProject = path.startsWith(PATH) || path.endsWith(AUTHORIZE) || path.endsWith(LOGOUT);
        if (!isOfProject && path.startsWith(API)) {
            return Optional.empty();
        }
        return Optional.of(plain(
                request,
                reader -> error.status() == ErrorStatus.NOT_FOUND
                        ? pages.unknown(reader, isOfProject ? null : publicUrl + "/")
                        : pages.failed(reader, error, retry(request))));
    }

    private static boolean acceptsHtml(ApiRequest request) {
        var accepted = request.header(HttpHeaders.ACCEPT);
        return accepted != null && accepted.contains("text/html");
    }

    /** The address to try again: this one, or, after a form, its page with what the form is about. */
    private static String retry(ApiRequest request) {
        var path = request.path();
        if (!request.http().method().equals(HttpMethod.POST) || path.endsWith(AUTHORIZE) || path.endsWith(LOGOUT)) {
            return "";
        }
        var form = path.substring(path.indexOf('/', PATH.length()) + 1);
        try {
            var entered = request.form();
            return switch (form) {
                case "logout" -> query("logout", Form.value(entered, "logout"));
                case "device" -> query("user_code", Form.value(entered, "code"));
                default -> {
                    var parameter = form.startsWith("setup/") ? "token" : "request";
                    yield "./" + query(parameter, Form.value(entered, parameter));
                }
            };
        } catch (ApiException malformed) {
            return "./";
        }
    }

    private static String query(String parameter, String value) {
        return "?" + parameter + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8);
    }
}
