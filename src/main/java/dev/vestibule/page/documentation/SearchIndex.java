package dev.vestibule.page.documentation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.http.CompressibleBody;
import dev.vestibule.json.Json;
import dev.vestibule.page.documentation.Guides.GuideGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * What the search of the documentation looks through, in the browser: the text below each heading of the guides, and
 * the operations and chapters of the API description.
 */
final class SearchIndex {
    private static final Set<String> METHODS = Set.of("get", "put", "post", "patch", "delete");
    private static final String API = "api/";

    private final Markdown markdown = new Markdown();
    private final List<Entry> entries = new ArrayList<>();

    /** A place, by its path relative to the start page; the titles are those of its page and of the place itself. */
    private record Entry(String path, String page, String title, String text) {}

    private SearchIndex() {}

    static CompressibleBody of(List<GuideGroup> groups, JsonNode description) {
        var index = new SearchIndex();
        groups.forEach(group -> group.guides().forEach(index::add));
        index.addDescription(description);
        return CompressibleBody.of(Json.encode(Map.of("entries", index.entries)).getBytes());
    }

    private void add(Guide guide) {
        for (var passage : guide.passages()) {
            var anchor = passage.anchor().isEmpty() ? "" : "#" + passage.anchor();
            entries.add(new Entry(guide.path() + anchor, guide.title(), passage.title(), passage.text()));
        }
    }

    private void addDescription(JsonNode description) {
        addChapters(API, "API", description.at("/info/description").asText());
        for (var tag : description.path("tags")) {
            var name = tag.path("name").asText();
            addChapters(API + "#/" + escape(name), name, tag.path("description").asText());
        }
        description
                .path("paths")
                .properties()
                .forEach(path -> path.getValue().properties().stream()
                        .filter(operation -> METHODS.contains(operation.getKey()))
                        .forEach(operation -> addOperation(path.getKey(), operation.getKey(), operation.getValue())));
    }

    /** Swagger UI has no address for a chapter of a longer text, so it gets that of the whole. */
    private void addChapters(String path, String title, String text) {
        for (var passage :
                markdown.read(Guides.START, "# " + title + "\n\n" + text).passages()) {
            entries.add(new Entry(path, "API", passage.title(), passage.text()));
        }
    }

    private void addOperation(String path, String method, JsonNode operation) {
        var tag = operation.at("/tags/0").asText();
        var place =
                API + "#/" + escape(tag) + "/" + operation.path("operationId").asText();
        var text = markdown.plain(operation.path("description").asText());
        var call = method.toUpperCase(Locale.ROOT) + " " + path;
        entries.add(new Entry(place, "API", operation.path("summary").asText(), call + " " + text));
    }

    private static String escape(String tag) {
        return tag.replace(" ", "%20");
    }
}
