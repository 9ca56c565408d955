package dev.vestibule.user;

import java.util.UUID;

/**
 * The connection to an organization's own identity provider by which people with an email of its domain sign in.
 *
 * @param provider its name as a provider, for the start of a sign in
 * @param name what the organization calls it
 * @param isRequired whether they cannot sign in in any other way
 */
public record DomainConnection(UUID organization, String provider, String name, boolean isRequired) {}
