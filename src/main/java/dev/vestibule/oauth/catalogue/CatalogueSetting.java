package dev.vestibule.oauth.catalogue;

/** What a provider may need from a project besides its client id and secret. */
public enum CatalogueSetting {
    ISSUER("issuer"),
    TENANT("tenant"),
    TEAM_ID("teamId"),
    KEY_ID("keyId");

    private final String fieldName;

    CatalogueSetting(String fieldName) {
        this.fieldName = fieldName;
    }

    public String fieldName() {
        return fieldName;
    }

    /** Its placeholder in a {@link UrlTemplate}. */
    String placeholder() {
        return "{" + fieldName + "}";
    }

    @Override
    public String toString() {
        return fieldName;
    }
}
