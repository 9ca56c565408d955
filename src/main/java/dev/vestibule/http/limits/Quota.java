package dev.vestibule.http.limits;

/** The rate limits; the text names a limit in the {@code RateLimit-Policy} header. */
public enum Quota {
    SIGN_UP("signup"),
    SIGN_IN("signin"),
    REFRESH("refresh"),
    CHANGE("change"),
    CODE("code"),
    OAUTH("oauth"),
    OAUTH_SERVER("oauth-server"),
    OAUTH_POLL("oauth-poll"),
    DASHBOARD_REGISTER("dashboard-register"),
    DASHBOARD_LOGIN("dashboard-login"),
    DASHBOARD_MEMBERS("dashboard-members"),
    BAD_CREDENTIALS("bad-credentials"),
    SIGNING_KEYS("signing-keys"),
    BRANDING("branding"),
    PAGE("page"),
    CAPTCHA("captcha"),
    SCIM("scim");

    private final String text;

    Quota(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }

    /**
     * The limit for calls with a secret key: they come from an application's server, which has one address for all of
     * its users.
     */
    public Quota forServer() {
        return this == OAUTH ? OAUTH_SERVER : this;
    }
}
