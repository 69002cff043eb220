// `rialto admin market`: creates markets, changes their terms and their phases.
import { LIMITS, STP_MODES } from '@rialto/matching';
import { Command } from 'commander';
import { getMarketConfig, listMarketRows } from '../../../trading/operators/access.ts';
import { requestAct, requestActs } from '../../../trading/operators/actions.ts';
import { cancelOrdersIn, configureMarket, createMarket } from '../../../trading/operators/acts.ts';
import { haltAllActs, phaseAct } from '../../../trading/operators/phases.ts';
import {
  toMarketConfig,
  toMarketTerms,
  type MarketTerms,
} from '../../../trading/operators/market-terms.ts';
import { PHASES } from '../../../trading/markets/market.ts';
import { readEnvironment } from '../../environment.ts';
import { asOperator } from '../../operator.ts';
import { CommandError } from '../../trouble.ts';
import { act, actAll, acting, wholeOf, type ActOptions } from './acting.ts';
import { readJsonFile } from './json-file.ts';
import { printRows, type JsonOption } from './output.ts';
import { MARKET_TEMPLATE, renderTemplate } from './templates.ts';

/** Terms that have their own flag, whose name follows from the term. */
const DECIMALS = {
  minimumQuoteSize: 'smallest order, in quote units',
  maxMarketOrderAsk: 'largest market order to sell, in base units',
  maxMarketOrderBid: 'largest market order to buy, in quote units',
  listingPrice: 'the price before the first trade',
  minimumVolume: 'smallest volume (one step of it)',
  maximumVolume: 'largest volume (100 times the largest market order)',
  minimumPrice: 'lowest price (one step of it)',
  maximumPrice: 'highest price (1000 times the listing price)',
  priceBandPercent: 'how far a limit price may be from the last (20)',
  marketSlippagePercent: 'how far a market order may walk (5)',
  haltPercent: 'move within five minutes that halts the market; 0: never (15)',
} as const satisfies Partial<Record<keyof MarketTerms, string>>;
const COUNTS = {
  basePrecision: 'decimals of volumes',
  quotePrecision: 'decimals of prices; both together at most 18',
  haltMinutes: 'how long such a halt lasts (5)',
  maxOpenOrders: 'open orders of an account (200)',
  maxConditionalOrders: 'waiting conditional orders of an account (50)',
  icebergParts: 'slices that an order may be shown in (20)',
  auctionSeconds: 'length of the auction after such a halt; 0: none (0)',
} as const satisfies Partial<Record<keyof MarketTerms, string>>;

const REQUIRED = [
  'basePrecision',
  'quotePrecision',
  'minimumQuoteSize',
  'maxMarketOrderAsk',
  'maxMarketOrderBid',
  'listingPrice',
] as const satisfies readonly (keyof MarketTerms)[];

interface PhaseOptions extends ActOptions {
  confirm?: string;
  reason: string;
  minutes?: string;
  until?: string;
}

interface TermOptions extends ActOptions {
  file?: string;
  defaultStpMode?: string;
  [term: string]: unknown;
}

const flagOf = (term: string): string =>
  `--${term.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

function withTerms(command: Command): Command {
  for (const [term, what] of Object.entries(COUNTS)) command.option(`${flagOf(term)} <n>`, what);
  for (const [term, what] of Object.entries(DECIMALS)) {
    command.option(`${flagOf(term)} <decimal>`, what);
  }
  return command
    .option('--default-stp-mode <mode>', `one of ${STP_MODES.join(', ')} (expire_taker)`)
    .option('--file <file>', 'read terms from a JSON object; flags come on top. "-" reads stdin');
}

export function marketCommand(): Command {
  const market = new Command('market').description('make markets and change them');
  acting(
    withTerms(market.command('create').argument('<base>').argument('<quote>')),
    'market create',
  )
    .description('make a market; it begins in the phase pre_open')
    .action((base: string, quote: string, options: TermOptions) =>
      act(options, (ctx, operator) => {
        const terms = { ...readTerms(options), base, quote };
        const missing = REQUIRED.filter((term) => terms[term] === undefined);
        if (missing.length > 0) {
          throw new CommandError(`A new market also needs ${missing.map(flagOf).join(', ')}.`);
        }
        return requestAct(ctx, operator, createMarket(toMarketConfig(terms as MarketTerms)));
      }),
    );
  acting(withTerms(market.command('configure').argument('<symbol>')), 'market configure')
    .description('change the terms that are given, and leave the others')
    .action((symbol: string, options: TermOptions) =>
      act(options, async (ctx, operator) => {
        const changes = readTerms(options);
        if (Object.keys(changes).length === 0) {
          throw new CommandError('Nothing to change: give at least one flag, or --file.');
        }
        const before = toMarketTerms(await getMarketConfig(ctx.db, symbol));
        const { base, quote } = before;
        const config = toMarketConfig({ ...before, ...changes, base, quote });
        return requestAct(ctx, operator, configureMarket(config));
      }),
    );
  acting(market.command('phase').argument('<symbol>').argument('<phase>'), 'market phase')
    .description(`move a market into a phase: ${PHASES.join(', ')}`)
    .option('--confirm <symbol>', 'the symbol once more, for delisted: nothing brings it back')
    .option(
      '--reason <text>',
      'why; traders see it while the market stands, and it is needed to release what a broken rule stopped',
      '',
    )
    .option(
      '--minutes <n>',
      'of an auction: how long it lasts, up to a day; then the market trades',
    )
    .option('--until <time>', 'of an auction: when it ends, such as 2026-11-16T12:00:00Z')
    .action((symbol: string, phase: string, options: PhaseOptions) =>
      act(options, async (ctx, operator) => {
        if (phase === 'delisted' && options.confirm !== symbol) {
          throw new CommandError(
            `Delisting cancels every order of ${symbol} and cannot be undone. If you mean it, add --confirm ${symbol}.`,
          );
        }
        const until = auctionEnd(phase, options, ctx.clock.now());
        return requestAct(
          ctx,
          operator,
          await phaseAct(ctx.db, symbol, phase, options.reason, until),
        );
      }),
    );
  acting(market.command('halt-all'), 'market phase')
    .description('halt every market that takes orders, in one commit')
    .requiredOption('--reason <text>', 'the reason; recorded in the audit log')
    .action((options: ActOptions & { reason: string }) =>
      actAll(
        options,
        async (ctx, operator) =>
          requestActs(ctx, operator, await haltAllActs(ctx.db, options.reason)),
        'No market takes orders, so there is nothing to halt.',
      ),
    );
  acting(market.command('cancel-orders').argument('<symbol>'), 'market cancel_orders')
    .description('cancel the orders of everybody in a market')
    .requiredOption('--reason <text>', 'the reason; recorded in the audit log')
    .action((symbol: string, options: ActOptions & { reason: string }) =>
      act(options, (ctx, operator) =>
        requestAct(ctx, operator, cancelOrdersIn(symbol, options.reason)),
      ),
    );
  market
    .command('template')
    .description('print terms to begin with, as `market create --file` takes them')
    .action(() => console.log(renderTemplate(MARKET_TEMPLATE)));
  market
    .command('show')
    .argument('<symbol>')
    .description('print the terms of a market; `configure --file` takes them back')
    .action(async (symbol: string) => {
      const terms = await asOperator(readEnvironment(), async (ctx) =>
        toMarketTerms(await getMarketConfig(ctx.db, symbol)),
      );
      console.log(JSON.stringify(terms, null, 2));
    });
  market
    .command('list')
    .description('list every market with its phase')
    .option('--json', 'print JSON')
    .action(async (options: JsonOption) => {
      const rows = await asOperator(readEnvironment(), (ctx) => listMarketRows(ctx.db));
      printRows(
        options,
        rows,
        'There is no market yet; make one with `rialto admin market create`.',
      );
    });
  return market;
}

/** When an auction ends, in milliseconds; undefined if an operator ends it. */
export function auctionEnd(
  phase: string,
  { minutes, until }: Pick<PhaseOptions, 'minutes' | 'until'>,
  nowMs: number,
): number | undefined {
  if (minutes === undefined && until === undefined) return undefined;
  if (phase !== 'auction') {
    throw new CommandError(`Only an auction ends by itself, so ${phase} takes no end.`);
  }
  if (minutes !== undefined && until !== undefined) {
    throw new CommandError('Give --minutes or --until, not both.');
  }
  const now = Math.floor(nowMs);
  const end =
    until === undefined ? now + wholeOf('--minutes', minutes ?? '') * 60_000 : Date.parse(until);
  if (end > now && end <= now + LIMITS.auctionMaxMs) return end;
  throw new CommandError(
    `The auction must end within a day from now, and not before now: ${until ?? `${minutes} minutes`} does not.`,
  );
}

function readTerms(options: TermOptions): Partial<MarketTerms> {
  const terms: Record<string, unknown> = options.file === undefined ? {} : readFile(options.file);
  for (const term of Object.keys(DECIMALS)) {
    if (options[term] !== undefined) terms[term] = options[term];
  }
  for (const term of Object.keys(COUNTS)) {
    const given = options[term];
    if (typeof given === 'string') terms[term] = wholeOf(flagOf(term), given);
  }
  if (options.defaultStpMode !== undefined) terms['defaultStpMode'] = options.defaultStpMode;
  return terms;
}

/** Which members a file may have, and their types. */
const FILE_TYPES: Readonly<Record<string, string>> = {
  base: 'string',
  quote: 'string',
  defaultStpMode: 'string',
  ...Object.fromEntries(Object.keys(DECIMALS).map((term) => [term, 'string'])),
  ...Object.fromEntries(Object.keys(COUNTS).map((term) => [term, 'number'])),
};

function readFile(file: string): Record<string, unknown> {
  const value = readJsonFile(file);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new CommandError('--file must hold one JSON object with the terms.');
  }
  for (const [name, member] of Object.entries(value)) {
    const type = FILE_TYPES[name];
    if (type === undefined) {
      throw new CommandError(
        `--file holds "${name}", which is no term. Known are ${Object.keys(FILE_TYPES).join(', ')}.`,
      );
    }
    if (typeof member !== type) {
      throw new CommandError(`--file: "${name}" must be a ${type} in JSON, not ${typeof member}.`);
    }
  }
  return { ...value };
}
