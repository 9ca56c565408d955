/**
 * Vestibule, a user authentication server for many projects. There is one package ("room") for each concept; from the
 * bottom up:
 *
 * <ul>
 *   <li>the floor, packages without business logic: {@code error}, {@code json}, {@code config}, {@code crypto}
 *       ({@code foreign} below checks the hashes of other systems), {@code database} ({@code embedded} and
 *       {@code backup} below), {@code http} ({@code limits} below), {@code outbound} (the HTTP client for URLs that
 *       customers enter), {@code telemetry} ({@code metrics}, {@code log} and {@code trace} below, and {@code otlp}
 *       below that)
 *   <li>concepts, each with its records, stores and the handlers of its own endpoints: {@code project} (with API keys
 *       and deletion; {@code member}, {@code branding}, {@code budget}, {@code statistics} and {@code transfer} below),
 *       {@code user} (with {@code organization}, {@code key}, {@code password}, {@code imports} and {@code exports}
 *       below; {@code directory} and {@code scim} are below organizations), {@code session}, {@code token} (with
 *       {@code template} and {@code revocation} below), {@code journal} (what happened: one fact, from which the audit
 *       entry, the webhook's event, the notice and the count follow; {@code audit} below is what owners read)
 *   <li>outgoing messages: {@code mail} ({@code sms} below) and {@code webhook} (endpoints and their log;
 *       {@code delivery} below is the engine)
 *   <li>{@code access}: who is calling, and the guard that every route declares ({@code captcha} below keeps bots out)
 *   <li>{@code project.administration}: what administrators of the server see of all projects and of its nodes
 *   <li>{@code oauth}: identity providers ({@code catalogue} lists them, {@code provider} has the settings of a
 *       project, {@code client} talks to them, {@code jose} checks what others sign, {@code identity} links their
 *       accounts to users), but not the sign in itself; and {@code oauth.server}, every project as a provider for
 *       others
 *   <li>sign in: {@code authentication} (sign up, in and out, refresh, verify, me; {@code factor}, {@code password},
 *       {@code passwordless}, {@code passkey}, {@code wallet}, {@code email}, {@code phone}, {@code oauth},
 *       {@code reauthentication} and {@code dashboard} below)
 *   <li>{@code page}: what people see in a browser ({@code hosted} for users, {@code console} for owners,
 *       {@code documentation} for everybody; {@code preview} shows an owner what is being changed)
 *   <li>the top: {@code server} ({@code Routes} lists the whole API and all pages; {@code command} below is what an
 *       operator can run in addition), {@link dev.vestibule.App} (the object graph), {@link dev.vestibule.Server}
 *       (starts and stops everything in order) and {@link dev.vestibule.Main}
 * </ul>
 *
 * <p>A request goes from its line in {@code Routes} to a handler and from there to a store, with each SQL statement
 * directly above the method that runs it. The line also has the {@code operationId} of the API description.
 *
 * <p>Rooms depend on each other without cycles. Handlers, and the {@code …Module} classes that build them, are the
 * front door of a room: they may use {@code access} and more rooms, and nothing but other front doors and the top uses
 * them. {@code ArchitectureTest} lists for each room what it may use, and what its handlers may use in addition.
 */
@NullMarked
package dev.vestibule;

import org.jspecify.annotations.NullMarked;
