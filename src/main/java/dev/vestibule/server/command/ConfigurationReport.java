package dev.vestibule.server.command;

import dev.vestibule.CheckedConfiguration;
import dev.vestibule.config.EffectiveSetting;
import dev.vestibule.config.Settings;
import dev.vestibule.telemetry.trace.otlp.Traces;
import java.io.PrintStream;
import java.util.List;

/** The output of {@code --check-config} and {@code --print-config}. */
final class ConfigurationReport {
    private ConfigurationReport() {}

    /** Throws an exception that says what is wrong, if anything is. */
    static void check(Settings settings, PrintStream out) {
        CheckedConfiguration.of(settings);
        if (settings.traces().isOn()) {
            Traces.open(settings.traces()).close();
        }
        out.println("ok");
    }

    static void print(List<EffectiveSetting> settings, PrintStream out) {
        int width = settings.stream()
                .mapToInt(setting -> setting.name().length())
                .max()
                .orElse(0);
        settings.forEach(setting -> out.println(line(setting, width)));
    }

    private static String line(EffectiveSetting setting, int width) {
        var value = setting.value().isEmpty() ? "(not set)" : setting.value();
        var origin = setting.origin().isEmpty() ? "default" : setting.origin();
        return setting.name() + " ".repeat(width - setting.name().length()) + "  " + value + "  [" + origin + "]";
    }
}
