/**
 * The identity providers that a project has set up: their settings, client secrets and the list of enabled ones.
 *
 * <p><b>Client secrets</b> are sealed under the master secret and bound to project and provider, so a sealed secret
 * that is copied to another row cannot be opened. No response contains them. After a change of the master secret,
 * {@link dev.vestibule.project.SecretResealing} seals them again in the background.
 *
 * <p><b>Issuers.</b> A stored secret is kept only if the issuer stays the same: otherwise someone with access to the
 * settings, who cannot read the secret, could have it sent to a server of their own. An issuer is stored exactly as
 * written, because ID tokens must name exactly this text. It must be a public https URL unless the operator allows
 * private issuers.
 *
 * <p><b>Further issuers</b> of a project are providers whose names begin with {@code oidc-}, and which speak as
 * {@code oidc} does. No entry of the catalogue has such a name, not even one of a later version or of the operator's
 * file, so a name never means another provider later. Name and icon are the project's own words, which nothing trusts.
 * An icon is a data URL that is checked as a logo is: a URL of another host would tell that host about visitors, and
 * the pages' policy would have to allow it. Identities stay when a provider is deleted, as for those of the catalogue:
 * they belong to its name and issuer together, so nothing else signs in as them.
 *
 * <p><b>An issuer that does not answer</b> when it is set causes a warning, not an error, because it may be down or not
 * set up yet. It is asked through the guarded client, within the time limit of one response, and after the settings are
 * stored.
 *
 * <p><b>The catalogue decides</b> which settings a provider has and which of them are required. A provider that the
 * operator removes from the catalogue is no longer offered, but its settings stay listed and can be deleted.
 *
 * <p><b>Caching.</b> The enabled providers of a project are cached, since every login page asks for them; every change
 * notifies all nodes in the same transaction. The connection with its secret is not cached.
 */
@NullMarked
package dev.vestibule.oauth.provider;

import org.jspecify.annotations.NullMarked;
