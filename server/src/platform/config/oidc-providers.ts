// The file of OpenID Connect providers: its schema, and everything that can be wrong with it. The server does not start
// with a wrong one, and `rialto doctor` says the same.
import { readFileSync } from 'node:fs';
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';

const PROVIDERS_MAX = 20;
const FILE_BYTES_MAX = 256 * 1024;
const RULES_MAX = 100;

const word = (maxLength: number) => Type.String({ minLength: 1, maxLength });
const list = (maxLength: number, maxItems: number) =>
  Type.Array(word(maxLength), { maxItems, default: [] });
/** A claim that has a value: the text itself, or a list with it. */
const claimHas = { claim: word(200), has: word(200) };
const strict = { additionalProperties: false } as const;

/** Nobody becomes an owner by a rule. */
const RuleRole = Type.Union([
  Type.Literal('guest'),
  Type.Literal('member'),
  Type.Literal('moderator'),
  Type.Literal('administrator'),
]);

const ProviderSchema = Type.Object(
  {
    /** Part of the provider's addresses here. */
    id: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,31}$' }),
    /** What people read on the sign-in page. */
    name: word(60),
    icon: Type.Union([Type.Null(), Type.String({ pattern: '^https://\\S+$', maxLength: 500 })], {
      default: null,
    }),
    issuer: Type.String({ pattern: '^https?://[^\\s?#]+$', maxLength: 500 }),
    clientId: word(255),
    clientSecretFile: word(1000),
    scopes: Type.Array(word(100), { maxItems: 20, default: ['openid', 'email', 'profile'] }),
    /** The one algorithm that its tokens are signed with. */
    algorithm: Type.Union(
      [Type.Literal('RS256'), Type.Literal('PS256'), Type.Literal('ES256'), Type.Literal('EdDSA')],
      { default: 'RS256' },
    ),
    /** The domains whose addresses this provider vouches for. */
    domains: list(253, 100),
    link: Type.Union([Type.Literal('never'), Type.Literal('verified_email')], { default: 'never' }),
    create: Type.Union([Type.Literal('never'), Type.Literal('guest'), Type.Literal('member')], {
      default: 'never',
    }),
    /** One of these among the token's `amr` counts as a second factor. */
    mfa: Type.Object({ amr: list(100, 20) }, { ...strict, default: { amr: [] } }),
    roles: Type.Array(Type.Object({ ...claimHas, role: RuleRole }, strict), {
      maxItems: RULES_MAX,
      default: [],
    }),
    groups: Type.Array(Type.Object({ ...claimHas, group: word(100) }, strict), {
      maxItems: RULES_MAX,
      default: [],
    }),
  },
  strict,
);

type Written = Static<typeof ProviderSchema>;

export interface Provider extends Omit<Written, 'clientSecretFile'> {
  readonly clientSecret: string;
}

interface Settings {
  readonly OIDC_PROVIDERS_FILE: string;
  readonly OIDC_ALLOW_HTTP: string;
  readonly MONEY: string;
}

/** Everything that is wrong with the providers; the names of the settings lead. */
export function findProviderProblems(values: Readonly<Record<string, unknown>>): string[] {
  const settings = values as unknown as Settings;
  const problems: string[] = [];
  if (settings.OIDC_ALLOW_HTTP === 'true' && settings.MONEY === 'real') {
    problems.push(
      'OIDC_ALLOW_HTTP=true is for development: with MONEY=real every provider has to be asked by https://.',
    );
  }
  if (typeof settings.OIDC_PROVIDERS_FILE !== 'string' || settings.OIDC_PROVIDERS_FILE === '') {
    return problems;
  }
  return [...problems, ...readProviders(settings).problems];
}

export function readProviders(settings: Settings): {
  readonly providers: readonly Provider[];
  readonly problems: readonly string[];
} {
  const { OIDC_PROVIDERS_FILE: file } = settings;
  if (file === '') return { providers: [], problems: [] };
  const refuse = (...problems: string[]) => ({
    providers: [],
    problems: problems.map((problem) => `OIDC_PROVIDERS_FILE ${file}: ${problem}`),
  });
  let given: unknown;
  try {
    const text = readFileSync(file, 'utf8');
    if (text.length > FILE_BYTES_MAX) return refuse(`it is larger than ${FILE_BYTES_MAX} bytes.`);
    given = JSON.parse(text);
  } catch (error) {
    return refuse(`it cannot be read as JSON: ${(error as Error).message}.`);
  }
  if (!Array.isArray(given) || given.length > PROVIDERS_MAX) {
    return refuse(`it must be a list of at most ${PROVIDERS_MAX} providers.`);
  }
  const problems: string[] = [];
  const providers: Provider[] = [];
  for (const [place, one] of given.entries()) {
    const read = readProvider(one, settings);
    const who = nameOf(one, place);
    problems.push(...read.problems.map((problem) => `${who}: ${problem}`));
    if (read.provider !== undefined) providers.push(read.provider);
  }
  for (const field of ['id', 'issuer'] as const) {
    const values = providers.map((provider) => provider[field]);
    const twice = values.find((value, place) => values.indexOf(value) !== place);
    if (twice !== undefined) problems.push(`the ${field} ${twice} is there twice.`);
  }
  return problems.length > 0 ? refuse(...problems) : { providers, problems: [] };
}

function nameOf(one: unknown, place: number): string {
  const id = typeof one === 'object' && one !== null && 'id' in one ? one.id : undefined;
  return typeof id === 'string' ? `provider ${id.slice(0, 40)}` : `provider number ${place + 1}`;
}

function readProvider(
  given: unknown,
  { OIDC_ALLOW_HTTP }: Settings,
): { readonly provider?: Provider; readonly problems: readonly string[] } {
  const filled = Value.Default(ProviderSchema, structuredClone(given));
  if (!Value.Check(ProviderSchema, filled)) {
    const problems = Value.Errors(ProviderSchema, filled).map(
      ({ instancePath, message, params }) =>
        `${instancePath === '' ? 'it' : instancePath.slice(1).replaceAll('/', '.')} ${message}${extraOf(params)}.`,
    );
    return { problems: [...new Set(problems)].slice(0, 10) };
  }
  const { clientSecretFile, ...written } = filled;
  const problems: string[] = [];
  if (!URL.canParse(written.issuer)) problems.push('issuer must be a URL.');
  else if (written.issuer.startsWith('http:') && OIDC_ALLOW_HTTP !== 'true') {
    problems.push('issuer must begin with https://. (OIDC_ALLOW_HTTP=true is for development.)');
  }
  if (!written.scopes.includes('openid')) problems.push('scopes must have "openid" among them.');
  if (written.link === 'verified_email' && written.domains.length === 0) {
    problems.push('link "verified_email" needs domains: those whose addresses it vouches for.');
  }
  const role = written.groups.find(({ group }) => group.startsWith('role:'));
  if (role !== undefined) {
    problems.push(`groups: ${role.group} follows from the role; write a rule of roles instead.`);
  }
  let clientSecret = '';
  try {
    clientSecret = readFileSync(clientSecretFile, 'utf8').trim();
    if (clientSecret === '') problems.push(`clientSecretFile ${clientSecretFile} is empty.`);
  } catch (error) {
    problems.push(`clientSecretFile cannot be read: ${(error as Error).message}.`);
  }
  if (problems.length > 0) return { problems };
  const domains = written.domains.map((domain) => domain.toLowerCase());
  return { provider: { ...written, domains, clientSecret }, problems };
}

/** The names of fields that nothing reads: mostly slips. */
function extraOf(params: unknown): string {
  const { additionalProperties } = params as { additionalProperties?: readonly string[] };
  return additionalProperties === undefined ? '' : `: ${additionalProperties.join(', ')}`;
}
