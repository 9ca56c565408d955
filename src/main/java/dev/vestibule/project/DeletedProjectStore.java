package dev.vestibule.project;

import dev.vestibule.database.Rows;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The rows that deleted projects leave behind, without their keys, members and webhook endpoints. */
public final class DeletedProjectStore {
    /** Sorts before every other id. */
    static final UUID MIN_ID = new UUID(0, 0);

    private static final String DELETED = """
            SELECT id FROM projects WHERE deleted_at IS NOT NULL ORDER BY deleted_at, id LIMIT $1
            """;

    /** The deleted projects that still have rows, the ones deleted first at the front. */
    Future<List<ProjectId>> deleted(SqlClient db, int limit) {
        return db.preparedQuery(DELETED)
                .execute(Tuple.of(limit))
                .map(rows -> Rows.all(rows, row -> new ProjectId(row.getUUID("id"))));
    }

    /**
     * Deletes what users have in other tables in the same statement, since the foreign key's cascade would
     * do it one user at a time. Uses arrays instead of joins: the planner does not know the value of the limit, guesses a
     * tenth of all users, and would read whole tables for a join.
     */
    private static final String REMOVE_USERS = """
            WITH batch AS (
                SELECT id FROM users
                WHERE project_id = $1 AND id > $2
                ORDER BY id
                LIMIT $3
                FOR UPDATE SKIP LOCKED),
            ended AS (
                DELETE FROM sessions WHERE project_id = $1 AND user_id = ANY (ARRAY(SELECT id FROM batch))),
            forgotten AS (
                DELETE FROM sign_in_networks WHERE project_id = $1 AND user_id = ANY (ARRAY(SELECT id FROM batch))),
            changes AS (
                DELETE FROM email_changes WHERE project_id = $1 AND user_id = ANY (ARRAY(SELECT id FROM batch))),
            untold AS (
                DELETE FROM mails WHERE project_id = $1 AND user_id = ANY (ARRAY(SELECT id FROM batch))),
            quotas AS (
                DELETE FROM notice_quotas WHERE project_id = $1 AND user_id = ANY (ARRAY(SELECT id FROM batch))),
            without_factors AS (
                DELETE FROM totp_factors WHERE project_id = $1 AND user_id = ANY (ARRAY(SELECT id FROM batch))),
            unfinished AS (
                DELETE FROM mfa_challenges WHERE project_id = $1 AND user_id = ANY (ARRAY(SELECT id FROM batch))),
            numbers AS (
                DELETE FROM sms_codes WHERE project_id = $1 AND user_id = ANY (ARRAY(SELECT id FROM batch))),
            passkeys AS (
                DELETE FROM passkeys WHERE project_id = $1 AND user_id = ANY (ARRAY(SELECT id FROM batch))),
            handles AS (
                DELETE FROM passkey_users WHERE project_id = $1 AND user_id = ANY (ARRAY(SELECT id FROM batch))),
            registrations AS (
                DELETE FROM passkey_challenges WHERE project_id = $1 AND user_id = ANY (ARRAY(SELECT id FROM batch))),
            removed AS (
                DELETE FROM users WHERE project_id = $1 AND id = ANY (ARRAY(SELECT id FROM batch)))
            SELECT id FROM batch ORDER BY id DESC LIMIT 1
            """;

    /** Removes up to {@code limit} users after the given one, and their data; returns the last one removed. */
    Future<Optional<UUID>> removeUsers(SqlClient db, ProjectId project, UUID after, int limit) {
        return db.preparedQuery(REMOVE_USERS)
                .execute(Tuple.of(project.value(), after, limit))
                .map(rows -> Rows.first(rows, row -> row.getUUID("id")));
    }

    private static final String REMOVE_FAILURES = """
            DELETE FROM sign_in_failures WHERE project_id = $1 AND email_hash = ANY (ARRAY(
                SELECT email_hash FROM sign_in_failures
                WHERE project_id = $1
                LIMIT $2
                FOR UPDATE SKIP LOCKED))
            """;

    /** Returns how many rows were removed. */
    Future<Integer> removeFailures(SqlClient db, ProjectId project, int limit) {
        return db.preparedQuery(REMOVE_FAILURES)
                .execute(Tuple.of(project.value(), limit))
                .map(rows -> rows.rowCount());
    }

    private static final String REMOVE_WRONG_CODES = """
            DELETE FROM wrong_codes WHERE (project_id, scope, key_hash) IN (
                SELECT project_id, scope, key_hash FROM wrong_codes
                WHERE project_id = $1
                LIMIT $2
                FOR UPDATE SKIP LOCKED)
            """;

    /** Returns how many rows were removed. */
    Future<Integer> removeWrongCodes(SqlClient db, ProjectId project, int limit) {
        return db.preparedQuery(REMOVE_WRONG_CODES)
                .execute(Tuple.of(project.value(), limit))
                .map(rows -> rows.rowCount());
    }

    private static final String REMOVE_SMS_CODES = """
            DELETE FROM sms_codes WHERE (project_id, purpose, key_hash) IN (
                SELECT project_id, purpose, key_hash FROM sms_codes
                WHERE project_id = $1
                LIMIT $2
                FOR UPDATE SKIP LOCKED)
            """;

    /** Returns how many rows were removed. */
    Future<Integer> removeSmsCodes(SqlClient db, ProjectId project, int limit) {
        return db.preparedQuery(REMOVE_SMS_CODES)
                .execute(Tuple.of(project.value(), limit))
                .map(rows -> rows.rowCount());
    }

    private static final String REMOVE_SMS_BUDGETS = """
            DELETE FROM sms_budgets WHERE (project_id, scope, key_hash) IN (
                SELECT project_id, scope, key_hash FROM sms_budgets
                WHERE project_id = $1
                LIMIT $2
                FOR UPDATE SKIP LOCKED)
            """;

    /** Returns how many rows were removed. */
    Future<Integer> removeSmsBudgets(SqlClient db, ProjectId project, int limit) {
        return db.preparedQuery(REMOVE_SMS_BUDGETS)
                .execute(Tuple.of(project.value(), limit))
                .map(rows -> rows.rowCount());
    }

    private static final String REMOVE_ENROLMENT_STARTS = """
            DELETE FROM enrolment_starts WHERE project_id = $1 AND key_hash = ANY (ARRAY(
                SELECT key_hash FROM enrolment_starts
                WHERE project_id = $1
                LIMIT $2
                FOR UPDATE SKIP LOCKED))
            """;

    /** Returns how many rows were removed. */
    Future<Integer> removeEnrolmentStarts(SqlClient db, ProjectId project, int limit) {
        return db.preparedQuery(REMOVE_ENROLMENT_STARTS)
                .execute(Tuple.of(project.value(), limit))
                .map(rows -> rows.rowCount());
    }

    private static final String REMOVE_MAIL_BUDGETS = """
            DELETE FROM mail_budgets WHERE (project_id, scope, key_hash) IN (
                SELECT project_id, scope, key_hash FROM mail_budgets
                WHERE project_id = $1
                LIMIT $2
                FOR UPDATE SKIP LOCKED)
            """;

    /** Returns how many rows were removed. */
    Future<Integer> removeMailBudgets(SqlClient db, ProjectId project, int limit) {
        return db.preparedQuery(REMOVE_MAIL_BUDGETS)
                .execute(Tuple.of(project.value(), limit))
                .map(rows -> rows.rowCount());
    }

    private static final String REMOVE_CODES = """
            DELETE FROM email_codes WHERE (project_id, email_hash, purpose) IN (
                SELECT project_id, email_hash, purpose FROM email_codes
                WHERE project_id = $1
                LIMIT $2
                FOR UPDATE SKIP LOCKED)
            """;

    /** Returns how many rows were removed. */
    Future<Integer> removeCodes(SqlClient db, ProjectId project, int limit) {
        return db.preparedQuery(REMOVE_CODES)
                .execute(Tuple.of(project.value(), limit))
                .map(rows -> rows.rowCount());
    }

    private static final String REMOVE_PASSWORDLESS_MAILS = """
            DELETE FROM passwordless_mails WHERE (project_id, email_hash, kind) IN (
                SELECT project_id, email_hash, kind FROM passwordless_mails
                WHERE project_id = $1
                LIMIT $2
                FOR UPDATE SKIP LOCKED)
            """;

    /** Returns how many rows were removed. */
    Future<Integer> removePasswordlessMails(SqlClient db, ProjectId project, int limit) {
        return db.preparedQuery(REMOVE_PASSWORDLESS_MAILS)
                .execute(Tuple.of(project.value(), limit))
                .map(rows -> rows.rowCount());
    }

    private static final String REMOVE_MAILS = """
            DELETE FROM mails WHERE (project_id, id) IN (
                SELECT project_id, id FROM mails
                WHERE project_id = $1
                LIMIT $2
                FOR UPDATE SKIP LOCKED)
            """;

    /** Returns how many rows were removed. */
    Future<Integer> removeMails(SqlClient db, ProjectId project, int limit) {
        return db.preparedQuery(REMOVE_MAILS)
                .execute(Tuple.of(project.value(), limit))
                .map(rows -> rows.rowCount());
    }

    private static final String REMOVE_EVENTS = """
            WITH batch AS (
                SELECT id FROM webhook_events
                WHERE project_id = $1 AND id > $2
                ORDER BY id
                LIMIT $3
                FOR UPDATE SKIP LOCKED),
            removed AS (
                DELETE FROM webhook_events WHERE project_id = $1 AND id = ANY (ARRAY(SELECT id FROM batch)))
            SELECT id FROM batch ORDER BY id DESC LIMIT 1
            """;

    /** Removes up to {@code limit} events after the given one; returns the last one removed. */
    Future<Optional<UUID>> removeEvents(SqlClient db, ProjectId project, UUID after, int limit) {
        return db.preparedQuery(REMOVE_EVENTS)
                .execute(Tuple.of(project.value(), after, limit))
                .map(rows -> Rows.first(rows, row -> row.getUUID("id")));
    }

    private static final String REMOVE_DELIVERIES = """
            WITH batch AS (
                SELECT webhook_id, event_id, ctid FROM webhook_deliveries
                WHERE project_id = $1 AND (webhook_id, event_id) > ($2, $3)
                ORDER BY webhook_id, event_id
                LIMIT $4
                FOR UPDATE SKIP LOCKED),
            removed AS (
                DELETE FROM webhook_deliveries WHERE project_id = $1 AND ctid = ANY (ARRAY(SELECT ctid FROM batch)))
            SELECT webhook_id, event_id FROM batch ORDER BY webhook_id DESC, event_id DESC LIMIT 1
            """;

    /** The primary key of a delivery without the project. */
    record DeliveryKey(UUID webhook, UUID event) {
        static final DeliveryKey MIN = new DeliveryKey(MIN_ID, MIN_ID);
    }

    /** Removes up to {@code limit} deliveries after the given one; returns the last one removed. */
    Future<Optional<DeliveryKey>> removeDeliveries(SqlClient db, ProjectId project, DeliveryKey after, int limit) {
        return db.preparedQuery(REMOVE_DELIVERIES)
                .execute(Tuple.of(project.value(), after.webhook(), after.event(), limit))
                .map(rows ->
                        Rows.first(rows, row -> new DeliveryKey(row.getUUID("webhook_id"), row.getUUID("event_id"))));
    }

    private static final String REMOVE_OAUTH_STATES = """
            DELETE FROM oauth_states WHERE project_id = $1 AND state_hash = ANY (ARRAY(
                SELECT state_hash FROM oauth_states
                WHERE project_id = $1
                ORDER BY state_hash
                LIMIT $2
                FOR UPDATE SKIP LOCKED))
            """;

    /** Returns how many rows were removed. */
    Future<Integer> removeOauthStates(SqlClient db, ProjectId project, int limit) {
        return db.preparedQuery(REMOVE_OAUTH_STATES)
                .execute(Tuple.of(project.value(), limit))
                .map(rows -> rows.rowCount());
    }

    private static final String REMOVE_HOSTED_CODES = """
            DELETE FROM hosted_codes WHERE project_id = $1 AND code_hash = ANY (ARRAY(
                SELECT code_hash FROM hosted_codes
                WHERE project_id = $1
                ORDER BY code_hash
                LIMIT $2
                FOR UPDATE SKIP LOCKED))
            """;

    /** Returns how many rows were removed. */
    Future<Integer> removeHostedCodes(SqlClient db, ProjectId project, int limit) {
        return db.preparedQuery(REMOVE_HOSTED_CODES)
                .execute(Tuple.of(project.value(), limit))
                .map(rows -> rows.rowCount());
    }

    private static final String REMOVE_PASSKEY_CHALLENGES = """
            DELETE FROM passkey_challenges WHERE project_id = $1 AND challenge_hash = ANY (ARRAY(
                SELECT challenge_hash FROM passkey_challenges
                WHERE project_id = $1
                ORDER BY challenge_hash
                LIMIT $2
                FOR UPDATE SKIP LOCKED))
            """;

    /** Returns how many rows were removed. */
    Future<Integer> removePasskeyChallenges(SqlClient db, ProjectId project, int limit) {
        return db.preparedQuery(REMOVE_PASSKEY_CHALLENGES)
                .execute(Tuple.of(project.value(), limit))
                .map(rows -> rows.rowCount());
    }

    /** From the last batch's end on, in the order of the primary key: the first rows of it are gone by then. */
    private static final String REMOVE_AUDIT_LOG = """
            WITH batch AS MATERIALIZED (
                SELECT created_at, id FROM audit_log
                WHERE project_id = $1 AND (created_at, id) > ($2, $3)
                ORDER BY created_at, id
                LIMIT $4),
            removed AS (
                DELETE FROM audit_log
                WHERE project_id = $1 AND (created_at, id) > ($2, $3)
                  AND (created_at, id) <= (SELECT created_at, id FROM batch ORDER BY created_at DESC, id DESC LIMIT 1))
            SELECT created_at, id FROM batch ORDER BY created_at DESC, id DESC LIMIT 1
            """;

    /** The primary key of an entry of the audit log without the project. */
    record EntryKey(Instant createdAt, UUID id) {
        static final EntryKey MIN = new EntryKey(Instant.EPOCH, MIN_ID);
    }

    /** Removes up to {@code limit} entries after the given one; returns the last one removed. */
    Future<Optional<EntryKey>> removeAuditLog(SqlClient db, ProjectId project, EntryKey after, int limit) {
        return db.preparedQuery(REMOVE_AUDIT_LOG)
                .execute(Tuple.of(project.value(), Rows.timestamp(after.createdAt()), after.id(), limit))
                .map(rows -> Rows.first(rows, row -> new EntryKey(Rows.instant(row, "created_at"), row.getUUID("id"))));
    }

    /** Orders by the index: a search for any row would read the rows of all other projects if there is none. */
    private static final String LOCK_IF_EMPTY = """
            SELECT id FROM projects
            WHERE id = $1 AND deleted_at IS NOT NULL
              AND (SELECT id FROM users WHERE project_id = $1 ORDER BY id LIMIT 1) IS NULL
              AND NOT EXISTS (SELECT FROM sign_in_failures WHERE project_id = $1)
              AND NOT EXISTS (SELECT FROM email_codes WHERE project_id = $1)
              AND NOT EXISTS (SELECT FROM wrong_codes WHERE project_id = $1)
              AND NOT EXISTS (SELECT FROM mails WHERE project_id = $1)
              AND NOT EXISTS (SELECT FROM passwordless_mails WHERE project_id = $1)
              AND NOT EXISTS (SELECT FROM sms_codes WHERE project_id = $1)
              AND NOT EXISTS (SELECT FROM sms_budgets WHERE project_id = $1)
              AND NOT EXISTS (SELECT FROM mail_budgets WHERE project_id = $1)
              AND (SELECT id FROM webhook_events WHERE project_id = $1 ORDER BY id LIMIT 1) IS NULL
              AND (SELECT event_id FROM webhook_deliveries WHERE project_id = $1 ORDER BY webhook_id LIMIT 1) IS NULL
              AND (SELECT id FROM audit_log WHERE project_id = $1 ORDER BY created_at LIMIT 1) IS NULL
              AND (SELECT state_hash FROM oauth_states WHERE project_id = $1 ORDER BY state_hash LIMIT 1) IS NULL
              AND NOT EXISTS (SELECT FROM hosted_codes WHERE project_id = $1)
              AND NOT EXISTS (SELECT FROM enrolment_starts WHERE project_id = $1)
              AND (SELECT challenge_hash FROM passkey_challenges WHERE project_id = $1 ORDER BY challenge_hash LIMIT 1) IS NULL
            FOR UPDATE SKIP LOCKED
            """;

    /** Locks the project against further writes; false if it has rows left, or another transaction holds it. */
    Future<Boolean> lockIfEmpty(SqlClient transaction, ProjectId project) {
        return transaction
                .preparedQuery(LOCK_IF_EMPTY)
                .execute(Tuple.of(project.value()))
                .map(rows -> rows.size() == 1);
    }

    private static final String REMOVE_PROJECT = """
            WITH branding AS (DELETE FROM brandings WHERE project_id = $1),
            providers AS (DELETE FROM identity_providers WHERE project_id = $1),
            deliveries AS (DELETE FROM webhook_delivery_counts WHERE project_id = $1),
            imports AS (DELETE FROM dearest_imports WHERE project_id = $1),
            used AS (DELETE FROM used_id_tokens WHERE project_id = $1),
            invited AS (DELETE FROM invitations WHERE project_id = $1),
            budgets AS (DELETE FROM invitation_budgets WHERE project_id = $1),
            refusals AS (DELETE FROM audit_refusals WHERE project_id = $1),
            templates AS (DELETE FROM jwt_templates WHERE project_id = $1),
            statistics AS (DELETE FROM project_statistics WHERE project_id = $1),
            count AS (DELETE FROM counts WHERE project_id = $1)
            DELETE FROM projects WHERE id = $1
            """;

    /** Removes an empty project, and the few rows that hold its branding, providers and counts. */
    Future<Void> removeProject(SqlClient transaction, ProjectId project) {
        return transaction
                .preparedQuery(REMOVE_PROJECT)
                .execute(Tuple.of(project.value()))
                .mapEmpty();
    }
}
