// A web application as many are: Express, passport and its strategy for OpenID Connect. It shows who signed in, and what the
// API has for them. The one argument is the address of the mock; the first line that it prints is its own.
import express from 'express';
import session from 'express-session';
import * as client from 'openid-client';
import { Strategy } from 'openid-client/passport';
import passport from 'passport';

const [, , api] = process.argv;
const config = await client.discovery(new URL(api), 'passport-app', 'its secret', undefined, {
  execute: [client.allowInsecureRequests],
});
const app = express();
app.use(session({ secret: 'of this test', resave: false, saveUninitialized: true }));
app.use(passport.authenticate('session'));
passport.serializeUser((user, done) => done(null, user));
passport.deserializeUser((user, done) => done(null, user));

const server = app.listen(0, '127.0.0.1', () => {
  const own = `http://127.0.0.1:${server.address().port}`;
  const verify = (tokens, done) =>
    done(null, {
      claims: tokens.claims(),
      token: tokens.access_token,
      refresh: tokens.refresh_token,
      id: tokens.id_token,
    });
  passport.use(
    'standin',
    new Strategy({ config, scope: 'openid profile email orders:read', callbackURL: `${own}/callback` }, verify),
  );
  console.log(own);
});

app.get('/login', passport.authenticate('standin'));
app.get('/callback', passport.authenticate('standin', { successRedirect: '/', failureRedirect: '/failed' }));
app.get('/', async (request, response) => {
  if (request.user === undefined) {
    response.send('<p>Nobody is signed in.</p><a href="/login">Sign in</a>');
    return;
  }
  const { claims, token } = request.user;
  const found = await fetch(new URL('/orders', api), { headers: { authorization: `Bearer ${token}` } });
  const orders = await found.text();
  response.send(
    `<p id="who"></p><pre></pre><a href="/refresh">Refresh</a> <a href="/logout">Sign out</a>
    <script>document.getElementById('who').textContent = ${JSON.stringify(`${claims.sub} ${claims.name}`)};
    document.querySelector('pre').textContent = ${JSON.stringify(`${found.status} ${orders}`)};</script>`.replaceAll(
      '<b>',
      '\\u003cb>',
    ),
  );
});
app.get('/refresh', async (request, response) => {
  const tokens = await client.refreshTokenGrant(config, request.user.refresh);
  request.session.passport.user = {
    ...request.user,
    token: tokens.access_token,
    refresh: tokens.refresh_token ?? request.user.refresh,
  };
  response.redirect('/');
});
app.get('/logout', (request, response, next) => {
  const { id } = request.user;
  request.logout((error) => {
    if (error) return next(error);
    response.redirect(
      client.buildEndSessionUrl(config, {
        id_token_hint: id,
        post_logout_redirect_uri: `http://${request.headers.host}/`,
      }).href,
    );
  });
});
