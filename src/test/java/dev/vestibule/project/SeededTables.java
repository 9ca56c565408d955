package dev.vestibule.project;

import dev.vestibule.fixture.Sql;
import java.util.List;

/** Rows of a project in every table that is empty after a sign up, a wrong password and a forgotten one. */
public final class SeededTables {
    private static final List<String> STATEMENTS = List.of(
            "INSERT INTO messages (project_id, id, queue, kind, recipient, subject_hash, language, created_at,"
                    + " next_attempt_at)"
                    + " VALUES (?::uuid, gen_random_uuid(), 'codes', 'verification', 'a@example.com', '', 'en', now(),"
                    + " 'infinity')",
            "INSERT INTO codes (project_id, subject_hash, purpose, requested_at, window_start, requests, signs_up,"
                    + " to_hosted_page)"
                    + " SELECT ?::uuid, number::text::bytea, 'email_otp', now(), now(), 1, true, false"
                    + " FROM generate_series(1, 600) AS number",
            "INSERT INTO messages (project_id, id, user_id, queue, kind, recipient, language, sealed_details, created_at,"
                    + " next_attempt_at)"
                    + " SELECT project_id, id, id, 'notices', 'new_sign_in', email, 'en', '', now(), 'infinity' FROM users"
                    + " WHERE project_id = ?::uuid",
            "INSERT INTO notice_quotas (project_id, user_id, kind, queued_at)"
                    + " SELECT project_id, id, 'new_sign_in', now() FROM users WHERE project_id = ?::uuid",
            "INSERT INTO brandings (project_id) VALUES (?::uuid)",
            "INSERT INTO message_texts (project_id, message, language, texts) VALUES (?::uuid, 'sms', 'en', '{}')",
            "INSERT INTO dearest_imports (project_id, kind, usual_micros) VALUES (?::uuid, 'bcrypt 10', 92160)",
            "INSERT INTO identity_providers (project_id, provider, client_id, sealed_client_secret, enabled,"
                    + " oauth_flow, created_at, updated_at)"
                    + " VALUES (?::uuid, 'google', 'id', '', true, 'auto', now(), now())",
            "INSERT INTO provider_trials (project_id, provider, state_hash, begun_at, expires_at)"
                    + " VALUES (?::uuid, 'google', 'hash', now(), 'infinity')",
            "INSERT INTO oauth_states (project_id, state_hash, provider, redirect_uri, flow, expires_at, begun_at)"
                    + " VALUES (?::uuid, 'hash', 'google', 'https://app.example.com/', 'client', 'infinity', now())",
            "INSERT INTO hosted_codes (project_id, code_hash, session_id, user_id, return_to, expires_at)"
                    + " VALUES (?::uuid, 'hash', gen_random_uuid(), gen_random_uuid(), 'https://app.example.com/',"
                    + " 'infinity')",
            "INSERT INTO captcha_secrets (project_id, sealed_secret) VALUES (?::uuid, '')",
            "INSERT INTO used_once (project_id, kind, value_hash, expires_at)"
                    + " SELECT ?::uuid, (ARRAY['captcha', 'id_token', 'provider_code', 'proof'])[number % 4 + 1], number::text::bytea,"
                    + " 'infinity' FROM generate_series(1, 600) AS number",
            "INSERT INTO browser_sessions (project_id, cookie_hash, session_id, created_at, expires_at)"
                    + " VALUES (?::uuid, 'hash', gen_random_uuid(), now(), 'infinity')",
            "INSERT INTO oauth_resources (project_id, id, uri, name, scopes, is_default, created_at, updated_at)"
                    + " VALUES (?::uuid, gen_random_uuid(), 'urn:a', 'a', '{}', true, now(), now())",
            "INSERT INTO oauth_clients (project_id, id, kind, name, redirect_uris, is_first_party, authentication,"
                    + " requires_pkce, id_token_algorithm, claims_in_id_token, api_scopes, ends_as, created_at,"
                    + " updated_at)"
                    + " VALUES (?::uuid, 'client', 'web', 'a', '{}', true, 'any', true, 'RS256', true, '{}',"
                    + " gen_random_uuid(), now(), now())",
            "INSERT INTO oauth_client_secrets (project_id, client_id, id, secret_hash, ending, created_at)"
                    + " VALUES (?::uuid, 'client', gen_random_uuid(), 'hash', 'hash', now())",
            "INSERT INTO oauth_requests (project_id, request_hash, client_id, parameters, created_at, expires_at)"
                    + " VALUES (?::uuid, 'hash', 'client', '{}', now(), 'infinity')",
            "INSERT INTO oauth_device_requests (project_id, device_hash, user_code_hash, client_id, scopes, resources,"
                    + " network_hash, interval_seconds, created_at, expires_at)"
                    + " VALUES (?::uuid, 'hash', 'hash', 'client', '{}', '{}', 'hash', 5, now(), 'infinity')",
            "INSERT INTO oauth_grants (project_id, id, client_id, user_id, is_offline, scopes, resources, claims, amr,"
                    + " rotated_at, created_at, expires_at, sweep_at, depends_on)"
                    + " SELECT project_id, id, 'client', id, true, '{}', '{}', '{}', '{}', now(), now(), 'infinity',"
                    + " 'infinity', '{}'"
                    + " FROM users WHERE project_id = ?::uuid",
            "INSERT INTO oauth_consents (project_id, user_id, client_id, resource, scopes, given_at, depends_on)"
                    + " SELECT project_id, id, 'client', '', '{}', now(), '{}' FROM users WHERE project_id = ?::uuid",
            "INSERT INTO identities (project_id, provider, issuer, subject, user_id, created_at)"
                    + " SELECT project_id, 'google', 'https://accounts.google.com', id, id, now() FROM users WHERE project_id = ?::uuid",
            "INSERT INTO webhooks (project_id, id, url, events, status, sealed_secret, created_at, updated_at)"
                    + " VALUES (?::uuid, gen_random_uuid(), 'http://127.0.0.1:1/', '{*}', 'disabled', '', now(), now())",
            "INSERT INTO webhook_events (project_id, id, type, payload, created_at)"
                    + " SELECT ?::uuid, gen_random_uuid(), 'user.created', '{}', now() FROM generate_series(1, 600)",
            "INSERT INTO webhook_deliveries (project_id, webhook_id, event_id, status, created_at)"
                    + " SELECT project_id, webhooks.id, webhook_events.id, 'delivered', now()"
                    + " FROM webhook_events JOIN webhooks USING (project_id) WHERE project_id = ?::uuid",
            "INSERT INTO invitations (project_id, id, email, role, invited_by, created_at, expires_at)"
                    + " VALUES (?::uuid, gen_random_uuid(), 'invited@example.com', 'viewer', gen_random_uuid(), now(),"
                    + " 'infinity')",
            "INSERT INTO jwt_templates (project_id, id, name, is_default, claims, created_at, updated_at)"
                    + " VALUES (?::uuid, gen_random_uuid(), 'a', true, '{}', now(), now())",
            "INSERT INTO email_changes (project_id, id, user_id, state, new_email, requested_at, expires_at)"
                    + " SELECT project_id, id, id, 'pending', 'a@example.com', now(), 'infinity' FROM users"
                    + " WHERE project_id = ?::uuid",
            "INSERT INTO totp_factors (project_id, user_id, sealed_secret, backup_codes, backup_codes_at, created_at)"
                    + " SELECT project_id, id, '', '{}', now(), now() FROM users WHERE project_id = ?::uuid",
            "INSERT INTO mfa_challenges (project_id, token_hash, user_id, variant, amr, enrols, account_digest, expires_at)"
                    + " SELECT project_id, 'hash', id, 'A', '{pwd}', false, '', 'infinity' FROM users"
                    + " WHERE project_id = ?::uuid",
            "INSERT INTO budgets (project_id, kind, scope, key_hash, window_end, used)"
                    + " SELECT ?::uuid, 'sms', 'number', number::text::bytea, 'infinity', 1"
                    + " FROM generate_series(1, 600) AS number",
            "INSERT INTO enrolment_starts (project_id, key_hash, began_at, kept_until)"
                    + " SELECT ?::uuid, number::text::bytea, now(), 'infinity' FROM generate_series(1, 600) AS number",
            "INSERT INTO user_keys (project_id, id, user_id, key_hash, ending, name, scopes, created_at)"
                    + " SELECT project_id, id, id, 'hash', 'hash', 'a', '{}', now() FROM users"
                    + " WHERE project_id = ?::uuid",
            "INSERT INTO revocations (project_id, id, expires_at) VALUES (?::uuid, gen_random_uuid(), 'infinity')",
            "INSERT INTO audit_refusals (project_id, day, attempts) VALUES (?::uuid, '2026-01-01', 1)",
            "INSERT INTO passkey_users (project_id, user_id, handle)"
                    + " SELECT project_id, id, 'handle' FROM users WHERE project_id = ?::uuid",
            "INSERT INTO passkeys (project_id, id, user_id, rp_id, credential_id, aaguid, public_key, sign_count,"
                    + " backup_eligible, backed_up, user_verified, created_at)"
                    + " SELECT project_id, id, id, 'localhost', uuid_send(id), id, '', 0, false, false, false, now()"
                    + " FROM users WHERE project_id = ?::uuid",
            "INSERT INTO passkey_challenges (project_id, challenge_hash, expires_at)"
                    + " VALUES (?::uuid, 'hash', 'infinity')",
            "INSERT INTO wallets (project_id, id, user_id, chain, address, wallet_type, is_contract, created_at)"
                    + " SELECT project_id, id, id, 'evm', id::text, 'other', false, now() FROM users"
                    + " WHERE project_id = ?::uuid",
            "INSERT INTO wallet_messages (project_id, message_hash, expires_at) VALUES (?::uuid, 'hash', 'infinity')",
            "INSERT INTO organizations (project_id, id, name, slug, max_members, member_count, created_by, search_text,"
                    + " created_at, updated_at)"
                    + " SELECT ?::uuid, gen_random_uuid(), 'a', 'slug-' || number, 9, 0, gen_random_uuid(), '', now(), now()"
                    + " FROM generate_series(1, 600) AS number",
            "INSERT INTO organization_members (project_id, organization_id, user_id, role, created_at)"
                    + " SELECT users.project_id, organizations.id, users.id, 'owner', now()"
                    + " FROM users JOIN organizations USING (project_id) WHERE users.project_id = ?::uuid",
            "INSERT INTO organization_removals (project_id, organization_id, user_id, created_at)"
                    + " SELECT project_id, organization_id, user_id, now() FROM organization_members"
                    + " WHERE project_id = ?::uuid",
            "INSERT INTO organization_invitations (project_id, id, organization_id, email, role, status, invited_by,"
                    + " mail_id, created_at, expires_at)"
                    + " SELECT project_id, id, id, 'a@example.com', 'member', 'pending', id, id, now(), 'infinity'"
                    + " FROM organizations WHERE project_id = ?::uuid",
            "INSERT INTO organization_domains (project_id, id, organization_id, domain, proof, policy, created_at)"
                    + " SELECT project_id, id, id, 'example.com', '', 'none', now() FROM organizations"
                    + " WHERE project_id = ?::uuid",
            "INSERT INTO directories (project_id, id, organization_id, name, enabled, group_roles, created_at, updated_at)"
                    + " SELECT project_id, id, id, '', true, '{}', now(), now() FROM organizations"
                    + " WHERE project_id = ?::uuid",
            "INSERT INTO directory_tokens (project_id, id, directory_id, token_hash, ending, created_at)"
                    + " SELECT project_id, id, id, id::text::bytea, '', now() FROM directories"
                    + " WHERE project_id = ?::uuid",
            "INSERT INTO directory_groups (project_id, directory_id, id, name, name_key, created_at, updated_at)"
                    + " SELECT project_id, id, id, '', '', now(), now() FROM directories WHERE project_id = ?::uuid",
            "INSERT INTO directory_users (project_id, directory_id, user_id, user_name, user_name_key, texts, emails,"
                    + " attributes, email, is_made, created_at, updated_at)"
                    + " SELECT project_id, organization_id, user_id, user_id::text, user_id::text, '{}', '{}', '{}', '',"
                    + " true, now(), now() FROM organization_members WHERE project_id = ?::uuid",
            "INSERT INTO directory_group_members (project_id, directory_id, group_id, user_id)"
                    + " SELECT project_id, directory_id, directory_id, user_id FROM directory_users"
                    + " WHERE project_id = ?::uuid",
            "INSERT INTO organization_setup_links SELECT project_id, id, id::text::bytea, now(), 'infinity'"
                    + " FROM organizations WHERE project_id = ?::uuid",
            "INSERT INTO project_statistics SELECT ?::uuid, now() - n * interval '1 hour', 1, 1, 1, 1, 1, ''"
                    + " FROM generate_series(1, 840) AS n",
            "INSERT INTO webhook_delivery_counts (project_id, webhook_id, delivered, dead)"
                    + " SELECT project_id, gen_random_uuid(), 1, 0 FROM webhook_events WHERE project_id = ?::uuid");

    private SeededTables() {}

    public static void seed(Sql sql, String projectId) {
        STATEMENTS.forEach(statement -> sql.update(statement, projectId));
    }

    /** The tables that have rows of the project, including its own row. */
    public static List<String> withRows(Sql sql, String projectId) {
        return sql
                .texts("SELECT table_name FROM information_schema.columns"
                        + " WHERE table_schema = 'public' AND column_name = 'project_id'"
                        + " AND table_name NOT IN ('project_changes', 'retired_slugs')"
                        + " AND table_name NOT LIKE 'audit\\_log\\_%'"
                        + " UNION SELECT 'projects'")
                .stream()
                .filter(table -> sql.count(
                                "SELECT count(*) FROM " + table + " WHERE "
                                        + (table.equals("projects") ? "id" : "project_id") + " = ?::uuid",
                                projectId)
                        > 0)
                .sorted()
                .toList();
    }
}
