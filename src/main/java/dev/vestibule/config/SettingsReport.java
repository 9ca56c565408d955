package dev.vestibule.config;

import java.util.List;
import java.util.function.Supplier;

/**
 * Where the settings come from, for people to read. Two settings are equal if their values are, wherever they were set,
 * so all reports are equal.
 */
public final class SettingsReport {
    private final Supplier<List<EffectiveSetting>> settings;

    SettingsReport(Supplier<List<EffectiveSetting>> settings) {
        this.settings = settings;
    }

    /** Every setting with its effective value, in the order of the reference file; secrets are masked. */
    public List<EffectiveSetting> settings() {
        return settings.get();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SettingsReport;
    }

    @Override
    public int hashCode() {
        return SettingsReport.class.hashCode();
    }

    /** Leaves out the settings, which are too long for a log. */
    @Override
    public String toString() {
        return "SettingsReport";
    }
}
