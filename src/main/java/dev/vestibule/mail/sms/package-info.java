/**
 * One-time codes by SMS. The server does not talk to carriers: the operator configures an HTTP endpoint
 * ({@code sms.url}) that forwards SMS, and each SMS is a signed request to it, like a webhook delivery.
 *
 * <p>SMS are messages of the same outbox as mails, in a queue of their own, and their codes are rows of the same table.
 * A new request ends the last code at once, and its message is not sent any more. The number is stored only until the
 * message was sent or is dropped, and a crash loses nothing: other nodes take over the claim of a dead node when its
 * lease ends. The code is derived from the message's id with a key that is not in the database, so that every attempt
 * sends the same code under the same id, and the row has only its keyed hash.
 *
 * <p>Why SMS have stricter limits than mails: each SMS costs the operator money, and anyone with a carrier agreement
 * earns money from them. So only mobile numbers of the operator's countries get SMS
 * ({@link dev.vestibule.mail.sms.SmsNumbers}), there are no default countries, and a number, a network and a project
 * have daily budgets, counted in the database for all nodes together ({@link dev.vestibule.mail.sms.SmsBudget}). Anyone
 * can use up the budget of somebody else's number, whose owner must then sign in another way that day; without the
 * budget, anyone could make the phone ring all night.
 *
 * <p>A request looks up no account, and counts whether or not an SMS is sent in the end. The server checks whether the
 * project knows the number when the SMS is due. Wrong codes count for the number, the network and the project, like
 * those of email verification ({@link dev.vestibule.mail.WrongCodeBudget}). Wrong codes of strangers neither lock the
 * owner out of networks where they have entered a code of this number before, nor keep them from proving that the
 * number is theirs.
 */
@NullMarked
package dev.vestibule.mail.sms;

import org.jspecify.annotations.NullMarked;
