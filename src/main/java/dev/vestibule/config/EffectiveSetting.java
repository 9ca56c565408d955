package dev.vestibule.config;

/**
 * A setting with its effective value, for people to read.
 *
 * @param value secrets are masked; empty if the setting is not set and has no default
 * @param origin the environment variable, or the file and its line; empty for a default
 */
public record EffectiveSetting(String name, String value, String origin) {
    /** Where a value comes from. */
    public enum Source {
        DEFAULT("default"),
        FILE("file"),
        ENVIRONMENT("environment");

        private final String text;

        Source(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }

    /** The origin in the file has the number of the line, after a colon. */
    public Source source() {
        if (origin.isEmpty()) {
            return Source.DEFAULT;
        }
        return origin.startsWith(SettingSources.PREFIX) && origin.indexOf(':') < 0 ? Source.ENVIRONMENT : Source.FILE;
    }
}
