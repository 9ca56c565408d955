package dev.vestibule.oauth.catalogue;

import dev.vestibule.error.InvalidValueException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The identity providers that users can be known by, in the order in which login pages offer them. */
public final class Catalogue {
    private final Map<Provider, CatalogueEntry> entries = new LinkedHashMap<>();
    private final String names;

    private Catalogue(List<CatalogueEntry> ordered) {
        ordered.forEach(entry -> entries.put(entry.provider(), entry));
        names = String.join(", ", entries.keySet().stream().map(Provider::name).toList());
    }

    /** The built-in catalogue with the operator's file laid over it; fails as a wrong setting does. */
    public static Catalogue read(Optional<Path> ownFile) {
        return new Catalogue(CatalogueFile.read(ownFile));
    }

    public Optional<CatalogueEntry> find(Provider provider) {
        return Optional.ofNullable(entries.get(provider));
    }

    /** Empty where nobody has this name. */
    public Optional<CatalogueEntry> find(String name) {
        return Provider.find(name).flatMap(this::find);
    }

    public List<Provider> providers() {
        return List.copyOf(entries.keySet());
    }

    /** A field rule. */
    public Provider provider(String name) {
        return find(name)
                .map(CatalogueEntry::provider)
                .orElseThrow(() -> new InvalidValueException("must be one of " + names));
    }
}
