-- A sign in that this server handles goes to whoever began it. So that the person at its end can be asked first, the state
-- remembers when and from where it was begun; and one that ended in a popup is held until its window has handed it over.

ALTER TABLE oauth_states
    ADD COLUMN begun_at          timestamptz,     -- null: by a node of the release before
    ADD COLUMN begun_from        text,            -- the client's IP address; null: unknown, or a back end
    ADD COLUMN begun_in_country  text,
    ADD COLUMN begun_with        text;            -- the client's User-Agent

COMMENT ON COLUMN oauth_states.asked_from IS
    'the client''s network; empty: it could not be told, so the person is asked; null: a back end, which checks it itself';

-- held: completed, but a poll gets nothing before the person has agreed. Nodes of the release before take it as pending.
ALTER TABLE oauth_states
    DROP CONSTRAINT oauth_states_outcome_check,
    DROP CONSTRAINT oauth_states_check,
    ADD CONSTRAINT oauth_states_outcome_check CHECK (outcome IN ('claimed', 'held', 'completed', 'failed')),
    ADD CONSTRAINT oauth_states_session_check CHECK ((outcome IN ('held', 'completed')) = (session_id IS NOT NULL));
