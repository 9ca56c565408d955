/**
 * One-time codes by SMS. The server speaks to no carrier: the operator names an HTTP endpoint ({@code sms.url}) that passes
 * SMS on, and each is a signed request to it, as a webhook's delivery is.
 *
 * <p>One row of {@code sms_codes} is a request, the message while it waits and the code once it was sent. So a new request
 * ends what the last one began, the number is kept no longer than the message waits, and a crash loses nothing: a node that
 * dies leaves its claim to others when its lease ends. The code is made from the message's id by a key that the database
 * does not have, so that every attempt says the same code under the same id, and the row holds its keyed hash alone.
 *
 * <p>Why SMS are bounded more than mails: each costs the operator money, and anyone who has an agreement with a carrier earns
 * by them. So only mobile numbers of the operator's countries get any ({@link dev.vestibule.mail.sms.SmsNumbers}), there is
 * no default for the countries, and a number, a network and a project have budgets of a day, counted in the database for
 * all nodes together ({@link dev.vestibule.mail.sms.SmsBudget}). Anyone can use up the budget of a number that is not
 * theirs, and its owner signs in in another way that day; without it, anyone could make its phone ring all night.
 *
 * <p>A request looks no account up, and counts whether or not an SMS is sent in the end. Whether a number is known to the
 * project is looked up when the SMS is due. Wrong codes count for the number, the network and the project, as those of
 * email verification do ({@link dev.vestibule.mail.WrongCodeBudget}): those of strangers neither keep its owner out of a
 * network in which they have entered a code of it before, nor from proving that it is theirs.
 */
@NullMarked
package dev.vestibule.mail.sms;

import org.jspecify.annotations.NullMarked;
