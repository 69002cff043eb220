// The inputs for setting up an installation: from the command line, and what is missing there from the terminal.
import { isEmail } from '../../accounts/email.ts';
import { CommandError } from '../trouble.ts';
import { firstMarketTerms, parsePair } from './first-market.ts';
import type { MarketTerms } from '../../trading/operators/market-terms.ts';
import type { Language } from '../../platform/std/language.ts';

export interface SetupOptions {
  readonly email?: string;
  readonly name?: string;
  readonly organization?: string;
  readonly language?: string;
  readonly market?: string;
  readonly price?: string;
}

export interface Answers {
  readonly email: string;
  readonly name: string;
  readonly organization: string | undefined;
  readonly language: Language | undefined;
  readonly market: MarketTerms | undefined;
}

/** Asks at a terminal; undefined where there is none. */
export type Prompt = ((question: string) => Promise<string>) | undefined;

/** For an installation without an owner. */
export async function readAnswers(
  options: SetupOptions,
  ask: Prompt,
  organizationNow: string,
): Promise<Answers> {
  if (ask === undefined) {
    const missing = (['email', 'name'] as const).filter((flag) => options[flag] === undefined);
    if (missing.length > 0) {
      throw new CommandError(
        `There is no terminal to ask at, so give ${missing.map((flag) => `--${flag}`).join(' and ')}: ` +
          'the address and the name of the owner.',
      );
    }
  }
  const or = async (given: string | undefined, question: string): Promise<string> =>
    given ?? (await ask?.(question)) ?? '';
  const organization = await or(
    options.organization,
    `Name of the organization [${organizationNow}]: `,
  );
  const language = parseLanguage(await or(options.language, 'Language, en or fa [en]: '));
  const name = await or(options.name, "The owner's name: ");
  const email = await or(options.email, "The owner's email address: ");
  if (name === '') throw new CommandError('The owner needs a name: --name "Ava Stone".');
  if (!isEmail(email)) {
    throw new CommandError(`The owner needs an address such as ava@example.com, not "${email}".`);
  }
  const pair = await or(options.market, 'A first market such as btcusdt (empty: none): ');
  const price =
    pair === ''
      ? undefined
      : await or(options.price, `What one ${parsePair(pair).base} costs there: `);
  return {
    email,
    name,
    organization: organization === '' ? undefined : organization,
    language,
    market: parseMarket(pair, price),
  };
}

/** The market that --market and --price describe; none for an empty text. */
export function parseMarket(pair = '', price = ''): MarketTerms | undefined {
  if (pair === '') {
    if (price !== '')
      throw new CommandError('--price is the price of a market: give --market too.');
    return undefined;
  }
  const { base, quote } = parsePair(pair);
  if (price === '') {
    throw new CommandError(
      `--market needs --price, what one ${base} costs in ${quote} now: orders far from it are refused until the first trade.`,
    );
  }
  return firstMarketTerms({ base, quote }, price);
}

/** An empty text leaves it unchanged. */
export function parseLanguage(text = ''): Language | undefined {
  if (text === '') return undefined;
  if (text === 'en' || text === 'fa') return text;
  throw new CommandError(`--language must be en or fa, not "${text}".`);
}
