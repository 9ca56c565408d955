package dev.vestibule.oauth.catalogue;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.vestibule.config.InvalidConfigurationException;
import dev.vestibule.error.Violation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Reads the catalogue from its files: the built-in one, and over it the operator's. */
final class CatalogueFile {
    private static final String BUILT_IN = "/providers.yaml";
    private static final String LIKE = "like";

    private final String shownName;
    private final ObjectNode all;
    private final List<String> problems = new ArrayList<>();

    private CatalogueFile(String shownName, ObjectNode all) {
        this.shownName = shownName;
        this.all = all;
    }

    static List<CatalogueEntry> read(Optional<Path> ownFile) {
        var builtIn = builtIn();
        return ownFile.map(path -> new CatalogueFile("oauth.catalogueFile: " + path, laid(builtIn, own(path))))
                .orElseGet(() -> new CatalogueFile(BUILT_IN, builtIn))
                .entries();
    }

    private static ObjectNode builtIn() {
        try (var yaml = Objects.requireNonNull(CatalogueFile.class.getResourceAsStream(BUILT_IN), BUILT_IN)) {
            return (ObjectNode) mapper().readTree(yaml);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static ObjectNode own(Path path) {
        try {
            var tree = mapper().readTree(Files.readString(path));
            if (tree instanceof ObjectNode object) {
                return object;
            }
            if (tree.isMissingNode() || tree.isNull()) {
                return JsonNodeFactory.instance.objectNode(); // all of it is commented out
            }
            throw invalid(path, "must be a mapping of names to providers");
        } catch (JacksonException malformed) {
            var place = malformed.getLocation();
            throw invalid(path, (place == null ? "" : "line " + place.getLineNr() + ": ") + "is not valid YAML");
        } catch (IOException unreadable) {
            throw invalid(path, "cannot be read as a text file in UTF-8");
        }
    }

    private static YAMLMapper mapper() {
        return YAMLMapper.builder()
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .build();
    }

    private static InvalidConfigurationException invalid(Path path, String why) {
        return new InvalidConfigurationException(List.of("oauth.catalogueFile: " + path + ": " + why));
    }

    /** Objects are laid over each other field by field; anything else replaces what was there, null too. */
    private static ObjectNode laid(ObjectNode under, ObjectNode over) {
        var result = under.deepCopy();
        over.properties()
                .forEach(field -> result.set(
                        field.getKey(),
                        result.get(field.getKey()) instanceof ObjectNode below
                                        && field.getValue() instanceof ObjectNode above
                                ? laid(below, above)
                                : field.getValue()));
        return result;
    }

    private List<CatalogueEntry> entries() {
        var entries = new ArrayList<CatalogueEntry>();
        all.properties().forEach(field -> {
            var provider = Provider.find(field.getKey());
            if (field.getValue().isNull()) {
                return; // taken out of the catalogue
            }
            if (provider.isEmpty()) {
                problems.add(shownName + ": the name of a provider must begin with a letter and have at most 40 of a-z,"
                        + " 0-9, _ and -");
            } else {
                entry(provider.get(), field.getValue()).ifPresent(entries::add);
            }
        });
        if (!problems.isEmpty()) {
            throw new InvalidConfigurationException(problems);
        }
        return entries;
    }

    private Optional<CatalogueEntry> entry(Provider provider, JsonNode node) {
        if (!(node instanceof ObjectNode object)) {
            problems.add(line(provider, "", "must be a mapping of names to values"));
            return Optional.empty();
        }
        var violations = new ArrayList<Violation>();
        var entry = whole(provider, object).map(fields -> CatalogueFields.read(provider, fields, violations));
        violations.forEach(violation -> problems.add(line(provider, "." + violation.field(), violation.message())));
        return entry;
    }

    /** With the fields of the entry that it is like, which itself must be like no other. */
    private Optional<ObjectNode> whole(Provider provider, ObjectNode object) {
        var like = object.path(LIKE);
        if (like.isMissingNode()) {
            return Optional.of(object);
        }
        if (!(all.get(like.asText()) instanceof ObjectNode model) || model.has(LIKE)) {
            problems.add(line(provider, "." + LIKE, "must name an entry that is not like another itself"));
            return Optional.empty();
        }
        var own = object.deepCopy();
        own.remove(LIKE);
        return Optional.of(laid(model, own));
    }

    private String line(Provider provider, String field, String why) {
        return shownName + ": " + provider + field + " " + why;
    }
}
