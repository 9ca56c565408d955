package dev.vestibule.config;

import dev.vestibule.error.NearestName;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.scanner.ScannerException;

/** Reads the settings file as YAML nodes: each text as it is written, with its line. No tag creates an object. */
final class YamlFile {
    private static final Set<Tag> PLAIN_TAGS =
            Set.of(Tag.STR, Tag.INT, Tag.FLOAT, Tag.BOOL, Tag.NULL, Tag.TIMESTAMP, Tag.MERGE, Tag.MAP, Tag.SEQ);

    private final String shownName;
    private final List<String> problems;
    private final Map<String, RawSetting> found = new LinkedHashMap<>();

    private YamlFile(String shownName, List<String> problems) {
        this.shownName = shownName;
        this.problems = problems;
    }

    /** The settings in the file by full name; adds syntax faults to the problems. */
    static Map<String, RawSetting> read(Path file, String shownName, List<String> problems) {
        YamlFile reading = new YamlFile(shownName, problems);
        try {
            Node root = new Yaml(new SafeConstructor(new LoaderOptions()))
                    .compose(new StringReader(Files.readString(file)));
            if (root instanceof MappingNode mapping) {
                reading.entries(mapping, "");
            } else if (root != null && !Tag.NULL.equals(root.getTag())) {
                reading.reject(root, "must be a mapping of names to values");
            }
        } catch (IOException e) {
            problems.add(shownName + ": cannot be read as a text file in UTF-8");
        } catch (MarkedYAMLException e) {
            problems.add(reading.syntax(e));
        } catch (YAMLException e) {
            problems.add(shownName + ": is not valid YAML");
        }
        return reading.found;
    }

    /** Only two levels, sections and their settings, so cyclic aliases end too. */
    private void entries(MappingNode mapping, String prefix) {
        for (NodeTuple entry : mapping.getValue()) {
            Node value = entry.getValueNode();
            if (!(entry.getKeyNode() instanceof ScalarNode key)) {
                reject(entry.getKeyNode(), "a name must be plain text");
            } else if (!PLAIN_TAGS.contains(value.getTag())) {
                reject(value, "a tag is not allowed");
            } else if (value instanceof MappingNode group && prefix.isEmpty()) {
                entries(group, key.getValue() + ".");
            } else if (value instanceof MappingNode) {
                reject(value, "must be a value or a list, not a group");
            } else {
                String name = prefix + key.getValue();
                RawSetting raw = raw(key, value);
                RawSetting earlier = found.putIfAbsent(name, raw);
                if (earlier != null) {
                    reject(key, NearestName.printable(name) + " is given twice, first at " + earlier.origin());
                }
            }
        }
    }

    private RawSetting raw(ScalarNode key, Node value) {
        if (value instanceof ScalarNode scalar) {
            return RawSetting.text(origin(key), Tag.NULL.equals(scalar.getTag()) ? "" : scalar.getValue());
        }
        List<String> items = new ArrayList<>();
        if (value instanceof SequenceNode sequence) {
            for (Node item : sequence.getValue()) {
                if (item instanceof ScalarNode scalar && PLAIN_TAGS.contains(item.getTag())) {
                    items.add(scalar.getValue().strip());
                } else {
                    reject(item, "must be plain text");
                }
            }
        }
        return new RawSetting(origin(key), items, true);
    }

    /** Leaves out the library's excerpt of the file and its parser's message, because both may contain a secret. */
    private String syntax(MarkedYAMLException e) {
        String position =
                e.getProblemMark() == null ? "" : ":" + (e.getProblemMark().getLine() + 1);
        String problem = e instanceof ScannerException ? " (" + e.getProblem() + ")" : "";
        return shownName + position + ": is not valid YAML" + problem;
    }

    private void reject(Node node, String message) {
        problems.add(origin(node) + ": " + message);
    }

    private String origin(Node node) {
        return shownName + ":" + (node.getStartMark().getLine() + 1);
    }
}
