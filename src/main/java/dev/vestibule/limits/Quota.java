package dev.vestibule.limits;

/** The operations that one address may call only so often; the name stands in the {@code RateLimit-Policy} header. */
public enum Quota {
    SIGN_UP("signup"),
    SIGN_IN("signin"),
    REFRESH("refresh"),
    CODE("code"),
    OAUTH("oauth"),
    OAUTH_POLL("oauth-poll"),
    DASHBOARD_REGISTER("dashboard-register"),
    DASHBOARD_LOGIN("dashboard-login"),
    DASHBOARD_MEMBERS("dashboard-members");

    private final String text;

    Quota(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }
}
