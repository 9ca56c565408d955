package dev.vestibule.oauth.catalogue;

import dev.vestibule.error.InvalidValueException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The identity providers that this server knows, in the order in which login pages offer them. */
public final class Catalogue {
    private final Optional<Path> ownFile;
    private volatile @Nullable Map<Provider, CatalogueEntry> entries;

    private Catalogue(Optional<Path> ownFile) {
        this.ownFile = ownFile;
    }

    /**
     * The built-in catalogue with the operator's file over it; fails as an invalid setting does. Without such a file it
     * is read when it is first needed, since that takes a fifth of the time of a start.
     */
    public static Catalogue read(Optional<Path> ownFile) {
        var catalogue = new Catalogue(ownFile);
        if (ownFile.isPresent()) {
            catalogue.entries();
        }
        return catalogue;
    }

    private Map<Provider, CatalogueEntry> entries() {
        var known = entries;
        return known == null ? readOnce() : known;
    }

    private synchronized Map<Provider, CatalogueEntry> readOnce() {
        var known = entries;
        if (known == null) {
            known = CatalogueReader.read(ownFile);
            entries = known;
        }
        return known;
    }

    public Optional<CatalogueEntry> find(Provider provider) {
        return Optional.ofNullable(entries().get(provider));
    }

    public List<Provider> providers() {
        return List.copyOf(entries().keySet());
    }

    /**
     * The issuer of a provider's subjects, if it is the same for all projects: the issuer of its ID tokens, or its own
     * name, which no issuer can have. Empty if each project sets the issuer. Microsoft's is the template: a subject is
     * unique in all tenants together, and an account may sign in by several.
     */
    public Optional<String> issuer(Provider provider) {
        return find(provider)
                .flatMap(entry -> entry.issuer() == null ? Optional.of(provider.name()) : entry.fixedIssuer());
    }

    /** A field rule. */
    public Provider provider(String name) {
        return Provider.find(name)
                .filter(known -> known.isOwn() || entries().containsKey(known))
                .orElseThrow(() -> new InvalidValueException("must be one of "
                        + entries().keySet().stream().map(Provider::name).collect(Collectors.joining(", "))));
    }
}
