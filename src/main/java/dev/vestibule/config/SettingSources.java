package dev.vestibule.config;

import dev.vestibule.error.NearestName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The two sources of settings: the file, and the environment, which wins. */
record SettingSources(Map<String, RawSetting> file, Map<String, String> environment, List<String> problems) {
    static final String PREFIX = "VESTIBULE_";

    /**
     * What the guides call the address and keys of a project in the environment of an application. In development, a
     * server starts in the same shell.
     */
    private static final Set<String> OF_APPLICATIONS =
            Set.of("VESTIBULE_URL", "VESTIBULE_PROJECT_ID", "VESTIBULE_KEY", "VESTIBULE_SECRET_KEY");

    /** Variables that Kubernetes sets in every container for each service whose name begins with vestibule. */
    private static final Pattern SERVICE_LINK = Pattern.compile(PREFIX
            + "(\\w+_)?(SERVICE_(HOST|PORT(_\\w+)?)=.*|PORT(_\\d+_(TCP|UDP|SCTP))?=(tcp|udp|sctp)://.*"
            + "|PORT_\\d+_(TCP|UDP|SCTP)_(PROTO|PORT|ADDR)=.*)");

    Optional<RawSetting> find(Setting setting) {
        String variable = setting.variable();
        return Optional.ofNullable(environment.get(variable))
                .map(text -> RawSetting.text(variable, text))
                .or(() -> Optional.ofNullable(file.get(setting.name())));
    }

    /** A line for each name that is neither a section nor a setting. */
    List<String> unknown(Set<String> sections, List<Setting> settings) {
        List<String> lines = new ArrayList<>();
        List<String> names = settings.stream().map(Setting::name).toList();
        file.forEach((name, raw) -> {
            if (sections.contains(name)) {
                // A section whose settings are all commented out is an empty value in YAML.
                if (!raw.isEmpty()) {
                    lines.add("%s (%s): is a group of settings, not a value".formatted(name, raw.origin()));
                }
            } else if (names.contains(parent(name))) {
                // The message does not repeat the nested name: braces around a secret turn it into a name.
                lines.add("%s (%s): must be a value, not a group".formatted(parent(name), raw.origin()));
            } else if (!names.contains(name)) {
                lines.add("%s (%s): no such setting%s"
                        .formatted(NearestName.printable(name), raw.origin(), hint("", name, names)));
            }
        });
        List<String> variables = settings.stream().map(Setting::variable).toList();
        new TreeMap<>(environment).forEach((variable, text) -> {
            if (variable.startsWith(PREFIX)
                    && !variables.contains(variable)
                    && !OF_APPLICATIONS.contains(variable)
                    && !isServiceLink(variable, text)) {
                lines.add("%s: no such setting%s"
                        .formatted(NearestName.printable(variable), hint(PREFIX, variable, variables)));
            }
        });
        return lines;
    }

    private static boolean isServiceLink(String variable, String text) {
        return SERVICE_LINK.matcher(variable + "=" + text).matches();
    }

    private static String parent(String name) {
        return name.substring(0, Math.max(0, name.indexOf('.')));
    }

    /** Leaves the common prefix out of the comparison: it would make every name look similar. */
    private static String hint(String prefix, String wrong, List<String> known) {
        List<String> names =
                known.stream().map(name -> name.substring(prefix.length())).toList();
        return NearestName.of(wrong.substring(prefix.length()), names)
                .map(nearest -> "; did you mean " + prefix + nearest + "?")
                .orElse("");
    }
}
