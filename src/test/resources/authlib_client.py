# Signs in, refreshes, asks and revokes with Authlib, as it comes from PyPI.
import json
import os

import requests
from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session
from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.jwk import KeySet

issuer = os.environ["ISSUER"]
server = requests.get(issuer + "/.well-known/openid-configuration").json()
secret = os.environ.get("CLIENT_SECRET")
client = OAuth2Session(
    os.environ["CLIENT_ID"],
    secret,
    token_endpoint_auth_method="client_secret_basic" if secret else "none",
    revocation_endpoint_auth_method="client_secret_basic" if secret else "none",
    scope="openid email offline_access",
    redirect_uri=os.environ["REDIRECT_URI"],
    code_challenge_method="S256",
)
verifier, nonce = generate_token(48), generate_token()
url, state = client.create_authorization_url(server["authorization_endpoint"], code_verifier=verifier, nonce=nonce)
print(url, flush=True)

tokens = client.fetch_token(
    server["token_endpoint"], authorization_response=input(), state=state, code_verifier=verifier
)
keys = KeySet.import_key_set(requests.get(server["jwks_uri"]).json())
decoded = jwt.decode(tokens["id_token"], keys, algorithms=server["id_token_signing_alg_values_supported"])
expected = {"iss": {"essential": True, "value": issuer}, "aud": {"essential": True, "value": client.client_id}}
parameters = {"nonce": nonce, "client_id": client.client_id, "access_token": tokens["access_token"]}
CodeIDToken(decoded.claims, decoded.header, expected, parameters).validate()

user = client.get(server["userinfo_endpoint"]).json()
refreshed = client.refresh_token(server["token_endpoint"], refresh_token=tokens["refresh_token"])
claims = jwt.decode(refreshed["access_token"], keys, algorithms=["RS256", "ES256"]).claims
client.revoke_token(server["revocation_endpoint"], token=refreshed["refresh_token"])
refusal = client.get(server["userinfo_endpoint"]).status_code
print(json.dumps({"email": user["email"], "clientId": claims["client_id"], "refused": refusal}))
