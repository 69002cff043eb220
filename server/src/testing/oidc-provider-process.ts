// The process of a test's OpenID Connect provider. The test tells it by messages who signs in, and when keys change.
import { createHmac, generateKeyPairSync, randomUUID, sign, type KeyObject } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Person {
  readonly sub: string;
  readonly claims?: Readonly<Record<string, unknown>>;
}

interface Keys {
  readonly kid: string;
  readonly own: KeyObject;
  readonly foreign: KeyObject;
}

type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<unknown>;

/** The part of the library that is used here; it comes without types. */
interface Library {
  callback(): Handle;
  Grant: new (given: Record<string, unknown>) => {
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  };
  interactionDetails: (request: IncomingMessage, response: ServerResponse) => Promise<unknown>;
  interactionFinished: (
    request: IncomingMessage,
    response: ServerResponse,
    result: Record<string, unknown>,
    options: Record<string, unknown>,
  ) => Promise<void>;
}

const NAME: string = 'oidc-provider';
const { default: Provider } = (await import(NAME)) as {
  default: new (issuer: string, configuration: Record<string, unknown>) => Library;
};

let issuer = '';
let client: Record<string, unknown> = {};
let clientSecret = '';
let person: Person = { sub: 'nobody' };
const people = new Map<string, Person>();
let keys = makeKeys();
let provider: Library | undefined;
let handle: Handle | undefined;

function makeKeys(): Keys {
  const make = () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  return { kid: randomUUID(), own: make(), foreign: make() };
}

function build(): void {
  const jwk = keys.own.export({ format: 'jwk' });
  const built: Library = new Provider(issuer, {
    clients: [client],
    jwks: { keys: [{ ...jwk, kid: keys.kid, use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['a key of a test'] },
    conformIdTokenClaims: false,
    scopes: ['openid', 'email', 'profile'],
    claims: {
      openid: ['sub', 'amr'],
      email: ['email', 'email_verified'],
      profile: ['name', 'groups'],
    },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: { enabled: true },
    },
    pkce: { required: () => true },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_: unknown, sub: string) => ({
      accountId: sub,
      claims: async () => ({ ...people.get(sub)?.claims, sub }),
    }),
    async loadExistingGrant(ctx: {
      oidc: { client: { clientId: string }; session: { accountId: string } };
    }) {
      const { client: asking, session } = ctx.oidc;
      const { accountId } = session;
      const grant = new built.Grant({ clientId: asking.clientId, accountId });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  provider = built;
  handle = built.callback();
}

async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
  await provider?.interactionDetails(request, response);
  const amr = person.claims?.['amr'];
  const login = { accountId: person.sub, ...(amr !== undefined && { amr }) };
  await provider?.interactionFinished(
    request,
    response,
    { login },
    {
      mergeWithLastSubmission: false,
    },
  );
}

const server = createServer((request, response) => {
  if (request.url?.startsWith('/interaction/') === true) void interact(request, response);
  else void handle?.(request, response);
});

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function makeToken(
  claims: Record<string, unknown>,
  options: { typ?: string; alg?: string; key?: 'own' | 'foreign'; kid?: string },
): string {
  const { alg = 'RS256', key = 'own', kid = keys.kid, typ } = options;
  const text = `${encode({ alg, kid, ...(typ !== undefined && { typ }) })}.${encode(claims)}`;
  if (alg === 'none') return `${text}.`;
  if (alg === 'HS256') {
    return `${text}.${createHmac('sha256', clientSecret).update(text).digest('base64url')}`;
  }
  return `${text}.${sign('sha256', Buffer.from(text), keys[key]).toString('base64url')}`;
}

interface Message {
  readonly id: number;
  readonly do: 'start' | 'register' | 'become' | 'rotate' | 'sign';
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly origin: string;
  readonly provider: string;
  readonly person: Person;
  readonly claims: Record<string, unknown>;
  readonly options: { typ?: string; alg?: string; key?: 'own' | 'foreign'; kid?: string };
}

async function obey(message: Message): Promise<string> {
  switch (message.do) {
    case 'start':
      ({ issuer, clientSecret } = message);
      client = { client_id: message.clientId, client_secret: clientSecret };
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return String((server.address() as AddressInfo).port);
    case 'register':
      client = {
        ...client,
        redirect_uris: [`${message.origin}/accounts/login/oidc/${message.provider}/callback/`],
        post_logout_redirect_uris: [`${message.origin}/login/`],
        backchannel_logout_uri: `${message.origin}/accounts/oidc/${message.provider}/backchannel/`,
        backchannel_logout_session_required: true,
      };
      build();
      return '';
    case 'become':
      ({ person } = message);
      people.set(person.sub, person);
      return '';
    case 'rotate':
      keys = makeKeys();
      build();
      return '';
    case 'sign':
      return makeToken(message.claims, message.options);
  }
}

process.on('message', (message: Message) => {
  obey(message).then(
    (value) => process.send?.({ id: message.id, value }),
    (error: unknown) => {
      throw error;
    },
  );
});
// The test ends: so does this.
process.on('disconnect', () => process.exit());
