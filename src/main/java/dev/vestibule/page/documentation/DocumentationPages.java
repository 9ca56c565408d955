package dev.vestibule.page.documentation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.http.CompressibleBody;
import dev.vestibule.page.Assets;
import dev.vestibule.page.SharedValue;
import dev.vestibule.page.documentation.Guides.GuideGroup;
import io.pebbletemplates.pebble.PebbleEngine;
import io.pebbletemplates.pebble.template.PebbleTemplate;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Renders the pages of the documentation, and the index of its search, once for all event loops, when first requested;
 * a failure is not kept.
 */
public final class DocumentationPages {
    /** The page with the API description. */
    static final String API = "api";

    /** The page for an unknown URL. */
    static final String NONE = "none/";

    /** The page for an unknown URL without a trailing slash. */
    static final String NONE_WITHOUT_SLASH = "none";

    private final Assets assets;
    private final Supplier<JsonNode> description;
    private final SharedValue<Map<String, CompressibleBody>> pages = new SharedValue<>();
    private final SharedValue<CompressibleBody> index = new SharedValue<>();

    /** The description is that of the API; it is read for the index. */
    public DocumentationPages(Assets assets, Supplier<JsonNode> description) {
        this.assets = assets;
        this.description = description;
    }

    /** All pages as HTML by their names: those of guides, and the constants here. */
    Future<Map<String, CompressibleBody>> all(Vertx vertx) {
        return assets.files(vertx).compose(files -> pages.get(vertx, () -> render(files.folder())));
    }

    /** The index of the search, as JSON. */
    Future<CompressibleBody> index(Vertx vertx) {
        return index.get(vertx, () -> SearchIndex.of(Guides.read(), description.get()));
    }

    private static Map<String, CompressibleBody> render(String assetFolder) {
        var engine = new PebbleEngine.Builder().strictVariables(true).build();
        var template = engine.getLiteralTemplate(Guides.resource("page.html"));
        var groups = Guides.read();
        var rendered = new HashMap<String, CompressibleBody>();
        for (var group : groups) {
            for (var guide : group.guides()) {
                rendered.put(guide.slug(), page(template, groups, assetFolder, guide.slug(), guide));
            }
        }
        rendered.put(API, page(template, groups, assetFolder, API, null));
        rendered.put(NONE, page(template, groups, assetFolder, NONE, null));
        rendered.put(NONE_WITHOUT_SLASH, page(template, groups, assetFolder, NONE_WITHOUT_SLASH, null));
        return Map.copyOf(rendered);
    }

    private static CompressibleBody page(
            PebbleTemplate template, List<GuideGroup> groups, String assetFolder, String name, @Nullable Guide guide) {
        var values = new HashMap<String, @Nullable Object>();
        values.put("name", name);
        values.put("groups", groups);
        values.put("guide", guide);
        values.put("assetFolder", assetFolder);
        var isAtRoot = name.equals(Guides.START) || name.equals(NONE_WITHOUT_SLASH);
        values.put("toDocumentation", isAtRoot ? "./" : "../");
        values.put("toServer", isAtRoot ? "../" : "../../");
        var html = new StringWriter();
        try {
            template.evaluate(html, values, Locale.ROOT);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return CompressibleBody.of(html.toString().getBytes(StandardCharsets.UTF_8));
    }
}
