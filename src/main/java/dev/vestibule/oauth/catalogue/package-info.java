/**
 * The known identity providers and how each of them speaks OAuth 2.0, read from {@code providers.yaml}. A provider is
 * data, so that an operator can add or change one with a file of their own; the code contains only what data cannot
 * express, such as Apple's client secret. Jackson binds each entry to
 * {@link dev.vestibule.oauth.catalogue.CatalogueEntry}, whose components are the fields of the file: to add a field,
 * add a component. Inheritance ({@code like}) and the operator's overlay are merged before binding, because both work
 * field by field; for this reason a mistake is reported with its path and not with its line. The operator sees all
 * mistakes at once, and the server does not start if there is any.
 *
 * <p>Emails and subjects never come from {@code /posted}, the part of a response that passes through the browser
 * unsigned.
 */
@NullMarked
package dev.vestibule.oauth.catalogue;

import org.jspecify.annotations.NullMarked;
