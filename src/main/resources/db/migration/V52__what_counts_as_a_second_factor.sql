-- What an account has beside its first factor, on the user's row, because a sign in reads and compares that one anyway:
-- 'totp' for one-time passwords, and 'passkey <domain>' for passkeys that have verified the person, once for each domain
-- that they are bound to. Sorted, so that equal sets are equal arrays.
ALTER TABLE users ADD COLUMN second_factors text[] NOT NULL DEFAULT '{}';

UPDATE users SET second_factors = kept.factors
FROM (
    SELECT project_id, user_id, array_agg(factor ORDER BY factor) AS factors
    FROM (
        SELECT project_id, user_id, 'totp' AS factor FROM totp_factors WHERE confirmed_at IS NOT NULL
        UNION
        SELECT project_id, user_id, 'passkey ' || rp_id FROM passkeys WHERE user_verified) AS each
    GROUP BY project_id, user_id) AS kept
WHERE users.project_id = kept.project_id AND users.id = kept.user_id;

ALTER TABLE users DROP COLUMN has_second_factor;
