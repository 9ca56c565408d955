package dev.vestibule.oauth.provider;

/**
 * An enabled provider as the people of a project see it.
 *
 * @param title the name on its button
 * @param hasIcon whether the project has given it an icon
 */
public record OfferedProvider(String title, boolean hasIcon, OauthFlow flow) {}
