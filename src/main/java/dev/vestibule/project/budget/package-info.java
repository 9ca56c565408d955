/**
 * What may be asked for in a window of time, on all nodes together: mails, SMS, invitations, wrong codes.
 *
 * <p>One table holds all of them. Which budgets a request spends, how large they are and what a refusal says is decided
 * where the request is: in {@code mail}, {@code mail.sms} and {@code project.member}. Rate limits per minute, which
 * each node counts in memory, are in {@code http.limits}.
 */
@NullMarked
package dev.vestibule.project.budget;

import org.jspecify.annotations.NullMarked;
