-- The networks from which an account signed in lately. There strangers who guess its password do not lock it out.
CREATE TABLE sign_in_networks (
    project_id    uuid         NOT NULL,
    user_id       uuid         NOT NULL,
    network_hash  bytea        NOT NULL,              -- keyed, of project, email and network; never an address
    seen_at       timestamptz  NOT NULL,              -- of a sign in, to the day
    PRIMARY KEY (project_id, user_id, network_hash),
    FOREIGN KEY (project_id, user_id) REFERENCES users ON DELETE CASCADE
);
CREATE INDEX sign_in_networks_by_age ON sign_in_networks (seen_at);

-- How many of the failed sign-ins of an email came from one network, so that each has its own number of tries.
CREATE TABLE sign_in_failures_by_network (
    project_id    uuid         NOT NULL,
    email_hash    bytea        NOT NULL,
    network_hash  bytea        NOT NULL,              -- as in sign_in_networks
    failures      integer      NOT NULL,              -- since window_start
    window_start  timestamptz  NOT NULL,              -- of sign_in_failures when they were counted
    PRIMARY KEY (project_id, email_hash, network_hash),
    FOREIGN KEY (project_id, email_hash) REFERENCES sign_in_failures ON DELETE CASCADE
);
