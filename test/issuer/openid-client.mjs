// Signs in as a program does that uses openid-client, the certified client of OpenID Connect for Node, and prints what came of
// it as JSON. The one argument is the address of the mock.
import * as client from 'openid-client';

const [, , api] = process.argv;
const insecure = { execute: [client.allowInsecureRequests] };
const config = await client.discovery(new URL(api), 'web', 'its secret', undefined, insecure);
const anyone = await client.discovery(new URL(api), 'spa', undefined, client.None(), insecure);

/** A browser that keeps cookies, and follows as far as the issuer leads. */
const cookies = new Map();
async function browse(url) {
  for (;;) {
    if (url.origin !== new URL(api).origin) return url;
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const text of response.headers.getSetCookie()) cookies.set(...text.split(';')[0].split('='));
    const location = response.headers.get('location');
    if (location === null) return { page: await response.text(), url };
    url = new URL(location, url);
  }
}

async function signIn(configuration, more = {}) {
  const verifier = client.randomPKCECodeVerifier();
  const [state, nonce] = [client.randomState(), client.randomNonce()];
  const address = client.buildAuthorizationUrl(configuration, {
    redirect_uri: 'http://localhost:3999/callback',
    scope: 'openid profile email orders:read',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
    ...more,
  });
  const back = await browse(address);
  return client.authorizationCodeGrant(configuration, back, {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
    idTokenExpected: true,
  });
}

const orders = async ({ access_token: token }) =>
  (await fetch(new URL('/orders', api), { headers: { authorization: `Bearer ${token}` } })).status;

const tokens = await signIn(config);
const { sub } = tokens.claims();
const user = await client.fetchUserInfo(config, tokens.access_token, sub);
const opened = await orders(tokens);
const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token);
const spa = await signIn(anyone, { login_hint: 'bob@shop.example' });
const machine = await client.clientCredentialsGrant(config, { scope: 'orders:read' });
const known = await client.tokenIntrospection(config, machine.access_token);
await client.tokenRevocation(config, machine.access_token);
const device = await client.initiateDeviceAuthorization(config, { scope: 'openid orders:read' });
const entered = await browse(new URL(device.verification_uri_complete));
const logout = await browse(
  client.buildEndSessionUrl(config, { id_token_hint: refreshed.id_token ?? tokens.id_token }),
);
console.log(
  JSON.stringify({
    claims: tokens.claims(),
    user,
    opened,
    refreshed: await orders(refreshed),
    spa: [spa.claims().sub, await orders(spa)],
    introspected: [known.active, known.scope],
    revoked: await orders(machine),
    device: entered.page?.includes(device.user_code),
    logout: logout.page?.includes('op.logoutForm'),
  }),
);
