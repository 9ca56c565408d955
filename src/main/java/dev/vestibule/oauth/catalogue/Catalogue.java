package dev.vestibule.oauth.catalogue;

import dev.vestibule.error.InvalidValueException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The identity providers that this server knows, in the order in which login pages offer them. */
public final class Catalogue {
    private final Map<Provider, CatalogueEntry> entries;

    private Catalogue(Map<Provider, CatalogueEntry> entries) {
        this.entries = entries;
    }

    /** The built-in catalogue with the operator's file over it; fails as an invalid setting does. */
    public static Catalogue read(Optional<Path> ownFile) {
        return new Catalogue(CatalogueReader.read(ownFile));
    }

    public Optional<CatalogueEntry> find(Provider provider) {
        return Optional.ofNullable(entries.get(provider));
    }

    public List<Provider> providers() {
        return List.copyOf(entries.keySet());
    }

    /**
     * Who issues a provider's subjects, where that is the same for all projects: the issuer of its ID tokens, or its own
     * name, which no issuer can have. Empty where each project sets the issuer. Microsoft's is the template: a subject is
     * unique in all tenants together, and an account may sign in by several.
     */
    public Optional<String> issuer(Provider provider) {
        return find(provider)
                .flatMap(entry -> entry.issuer() == null ? Optional.of(provider.name()) : entry.fixedIssuer());
    }

    /** A field rule. */
    public Provider provider(String name) {
        return Provider.find(name)
                .filter(entries::containsKey)
                .orElseThrow(() -> new InvalidValueException("must be one of "
                        + entries.keySet().stream().map(Provider::name).collect(Collectors.joining(", "))));
    }
}
