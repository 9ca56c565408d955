/**
 * Vestibule, a user authentication server for many projects at once. One room for each noun; from the floor up:
 *
 * <ul>
 *   <li>floor, without a business word: {@code error}, {@code json}, {@code config}, {@code crypto}, {@code database},
 *       {@code http}, {@code outbound} (the HTTP client for addresses that customers name), {@code limits}, {@code
 *       telemetry} ({@code metrics}, {@code log} and {@code trace} below)
 *   <li>nouns, each with its records, stores and the handlers of its own endpoints: {@code project} (with API keys and
 *       deletion; {@code member}, {@code branding}, {@code budget}, {@code statistics} and {@code transfer} below), {@code user} (with {@code imports} and
 *       {@code exports} below), {@code
 *       session}, {@code token} (with {@code template} below), {@code event} (what happens, written in the transaction of
 *       the change)
 *   <li>outlets: {@code mail} ({@code sms} below) and {@code webhook} (endpoints and their log; {@code delivery} below is
 *       the engine)
 *   <li>{@code access}: who is calling, and the guard that every route declares
 *   <li>{@code oauth}: identity providers ({@code catalogue} says which there are, {@code provider} what a project set up,
 *       {@code client} talks to them, {@code identity} knows whose they are), and nobody who signs in
 *   <li>ways in: {@code authentication} (sign up, in and out, refresh, verify, me; {@code factor}, {@code password}, {@code passwordless},
 *       {@code email}, {@code phone}, {@code oauth} and {@code dashboard} below)
 *   <li>{@code page}: what people look at in a browser
 *   <li>top: {@code server} ({@code Routes} is the whole API and all pages on one page), {@link dev.vestibule.App} (the object graph),
 *       {@link dev.vestibule.Main}, and {@code command} (what an operator types beside starting the server)
 * </ul>
 *
 * <p>A request goes from its line in {@code Routes} to a handler and from there to a store, whose SQL stands directly
 * above the method that runs it. The line names the {@code operationId} of the API description, too.
 *
 * <p>Handlers, and the {@code …Handlers} and {@code …Module} that build them, are the front door of a room: they may use
 * {@code access} and other rooms, and nothing behind a front door uses them. Behind it, rooms use rooms along a list
 * without circles. {@code ArchitectureTest} holds both.
 */
@NullMarked
package dev.vestibule;

import org.jspecify.annotations.NullMarked;
