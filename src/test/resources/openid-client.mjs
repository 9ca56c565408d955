// Signs in, refreshes, asks and revokes with openid-client and oauth4webapi, as they come from npm.
import { createInterface } from 'node:readline/promises'
import * as oauth from 'oauth4webapi'
import * as client from 'openid-client'

const { ISSUER, CLIENT_ID, CLIENT_SECRET, REDIRECT_URI } = process.env
const insecure = { execute: [client.allowInsecureRequests] }
const authentication = CLIENT_SECRET ? client.ClientSecretBasic(CLIENT_SECRET) : client.None()
const config = await client.discovery(new URL(ISSUER), CLIENT_ID, undefined, authentication, insecure)
const pkceCodeVerifier = client.randomPKCECodeVerifier()
const expectedState = client.randomState()
const expectedNonce = client.randomNonce()
const url = client.buildAuthorizationUrl(config, {
  redirect_uri: REDIRECT_URI,
  scope: 'openid email offline_access',
  code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
  code_challenge_method: 'S256',
  state: expectedState,
  nonce: expectedNonce
})
console.log(url.href)

const answer = await createInterface({ input: process.stdin }).question('')
const checks = { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true }
const tokens = await client.authorizationCodeGrant(config, new URL(answer), checks)
const user = await client.fetchUserInfo(config, tokens.access_token, tokens.claims().sub)
const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token)

const server = config.serverMetadata()
const request = new Request('http://localhost/', { headers: { authorization: `Bearer ${refreshed.access_token}` } })
const claims = await oauth.validateJwtAccessToken(server, request, ISSUER, { [oauth.allowInsecureRequests]: true })

await client.tokenRevocation(config, refreshed.refresh_token)
const refusal = await client.fetchUserInfo(config, refreshed.access_token, user.sub).catch((error) => error)
console.log(JSON.stringify({ email: user.email, clientId: claims.client_id, refused: refusal.status }))
