package dev.vestibule.config;

import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Where and how traces are sent, from the environment variables that OpenTelemetry specifies for all programs. The
 * settings file has no settings for traces.
 */
public record TraceSettings(Map<String, Secret> variables) {
    static final String PREFIX = "OTEL_";

    /**
     * Unless one of them is set, nothing is traced: by the specification's default, traces would go to this machine.
     */
    private static final Set<String> ENDPOINTS =
            Set.of("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT");

    static TraceSettings read(Map<String, String> environment) {
        return new TraceSettings(environment.entrySet().stream()
                .filter(variable -> variable.getKey().startsWith(PREFIX))
                .filter(variable -> !variable.getValue().isBlank())
                .collect(Collectors.toMap(Map.Entry::getKey, variable -> new Secret(variable.getValue()))));
    }

    public boolean isOn() {
        return ENDPOINTS.stream().anyMatch(variables::containsKey);
    }

    /** As the library names them: {@code otel.service.name}. */
    public Map<String, String> properties() {
        return variables.entrySet().stream()
                .collect(Collectors.toMap(
                        variable -> variable.getKey().toLowerCase(Locale.ROOT).replace('_', '.'),
                        variable -> variable.getValue().reveal()));
    }

    /** The text without the values that may contain a secret: headers, and addresses with a user. */
    public String masked(String text) {
        var masked = text;
        for (var variable : variables.entrySet()) {
            var value = variable.getValue().reveal();
            if (variable.getKey().contains("HEADERS") || value.contains("@")) {
                masked = masked.replace(value, Objects.toString(variable.getValue()));
            }
        }
        return masked;
    }
}
