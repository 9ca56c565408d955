package dev.vestibule.access;

import dev.vestibule.project.member.Role;

/** The credentials that a route needs; every route declares them. */
public enum Guard {
    /** Nothing. */
    OPEN,
    /** Nothing, but the project in the path must exist; look-ups of unknown projects are limited for each network. */
    KNOWN_PROJECT,
    /** Nothing: the project in the path is the authorization server that is asked, and any origin may ask it. */
    ISSUER,
    /** Nothing; the request is about dashboard users, so its project is the built-in one. */
    DASHBOARD,
    /** An API key of either kind, or the project's id in the body (Variant B). */
    PROJECT,
    /** Like {@link #PROJECT}, or a user's access token; together with a key the token may be stale. */
    PROJECT_OR_USER,
    /** Like {@link #PROJECT}, or a refresh token in the body, which names its project itself. */
    REFRESH_TOKEN,
    /** An API key of either kind. */
    API_KEY,
    /** An API key of either kind, a user's access token, or both; together with a key the token may be stale. */
    KEY_OR_USER,
    /** A user's access token. */
    USER,
    /** The access token of a dashboard user. */
    DASHBOARD_USER,
    /** The access token of a dashboard user who administrates this server; that makes them a member of no project. */
    ADMINISTRATOR,
    /** The access token of a dashboard user who is a member of the project in the path. */
    MEMBER,
    /** The access token of a dashboard user who owns the project in the path. */
    OWNER,
    /** The access token of a dashboard user who is a developer or an owner of the project in the path. */
    DEVELOPER,
    /** A token of the directory in the path. */
    DIRECTORY,
    /** The project's secret key. */
    SERVER,
    /** The project's secret key, or the access token of a dashboard user who is a member of the project they name. */
    SERVER_OR_MEMBER,
    /** The project's secret key, or the access token of a developer or an owner of the project they name. */
    SERVER_OR_DEVELOPER,
    /**
     * The project's secret key, or the access token of a member, who is not only a viewer, of the project they name.
     */
    SERVER_OR_SUPPORT;

    /** The least role that a member needs; a viewer's, too, where membership does not matter. */
    public Role role() {
        return switch (this) {
            case OWNER -> Role.OWNER;
            case DEVELOPER, SERVER_OR_DEVELOPER -> Role.DEVELOPER;
            case SERVER_OR_SUPPORT -> Role.SUPPORT;
            case MEMBER,
                    SERVER_OR_MEMBER,
                    OPEN,
                    KNOWN_PROJECT,
                    ISSUER,
                    DASHBOARD,
                    PROJECT,
                    PROJECT_OR_USER,
                    REFRESH_TOKEN,
                    API_KEY,
                    KEY_OR_USER,
                    USER,
                    DASHBOARD_USER,
                    ADMINISTRATOR,
                    DIRECTORY,
                    SERVER -> Role.VIEWER;
        };
    }

    /** Whether the body may name the project, so that the headers alone do not determine the caller. */
    public boolean needsBody() {
        return switch (this) {
            case PROJECT, PROJECT_OR_USER, REFRESH_TOKEN, SERVER_OR_MEMBER, SERVER_OR_DEVELOPER, SERVER_OR_SUPPORT ->
                true;
            case OPEN,
                    KNOWN_PROJECT,
                    ISSUER,
                    DASHBOARD,
                    API_KEY,
                    KEY_OR_USER,
                    USER,
                    DASHBOARD_USER,
                    ADMINISTRATOR,
                    MEMBER,
                    OWNER,
                    DEVELOPER,
                    DIRECTORY,
                    SERVER -> false;
        };
    }
}
