package dev.vestibule.http;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.zip.ZipFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Domains under which anybody may have one, such as {@code com} and {@code co.uk}, by the Public Suffix List that every JDK
 * brings for its own checks of certificates: a ZIP file with an entry for each top-level domain, a rule a line after a byte.
 * Browsers hold to their own list anyway, so where the JDK has none only top-level domains are known.
 */
public final class PublicSuffixes {
    private static final Logger LOG = LoggerFactory.getLogger(PublicSuffixes.class);

    private final Path list;

    PublicSuffixes(Path list) {
        this.list = list;
    }

    /** The list of the Java that runs. */
    public static PublicSuffixes ofThisJava() {
        return new PublicSuffixes(
                Path.of(System.getProperty("java.home"), "lib", "security", "public_suffix_list.dat"));
    }

    /** Whether the domain, in lower case and ASCII, is itself such a suffix. */
    public boolean contains(String domain) {
        var parent = domain.indexOf('.');
        if (parent < 0) {
            return true;
        }
        var rules = rules(domain.substring(domain.lastIndexOf('.') + 1));
        return !rules.contains("!" + domain)
                && (rules.contains(domain) || rules.contains("*" + domain.substring(parent)));
    }

    private Set<String> rules(String topLevel) {
        if (!Files.isReadable(list)) {
            return Set.of();
        }
        try (var zip = new ZipFile(list.toFile())) {
            var entry = zip.getEntry(topLevel);
            if (entry == null) {
                return Set.of();
            }
            try (var lines =
                    new BufferedReader(new InputStreamReader(zip.getInputStream(entry), StandardCharsets.UTF_8))) {
                return lines.lines()
                        .filter(line -> line.length() > 1)
                        .map(line -> line.substring(1)) // the byte says who runs it
                        .collect(Collectors.toUnmodifiableSet());
            }
        } catch (IOException unreadable) {
            LOG.warn("{} cannot be read, so a public suffix may be set as a passkey's domain", list, unreadable);
            return Set.of();
        }
    }
}
