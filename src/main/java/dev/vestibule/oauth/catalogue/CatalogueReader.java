package dev.vestibule.oauth.catalogue;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.type.LogicalType;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.vestibule.config.InvalidConfigurationException;
import dev.vestibule.error.InvalidValueException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/** Reads the built-in catalogue and the operator's overlay, and reports all mistakes of the operator at once. */
final class CatalogueReader {
    private static final String BUILT_IN = "/providers.yaml";
    private static final String LIKE = "like";

    /** Strict: an unknown field, a field given twice and a number where text belongs are mistakes. */
    private static final YAMLMapper YAML = YAMLMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
            .enable(DeserializationFeature.READ_ENUMS_USING_TO_STRING)
            .enable(DeserializationFeature.ACCEPT_SINGLE_VALUE_AS_ARRAY)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .withCoercionConfig(LogicalType.Textual, text -> {
                text.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail);
                text.setCoercion(CoercionInputShape.Float, CoercionAction.Fail);
                text.setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail);
            })
            .defaultSetterInfo(JsonSetter.Value.forContentNulls(Nulls.FAIL))
            .build();

    private final String fileName;
    private final ObjectNode catalogue;
    private final List<String> problems = new ArrayList<>();

    private CatalogueReader(String fileName, ObjectNode catalogue) {
        this.fileName = fileName;
        this.catalogue = catalogue;
    }

    static Map<Provider, CatalogueEntry> read(Optional<Path> ownFile) {
        var builtIn = builtIn();
        return ownFile.map(path -> new CatalogueReader("oauth.catalogueFile: " + path, overlay(builtIn, own(path))))
                .orElseGet(() -> new CatalogueReader(BUILT_IN, builtIn))
                .entries();
    }

    private static ObjectNode builtIn() {
        try (var yaml = Objects.requireNonNull(CatalogueReader.class.getResourceAsStream(BUILT_IN), BUILT_IN)) {
            return (ObjectNode) YAML.readTree(yaml);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static ObjectNode own(Path path) {
        try {
            var tree = YAML.readTree(Files.readString(path));
            if (tree instanceof ObjectNode object) {
                return object;
            }
            if (tree.isMissingNode() || tree.isNull()) {
                return JsonNodeFactory.instance.objectNode(); // the whole file is commented out
            }
            throw invalid(path, "must be a mapping of names to providers");
        } catch (JacksonException malformed) {
            var location = malformed.getLocation();
            throw invalid(path, (location == null ? "" : "line " + location.getLineNr() + ": ") + "is not valid YAML");
        } catch (IOException unreadable) {
            throw invalid(path, "cannot be read as a text file in UTF-8");
        }
    }

    private static InvalidConfigurationException invalid(Path path, String why) {
        return new InvalidConfigurationException(List.of("oauth.catalogueFile: " + path + ": " + why));
    }

    /** Merges objects field by field; any other value of the overlay, null included, replaces the one below. */
    private static ObjectNode overlay(ObjectNode base, ObjectNode overlay) {
        var result = base.deepCopy();
        overlay.properties()
                .forEach(field -> result.set(
                        field.getKey(),
                        result.get(field.getKey()) instanceof ObjectNode below
                                        && field.getValue() instanceof ObjectNode above
                                ? overlay(below, above)
                                : field.getValue()));
        return result;
    }

    private Map<Provider, CatalogueEntry> entries() {
        var entries = new LinkedHashMap<Provider, CatalogueEntry>();
        catalogue.properties().forEach(field -> {
            var provider = Provider.find(field.getKey());
            if (field.getValue().isNull()) {
                return; // the operator removed this provider
            }
            if (provider.isEmpty()) {
                problems.add(fileName + ": the name of a provider must begin with a letter and have at most 40 of a-z,"
                        + " 0-9, _ and -");
            } else if (field.getKey().startsWith(Provider.OWN_PREFIX)) {
                problems.add(
                        problem(provider.get(), " must not begin with oidc-, as the names that projects choose do"));
            } else {
                entry(provider.get(), field.getValue()).ifPresent(entry -> entries.put(provider.get(), entry));
            }
        });
        if (!problems.isEmpty()) {
            throw new InvalidConfigurationException(problems);
        }
        return entries;
    }

    private Optional<CatalogueEntry> entry(Provider provider, JsonNode node) {
        if (node instanceof ObjectNode object) {
            return inherited(provider, object).flatMap(fields -> bind(provider, fields));
        }
        problems.add(problem(provider, " must be a mapping of names to values"));
        return Optional.empty();
    }

    /** The entry merged over the one that it is {@code like}, which must not be {@code like} another itself. */
    private Optional<ObjectNode> inherited(Provider provider, ObjectNode object) {
        var like = object.path(LIKE);
        if (like.isMissingNode()) {
            return Optional.of(object);
        }
        if (!(catalogue.get(like.asText()) instanceof ObjectNode parent) || parent.has(LIKE)) {
            problems.add(problem(provider, "." + LIKE + " must name an entry that is not like another itself"));
            return Optional.empty();
        }
        var own = object.deepCopy();
        own.remove(LIKE);
        return Optional.of(overlay(parent, own));
    }

    /** Jackson stops at the first mistake: take that value out and bind the rest again, so that all are reported. */
    private Optional<CatalogueEntry> bind(Provider provider, ObjectNode fields) {
        var isValid = true;
        var rest = fields.deepCopy();
        while (true) {
            try {
                var entry = YAML.treeToValue(rest, CatalogueEntry.class);
                if (isValid) {
                    entry.violations().forEach(violation -> problems.add(problem(provider, "." + violation)));
                }
                return Optional.of(entry);
            } catch (JsonMappingException mistake) {
                isValid = false;
                problems.add(problem(provider, remove(mistake.getPath(), rest) + " " + message(mistake)));
            } catch (JsonProcessingException impossible) {
                throw new IllegalStateException("a tree cannot be malformed", impossible);
            }
        }
    }

    /** Removes the field that the path leads into; returns the path as an operator reads it. */
    private static String remove(List<JsonMappingException.Reference> path, ObjectNode fields) {
        var place = new StringBuilder();
        JsonNode node = fields;
        var parent = fields;
        var field = "";
        var isInList = false;
        for (var step : path) {
            if (step.getFieldName() == null) {
                if (node.isArray()) { // otherwise a single value stands for a list of one
                    place.append('[').append(step.getIndex()).append(']');
                    node = node.path(step.getIndex());
                }
                isInList = true;
            } else {
                place.append('.').append(step.getFieldName());
                if (!isInList && node instanceof ObjectNode object) {
                    parent = object;
                    field = step.getFieldName();
                }
                node = node.path(step.getFieldName());
            }
        }
        if (parent.remove(field) == null) {
            throw new IllegalStateException("no field at " + place);
        }
        return place.toString();
    }

    private static String message(JsonMappingException mistake) {
        if (mistake.getCause() instanceof InvalidValueException invalid) {
            return String.valueOf(invalid.getMessage());
        }
        if (mistake instanceof UnrecognizedPropertyException unknown) {
            return "is not a known field: known are "
                    + unknown.getKnownPropertyIds().stream()
                            .map(String::valueOf)
                            .sorted()
                            .collect(Collectors.joining(", "));
        }
        Class<?> type = mistake instanceof MismatchedInputException mismatch ? mismatch.getTargetType() : Object.class;
        if (mistake instanceof InvalidFormatException invalid && type.isEnum()) {
            return "has " + invalid.getValue() + ", which is not one of "
                    + Arrays.stream(type.getEnumConstants())
                            .map(String::valueOf)
                            .collect(Collectors.joining(", "));
        }
        if (type == Boolean.class) {
            return "must be true or false";
        }
        var isMapping =
                Map.class.isAssignableFrom(type) || type == UserMapping.class || type == UserMapping.Email.class;
        return isMapping ? "must be a mapping of names to values" : "must be a text";
    }

    private String problem(Provider provider, String fieldAndMessage) {
        return fileName + ": " + provider + fieldAndMessage;
    }
}
