// What the demo prints when it is ready: one line for machines, a page for people.
import { COINS } from './data/coins.ts';
import { CHANNELS } from './data/channels.ts';
import { MARKETS } from './data/markets.ts';
import { CAST, EXTRAS } from './data/people.ts';
import type { World, WorldUsers } from './world.ts';

export interface Demo {
  readonly base_url: string;
  readonly chat_url: string;
  readonly web_url: string;
  /** Every api process of a cluster; the addresses above belong to the first. */
  readonly api_urls?: readonly string[];
  readonly users: WorldUsers;
  /** With --chains: what `npm run demo:pay` and `demo:later` need. */
  readonly chains?: Readonly<Record<string, string>>;
  /** What `rialto admin` needs, and the operators' secrets by email address. */
  readonly operators: {
    readonly environment: Readonly<Record<string, string>>;
    readonly secrets: World['operators'];
  };
}

/** The settings that an operator's command shares with the server. */
const OPERATOR_SETTINGS = ['DATABASE_URL', 'MASTER_KEY', 'MONEY'];

export function describeDemo(
  origins: readonly string[],
  { users, operators }: World,
  settings: Readonly<Record<string, string>>,
  { isCluster, chains }: { readonly isCluster: boolean; readonly chains?: Demo['chains'] },
): Demo {
  const [origin = ''] = origins;
  return {
    base_url: `${origin}/v1`,
    chat_url: `${origin}/api/v1`,
    web_url: `${origin}/`,
    ...(isCluster ? { api_urls: origins } : {}),
    users,
    ...(chains === undefined ? {} : { chains }),
    operators: {
      environment: Object.fromEntries(
        Object.entries(settings).filter(([name]) => OPERATOR_SETTINGS.includes(name)),
      ),
      secrets: operators,
    },
  };
}

const DEMO_NOTES = ['Ctrl-C stops it and leaves nothing behind.'];

export function renderSummary(demo: Demo, elapsed: string, notes = DEMO_NOTES): string {
  const { users, operators } = demo;
  const environment = Object.entries(operators.environment).map(
    ([name, value]) => `    export ${name}='${value}'`,
  );
  const [first, second] = Object.entries(operators.secrets);
  const counts = [
    `${Object.keys(CAST).length + EXTRAS.length} people`,
    ...(demo.chains === undefined
      ? [`${COINS.length} coins`, `${MARKETS.length} markets`]
      : ['two chains']),
    `${CHANNELS.length} channels`,
  ].join(', ');
  const rows = Object.entries(users).map(
    ([name, { email, password, api_key }]) =>
      `    ${name.padEnd(11)}${email.padEnd(28)}${password.padEnd(18)}${api_key}`,
  );
  return [
    '',
    `  Rialto is ready after ${elapsed}, with ${counts}.`,
    '',
    `    Web page      ${demo.web_url}`,
    `    Trading API   ${demo.base_url}`,
    `    Chat API      ${demo.chat_url}`,
    ...(demo.api_urls ?? []).slice(1).map((url) => `    Also at       ${url}`),
    '',
    `    ${'who'.padEnd(11)}${'email'.padEnd(28)}${'password'.padEnd(18)}chat API key`,
    ...rows,
    '',
    ...(['trader_a', 'trader_b'] as const).flatMap((name) => [
      `    Trading key of ${name}   ${users[name].trading.api_key}`,
      `    and its secret            ${users[name].trading.secret_key}`,
    ]),
    '',
    "  Try it: paste these lines into another terminal. The README's examples use them.",
    '',
    `    export RIALTO=${new URL(demo.web_url).origin}`,
    `    export CHAT_USER='${users.owner.email}:${users.owner.api_key}'`,
    `    export TRADING_KEY='${users.trader_a.trading.api_key}'`,
    `    export TRADING_SECRET='${users.trader_a.trading.secret_key}'`,
    '    curl "$RIALTO/v1/public/exchange_info?symbol=btcusdt"',
    '    curl -u "$CHAT_USER" "$RIALTO/api/v1/users/me"',
    '',
    `  Trade, with the bot of the documentation (${demo.base_url}/docs):`,
    '',
    `    curl -sO ${demo.base_url}/docs/bot.mjs`,
    `    KEY=${users.trader_a.trading.api_key} SECRET=${users.trader_a.trading.secret_key} node bot.mjs`,
    '',
    '  Operate the venue, from this folder in another terminal; every command takes the secret of its operator:',
    '',
    ...environment,
    `    export RIALTO_OPERATOR=${first?.[0]} RIALTO_OPERATOR_SECRET=${first?.[1]}`,
    '    npx rialto admin market halt-all --reason "A drill"',
    '',
    `    Second operator           ${second?.[0]}`,
    `    and their secret          ${second?.[1]}`,
    '',
    ...(demo.chains === undefined ? [] : payLines(demo.chains)),
    ...notes.map((note) => `  ${note}`),
    '',
  ].join('\n');
}

/** How somebody outside of the venue pays on its chains. */
function payLines(chains: Readonly<Record<string, string>>): string[] {
  return [
    '  Pay to a deposit address as somebody outside, from this folder in another terminal. Blocks come when something waits:',
    '',
    ...Object.entries(chains).map(([name, value]) => `    export ${name}='${value}'`),
    '    npm run -s demo:pay -- ltc ADDRESS 1.5',
    '    npm run -s demo:pay -- eth ADDRESS 0.25',
    '    npm run -s demo:pay -- usdt ADDRESS 100',
    '',
    '  New addresses of the book wait a day; let it pass:',
    '',
    '    npm run -s demo:later',
    '',
  ];
}
