// What every method stands on: the venue's address, signed requests, errors, exact amounts, pages.
import { ArgumentsRequired, Exchange, type Dict, type Int, type Str } from 'ccxt';
import { DESCRIPTION } from '../describe.ts';
import { retryAfterMs, toException, type VenueError } from '../errors.ts';
import { signText, toSignedText, toWire, type Params } from '../sign.ts';
import { cutToStep, roundToStep, stepOf, toText, type Amount } from '../text.ts';

type Method = 'GET' | 'POST' | 'DELETE';

/** The most items that the venue gives in one page. */
const PAGE_MAX = 500;
/** Amounts in the ledger have at most so many decimals. */
const LEDGER_STEP = stepOf(18);

const PACE = 1.05;
const ATTEMPTS_MAX = 3;
const WAIT_MAX_MS = 2000;

/** `{items, nextCursor}`, as every list that can grow answers. */
interface Page {
  readonly items: Dict[];
  readonly nextCursor: string;
}

export class RialtoBase extends Exchange {
  /** The venue's address with its version, such as https://venue.example/v1. */
  declare baseUrl: string | undefined;

  override describe(): Dict {
    return this.deepExtend(super.describe(), DESCRIPTION);
  }

  override afterConstruct(): void {
    super.afterConstruct();
    if (this.baseUrl === undefined) return;
    const rest = this.baseUrl.replace(/\/+$/, '');
    this.urls['api'] = { rest, ws: `${rest.replace(/^http/, 'ws')}/ws`, ...this.urls['api'] };
  }

  /** A little slower than the limit: requests that the network pushes together would be one too many. */
  override initRestRateLimiter(): void {
    const { rateLimit = 0 } = this;
    if (rateLimit > 0)
      this.tokenBucket = { refillRate: 1 / (rateLimit * PACE), ...this.tokenBucket };
    super.initRestRateLimiter();
  }

  /** Where the venue is; everybody runs their own, so there is no default. */
  protected address(kind: 'rest' | 'ws'): string {
    const address: Str = this.safeString(this.urls['api'], kind);
    if (address === undefined) {
      throw new ArgumentsRequired(
        `${this.id} needs the address of a venue: new rialto({ baseUrl: 'https://venue.example/v1' }).`,
      );
    }
    return address;
  }

  /** The venue's time, as far as it is known. */
  override nonce(): number {
    return this.milliseconds() - (this.safeInteger(this.options, 'timeDifference', 0) ?? 0);
  }

  override sign(
    path: string,
    api: string = 'public',
    method: string = 'GET',
    params: Dict = {},
    headers: Dict = {},
    body?: Str,
  ): Dict {
    const url = `${this.address('rest')}/${api}/${path}`;
    const sent = toWire(params) as Params;
    if (api === 'public') {
      const query = toSignedText(sent);
      return { url: query === '' ? url : `${url}?${query}`, method, body, headers };
    }
    this.checkRequiredCredentials();
    const isWrite = method !== 'GET';
    const all = toWire({
      ...sent,
      timestamp: this.nonce(),
      recvWindow: this.options['recvWindow'],
      // Two equal writes within one millisecond would otherwise be one signature, used twice.
      nonce: isWrite ? this.uuid22() : undefined,
    }) as Params;
    const text = toSignedText(all);
    const isBound = this.options['boundSignatures'] === true;
    const signed = isBound ? `${method}\n${new URL(url).pathname}\n${text}` : text;
    const signedHeaders = {
      ...headers,
      'X-SVC-APIKEY': this.apiKey,
      'X-SVC-SIGNATURE': signText(signed, this.secret),
      ...(isBound ? { 'X-SVC-SIGNATURE-VERSION': '2' } : {}),
    };
    if (method !== 'POST') return { url: `${url}?${text}`, method, body, headers: signedHeaders };
    return {
      url,
      method,
      body: JSON.stringify(all),
      headers: { ...signedHeaders, 'Content-Type': 'application/json' },
    };
  }

  override handleErrors(
    _status: number,
    _reason: string,
    _url: string,
    _method: string,
    _headers: Dict,
    _body: string,
    response: unknown,
  ): undefined {
    const error = this.safeDict(response, 'error') as VenueError | undefined;
    if (error !== undefined) throw toException(this.id, error);
    return undefined;
  }

  /**
   * Sends a request, and returns the result from its envelope. A request that came too early was not done: with the
   * library's rate limiter on, it is sent again when the venue says.
   */
  protected async ask<T = Dict>(method: Method, path: string, params: Dict = {}): Promise<T> {
    const [, api, ...rest] = path.split('/');
    for (let attempt = 1; ; attempt += 1) {
      try {
        const answer = await this.request(rest.join('/'), api, method, params);
        return (answer as { result: T }).result;
      } catch (error) {
        const waitMs = this.enableRateLimit ? retryAfterMs(error) : undefined;
        if (waitMs === undefined || attempt === ATTEMPTS_MAX) throw error;
        await this.sleep(Math.min(waitMs, WAIT_MAX_MS));
      }
    }
  }

  /**
   * Reads a list by its pages until `limit` items are there: from the oldest if `since` is given, and otherwise the newest
   * ones. Answers oldest first. The item that was read last has `nextCursor` if more follow; `params.cursor` goes on
   * there, with the same other parameters.
   */
  protected async askPages(path: string, since: Int, limit: Int, params: Dict): Promise<Dict[]> {
    const { paginate = false, paginationCalls, until, ...given } = params;
    const sort: string = given['sort'] ?? (since === undefined ? 'desc' : 'asc');
    const query = { ...given, from: since, to: until === undefined ? undefined : until + 1, sort };
    const most: number = limit ?? (paginate ? Number.MAX_SAFE_INTEGER : 0);
    const callsMax: number = paginationCalls ?? this.options['paginationCalls'];
    const items: Dict[] = [];
    let cursor: Str = given['cursor'];
    for (let calls = 0; calls < callsMax; calls += 1) {
      // Without a limit, the venue's own number for one page.
      const size = most === 0 ? undefined : Math.min(PAGE_MAX, most - items.length);
      const page = await this.ask<Page>('GET', path, { ...query, cursor, limit: size });
      items.push(...page.items);
      cursor = page.nextCursor === '' ? undefined : page.nextCursor;
      const last = items.at(-1);
      if (cursor === undefined || last === undefined || items.length >= most) break;
    }
    const last = items.pop();
    if (last !== undefined) {
      items.push(cursor === undefined ? last : { ...last, nextCursor: cursor });
    }
    return sort === 'asc' ? items : items.reverse();
  }

  /** Volumes are cut, as everywhere in the library: an order is never larger than it was asked for. */
  override amountToPrecision(symbol: Str, amount: Amount): string {
    return this.checkedAmount(symbol, 'amount', cutToStep(amount, this.stepOf(symbol, 'amount')));
  }

  override priceToPrecision(symbol: Str, price: Amount): string {
    return this.checkedAmount(symbol, 'price', roundToStep(price, this.stepOf(symbol, 'price')));
  }

  /** The venue takes totals with every decimal of its ledger. */
  override costToPrecision(_symbol: Str, cost: Amount): string {
    return cutToStep(cost, LEDGER_STEP);
  }

  override currencyToPrecision(code: Str, amount: Amount, network?: Str): string {
    const currency = this.currency(code);
    const step = network === undefined ? undefined : currency.networks[network]?.precision;
    return cutToStep(amount, step ?? currency.precision ?? LEDGER_STEP);
  }

  private stepOf(symbol: Str, of: 'amount' | 'price'): Amount {
    return this.market(symbol).precision[of] ?? LEDGER_STEP;
  }

  private checkedAmount(symbol: Str, of: 'amount' | 'price', text: string): string {
    if (!/[1-9]/.test(text)) {
      throw new ArgumentsRequired(
        `${this.id} ${of} of ${symbol} must be at least one step, ${toText(this.stepOf(symbol, of))}.`,
      );
    }
    return text;
  }
}
