package dev.vestibule.config;

import java.util.Objects;

/** The release that runs. */
public final class Release {
    private Release() {}

    /** Its version, as in the jar's manifest; classes that run from a folder have none. */
    public static String version() {
        return Objects.requireNonNullElse(Release.class.getPackage().getImplementationVersion(), "(not packaged)");
    }
}
