package dev.vestibule.config;

import java.util.regex.Pattern;

/**
 * A further database for projects, by its name in the settings.
 *
 * @param name what {@code database.newProjects} and {@code move-project} call it; projects keep it, so it never changes
 */
public record ShardAddress(String name, DatabaseAddress address) {
    /** The name of the database that {@code database.url} is, or of the embedded one. */
    public static final String HOME = "home";

    static final String FORM = "NAME=postgresql://user:password@host:port/database?sslmode=…&sslrootcert=…, with a name"
            + " of 1 to 32 small letters, digits and hyphens that is not " + HOME;

    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,31}");

    static ShardAddress parse(String text) {
        String[] nameAndUrl = UrlParts.split(text, '=');
        if (!NAME.matcher(nameAndUrl[0]).matches() || nameAndUrl[0].equals(HOME)) {
            throw new InvalidSettingException("is not " + FORM);
        }
        return new ShardAddress(nameAndUrl[0], DatabaseAddress.parse(nameAndUrl[1]));
    }
}
