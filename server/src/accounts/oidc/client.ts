// Talks to providers. The library is loaded at the first use, so that deployments without providers do not carry it.
import type * as OpenidClient from 'openid-client';
import type { ClientAuth, Configuration, CustomFetch } from 'openid-client';
import { requestConfigured } from '../../platform/http/outbound.ts';
import { CLOCK_TOLERANCE_SECONDS } from './claims.ts';
import type { Provider } from './settings.ts';

/** For each call to a provider. */
const CALL_SECONDS = 5;
const ANSWER_BYTES_MAX = 512 * 1024;
/** After this, what a provider says about itself is read again. */
const CONFIGURATION_MS = 60 * 60_000;
/** How often a key that we do not know makes us read it sooner: anybody can send us such a key. */
const FRESH_MS = 60_000;

type Library = typeof OpenidClient;
let library: Promise<Library> | undefined;
const load = (): Promise<Library> => (library ??= import('openid-client'));

/** The provider did not answer: nothing was decided. */
export class ProviderAway extends Error {
  override name = 'ProviderAway';
}

/** The provider, or somebody in its name, gave an answer that is not acceptable. The message is for the log. */
export class ProviderRefused extends Error {
  override name = 'ProviderRefused';
  /** The person said no, or may not use this application. */
  readonly isDenied: boolean;
  /** The token was signed with a key that we have not seen: the provider may have new ones. */
  readonly isUnknownKey: boolean;
  constructor(cause: Error, kind: { isDenied?: boolean; isUnknownKey?: boolean } = {}) {
    super(describe(cause), { cause });
    this.isDenied = kind.isDenied === true;
    this.isUnknownKey = kind.isUnknownKey === true;
  }
}

/** The library's messages and codes, without what they quote: tokens must not get into the log. */
function describe(error: Error): string {
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'string' ? `${error.message} (${code})` : error.message;
}

interface Known {
  readonly configuration: Promise<Configuration>;
  readonly atMs: number;
  /** When it was last read again because of an unknown key. */
  freshAtMs: number;
}

const known = new WeakMap<Provider, Known>();

function configurationOf(provider: Provider): Promise<Configuration> {
  const found = known.get(provider);
  if (found !== undefined && Date.now() - found.atMs < CONFIGURATION_MS) return found.configuration;
  return readAgain(provider, found?.freshAtMs ?? 0);
}

function readAgain(provider: Provider, freshAtMs: number): Promise<Configuration> {
  const configuration = discover(provider);
  const entry = { configuration, atMs: Date.now(), freshAtMs };
  known.set(provider, entry);
  configuration.catch(() => {
    // The next visitor asks again.
    if (known.get(provider) === entry) known.delete(provider);
  });
  return configuration;
}

/** Forgets the keys of a provider, at most once a minute. False if it is too early. */
export async function renewKeys(provider: Provider): Promise<boolean> {
  const found = known.get(provider);
  if (found !== undefined && Date.now() - found.freshAtMs < FRESH_MS) return false;
  await asking(() => readAgain(provider, Date.now()));
  return true;
}

async function discover(provider: Provider): Promise<Configuration> {
  const client = await load();
  const isPlain = provider.issuer.startsWith('http:');
  const metadata = {
    client_secret: provider.clientSecret,
    id_token_signed_response_alg: provider.algorithm,
    [client.clockTolerance]: CLOCK_TOLERANCE_SECONDS,
  };
  return client.discovery(
    new URL(provider.issuer),
    provider.clientId,
    metadata,
    authenticationOf(client, provider),
    {
      timeout: CALL_SECONDS,
      [client.customFetch]: fetchFrom(provider),
      execute: [
        // Without it the library trusts TLS alone, and a token signed by any key passes.
        client.enableNonRepudiationChecks,
        ...(isPlain ? [client.allowInsecureRequests] : []),
      ],
    },
  );
}

function authenticationOf(client: Library, { clientSecret }: Provider): ClientAuth {
  const basic = client.ClientSecretBasic(clientSecret);
  const post = client.ClientSecretPost(clientSecret);
  return (server, ...rest) => {
    const offered = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const takesBasic = (offered as readonly string[]).includes('client_secret_basic');
    (takesBasic ? basic : post)(server, ...rest);
  };
}

const fetchFrom =
  ({ issuer }: Provider): CustomFetch =>
  async (url, { method, headers, body }) => {
    // The library sends forms and nothing else.
    const form = body instanceof URLSearchParams ? body.toString() : body;
    const answer = await askConfigured(issuer, {
      url,
      method,
      headers: { ...headers },
      body: typeof form === 'string' ? Buffer.from(form) : undefined,
    });
    // These statuses have no body, and the constructor refuses one.
    const content = [204, 205, 304].includes(answer.status) ? null : new Uint8Array(answer.body);
    return new Response(content, { status: answer.status, headers: answer.headers });
  };

export async function askConfigured(
  issuer: string,
  request: {
    readonly url: string;
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: Buffer | undefined;
  },
) {
  let answer;
  try {
    answer = await requestConfigured({
      ...request,
      timeoutMs: CALL_SECONDS * 1000,
      bytesMax: ANSWER_BYTES_MAX,
      allowsHttp: issuer.startsWith('http:'),
    });
  } catch (error) {
    throw new ProviderAway('It did not answer.', { cause: error });
  }
  if (answer.status >= 500) throw new ProviderAway(`It answered with the status ${answer.status}.`);
  return answer;
}

/** Runs a call of the library and says in our words what went wrong. */
async function asking<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    for (let one: unknown = error; one instanceof Error; one = one.cause) {
      if (one instanceof ProviderAway) throw one;
    }
    if (!(error instanceof Error)) throw error;
    const { code } = error as { readonly code?: unknown };
    if (code === 'OAUTH_TIMEOUT' || code === 'OAUTH_ABORT') {
      throw new ProviderAway('It did not answer.', { cause: error });
    }
    const isDenied = (error as { readonly error?: unknown }).error === 'access_denied';
    const isUnknownKey = code === 'OAUTH_KEY_SELECTION_FAILED';
    throw new ProviderRefused(error, { isDenied, isUnknownKey });
  }
}

/** What a sign-in must remember until the provider answers. */
export interface Flow {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** Whether the person must sign in at the provider again. */
  readonly isAgain: boolean;
}

export async function beginFlow(
  provider: Provider,
  { redirectUri, isAgain }: { readonly redirectUri: string; readonly isAgain: boolean },
): Promise<{ readonly flow: Flow; readonly url: string }> {
  const client = await load();
  const configuration = await asking(() => configurationOf(provider));
  const flow = {
    state: client.randomState(),
    nonce: client.randomNonce(),
    verifier: client.randomPKCECodeVerifier(),
    isAgain,
  };
  const url = client.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope: provider.scopes.join(' '),
    code_challenge: await client.calculatePKCECodeChallenge(flow.verifier),
    code_challenge_method: 'S256',
    state: flow.state,
    nonce: flow.nonce,
    ...(isAgain && { max_age: '0' }),
  });
  return { flow, url: url.href };
}

/** Exchanges the code; returns the claims of the checked token, completed by the provider's user information. */
export async function finishFlow(
  provider: Provider,
  answer: URL,
  flow: Flow,
): Promise<{ readonly idToken: string; readonly claims: Readonly<Record<string, unknown>> }> {
  const client = await load();
  const configuration = await asking(() => configurationOf(provider));
  const tokens = await asking(() =>
    client.authorizationCodeGrant(configuration, answer, {
      pkceCodeVerifier: flow.verifier,
      expectedNonce: flow.nonce,
      expectedState: flow.state,
      idTokenExpected: true,
    }),
  );
  const signed = tokens.claims();
  if (signed === undefined || tokens.id_token === undefined) {
    throw new ProviderRefused(new Error('The answer has no token.'));
  }
  const isComplete = neededOf(provider).every((claim) => signed[claim] !== undefined);
  const { userinfo_endpoint: endpoint } = configuration.serverMetadata();
  const more =
    isComplete || endpoint === undefined
      ? {}
      : await asking(() => client.fetchUserInfo(configuration, tokens.access_token, signed.sub));
  // What is signed comes first.
  return { idToken: tokens.id_token, claims: { ...more, ...signed } };
}

const neededOf = ({ roles, groups }: Provider): string[] => [
  'email',
  'name',
  ...[...roles, ...groups].map(({ claim }) => claim.split('.', 1)[0] ?? claim),
];

/** Where a browser goes to sign out at the provider too; undefined if it has no such address. */
export async function endSessionUrl(
  provider: Provider,
  { idToken, returnTo }: { readonly idToken: string | undefined; readonly returnTo: string },
): Promise<string | undefined> {
  const client = await load();
  const configuration = await asking(() => configurationOf(provider));
  if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined;
  const parameters = {
    post_logout_redirect_uri: returnTo,
    ...(idToken !== undefined && { id_token_hint: idToken }),
  };
  return client.buildEndSessionUrl(configuration, parameters).href;
}

/** The issuer's own name and where its keys are. */
export async function keysOf(
  provider: Provider,
): Promise<{ readonly issuer: string; readonly jwksUri: string }> {
  const configuration = await asking(() => configurationOf(provider));
  const { issuer, jwks_uri: jwksUri } = configuration.serverMetadata();
  if (jwksUri === undefined) throw new ProviderRefused(new Error('It names no keys.'));
  return { issuer, jwksUri };
}
