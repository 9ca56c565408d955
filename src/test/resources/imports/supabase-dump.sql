-- The parts of Supabase's auth schema (gotrue 2.170) that the recipe reads, as pg_dump writes them, and a few rows.
CREATE SCHEMA auth;
CREATE TABLE auth.users (
    instance_id uuid,
    id uuid NOT NULL PRIMARY KEY,
    aud character varying(255),
    role character varying(255),
    email character varying(255),
    encrypted_password character varying(255),
    email_confirmed_at timestamp with time zone,
    last_sign_in_at timestamp with time zone,
    raw_app_meta_data jsonb,
    raw_user_meta_data jsonb,
    created_at timestamp with time zone,
    updated_at timestamp with time zone,
    phone text,
    phone_confirmed_at timestamp with time zone,
    banned_until timestamp with time zone,
    is_sso_user boolean DEFAULT false NOT NULL,
    deleted_at timestamp with time zone,
    is_anonymous boolean DEFAULT false NOT NULL
);
CREATE TABLE auth.identities (
    provider_id text NOT NULL,
    user_id uuid NOT NULL REFERENCES auth.users(id) ON DELETE CASCADE,
    identity_data jsonb NOT NULL,
    provider text NOT NULL,
    last_sign_in_at timestamp with time zone,
    created_at timestamp with time zone,
    updated_at timestamp with time zone,
    email text GENERATED ALWAYS AS (lower((identity_data ->> 'email'::text))) STORED,
    id uuid DEFAULT gen_random_uuid() NOT NULL PRIMARY KEY
);
INSERT INTO auth.users (instance_id, id, aud, role, email, encrypted_password, email_confirmed_at, last_sign_in_at,
    raw_app_meta_data, raw_user_meta_data, created_at, updated_at, phone, phone_confirmed_at, banned_until, is_sso_user,
    deleted_at, is_anonymous) VALUES
('00000000-0000-0000-0000-000000000000', '6b1ed7a4-2c4f-4f57-9d2e-0a5c3e0f9b71', 'authenticated', 'authenticated',
    'ada@example.com', '$2b$04$jDMtYHtawmnDcZXrKTHbzesu.TfQ9uqDtzpTBFEimHkjGFBM155We', '2019-12-10 08:00:01+00',
    '2024-03-01 09:59:31.123456+00', '{"provider": "email", "providers": ["email", "google"], "plan": "pro",
    "limits": {"seats": null}}',
    '{"full_name": "\tAda\nLovelace ", "avatar_url": "https://lh3.googleusercontent.com/a/ada", "admin": true}',
    '2019-12-10 08:00:00.123456+00', '2024-03-01 09:59:31.123456+00', '14155550123', NULL, NULL, false, NULL, false),
('00000000-0000-0000-0000-000000000000', '7c2fe8b5-3d50-4068-8e3f-1b6d4f10ac82', 'authenticated', 'authenticated',
    'bob@example.com', '', NULL, NULL, '{"provider": "github", "providers": ["github"]}', '{"avatar_url": "none"}',
    '2020-09-13 12:26:40+00', '2020-09-13 12:26:40+00', NULL, NULL, '2999-01-01 00:00:00+00', false, NULL, false),
('00000000-0000-0000-0000-000000000000', '8d30f9c6-4e61-4179-9f40-2c7e5021bd93', 'authenticated', 'authenticated',
    NULL, '', NULL, NULL, '{}', '{}', '2024-01-01 00:00:00+00', '2024-01-01 00:00:00+00', NULL, NULL, NULL, false, NULL,
    true);
INSERT INTO auth.identities (provider_id, user_id, identity_data, provider, created_at) VALUES
('6b1ed7a4-2c4f-4f57-9d2e-0a5c3e0f9b71', '6b1ed7a4-2c4f-4f57-9d2e-0a5c3e0f9b71', '{"email": "ada@example.com"}', 'email',
    '2019-12-10 08:00:00+00'),
('110169484474386276334', '6b1ed7a4-2c4f-4f57-9d2e-0a5c3e0f9b71', '{"email": "ada@example.com"}', 'google',
    '2019-12-10 08:00:00+00'),
('583231', '7c2fe8b5-3d50-4068-8e3f-1b6d4f10ac82', '{"email": "bob@example.com"}', 'github', '2020-09-13 12:26:40+00');
