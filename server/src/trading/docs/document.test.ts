import { crc32 } from 'node:zlib';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { amountFromNumeric } from '../amount.ts';
import { tradingRoute } from '../http/route.ts';
import { ROUTES } from '../routes.ts';
import { buildDocument, errorsOf } from './document.ts';

import { EXAMPLES } from './examples.ts';
import { exampleOf } from './test-example.ts';

const write = tradingRoute({
  name: 'testWrite',
  method: 'POST',
  path: '/private/test/write',
  access: 'trade',
  audit: { none: 'own orders' },
  summary: 'Writes <b>nothing</b>.',
  params: Type.Object({
    side: Type.Union([Type.Literal('buy'), Type.Literal('sell')], { description: 'Which side.' }),
  }),
  returns: Type.Object({ done: Type.Boolean() }),
  errors: ['MARKET_CLOSED'],
  handle: () => ({ done: true }),
});
const document = buildDocument([...ROUTES, write], 'https://venue.example/v1');
const plain = JSON.parse(JSON.stringify(document)) as typeof document;

interface Operation {
  operationId: string;
  tags: string[];
  security: object[];
  parameters?: { name: string; in: string; required: boolean; schema: object }[];
  requestBody?: { content: Record<string, { schema: { properties: object } }> };
  responses: Record<
    string,
    { description: string; content: { 'application/json': { schema: object; example?: unknown } } }
  >;
}
const operation = (path: string, method = 'get') => plain.paths[path]?.[method] as Operation;

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1 [T053] [T078]', async () => {
    const validator = new Validator();
    const result = await validator.validate(plain as unknown as Record<string, unknown>);
    expect(result.errors).toBeUndefined();
    expect(result.valid).toBe(true);
    expect(validator.version).toBe('3.1');
  });

  it('has the title, the version and the address [T053] [T078]', () => {
    expect(plain.openapi).toBe('3.1.0');
    expect(plain.info).toMatchObject({ title: 'Trading Service API', version: '1.0.0' });
    expect(plain.servers).toEqual([{ url: 'https://venue.example/v1' }]);
  });

  it('describes every parameter and every error of a public endpoint [T058] [T062]', () => {
    const { operationId, parameters, responses, security } = operation('/public/orderbook');
    expect(operationId).toBe('publicOrderbook');
    expect(security).toEqual([]);
    expect(parameters).toMatchObject([
      { name: 'symbol', in: 'query', required: true, schema: { type: 'string' } },
      {
        name: 'limit',
        required: false,
        schema: { type: 'string', pattern: expect.any(String) as string },
      },
    ]);
    expect(Object.keys(responses)).toEqual(['200', '400', '404', '429', '500', '503']);
    expect(responses['404']?.description).toBe('4001 UNKNOWN_SYMBOL');
    expect(responses['429']?.description).toBe('6001 RATE_LIMITED');
    expect(JSON.stringify(responses['200'])).toContain('#/components/schemas/OrderBook');
    expect(JSON.stringify(responses['400'])).toContain('#/components/schemas/ErrorEnvelope');
  });

  it('describes what a signed request needs [T064] [T065] [T066] [T069]', () => {
    const { parameters, responses, security } = operation('/private/account/balances');
    expect(security).toEqual([{ apiKey: [], signature: [] }]);
    expect(parameters?.map(({ name }) => name)).toEqual([
      'coin',
      'omitZero',
      'timestamp',
      'recvWindow',
      'nonce',
      'X-SVC-SIGNATURE-VERSION',
    ]);
    expect(Object.keys(responses)).toEqual(
      expect.arrayContaining(['400', '401', '403', '404', '409', '429']),
    );
    expect(plain.components.securitySchemes).toMatchObject({
      apiKey: { type: 'apiKey', in: 'header', name: 'X-SVC-APIKEY' },
      signature: { type: 'apiKey', in: 'header', name: 'X-SVC-SIGNATURE' },
    });
    const { requestBody, responses: answers } = operation('/private/test/write', 'post');
    expect(Object.keys(requestBody?.content ?? {})).toEqual([
      'application/json',
      'application/x-www-form-urlencoded',
    ]);
    expect(answers['409']?.description).toContain('4004 MARKET_CLOSED');
    expect(Object.keys(answers)).toEqual(expect.arrayContaining(['413', '415']));
  });

  it('declares every number as a text with a pattern, in bodies and in queries', () => {
    for (const [path, methods] of Object.entries(plain.paths)) {
      for (const one of Object.values(methods)) {
        const { parameters, requestBody } = one as Operation;
        const sent = JSON.stringify([parameters, requestBody]);
        expect(/"type":"(integer|number)"/.test(sent), path).toBe(false);
      }
    }
    const order = operation('/private/order/create', 'post').requestBody?.content;
    expect(order?.['application/json']?.schema.properties).toMatchObject({
      expireTime: { type: 'string', pattern: expect.any(String) as string },
      recvWindow: { type: 'string', description: expect.stringContaining('60000') as string },
    });
  });

  it('describes the version of a signature wherever one is read, and nowhere else', () => {
    for (const [path, methods] of Object.entries(plain.paths)) {
      for (const one of Object.values(methods)) {
        const { parameters = [] } = one as Operation;
        const versions = parameters.filter(({ name }) => name === 'X-SVC-SIGNATURE-VERSION');
        const isSigned =
          !path.startsWith('/public/') && !(one as Operation).tags.includes('Session');
        expect(versions, path).toMatchObject(
          !isSigned ? [] : [{ in: 'header', required: false, schema: { enum: ['1', '2'] } }],
        );
      }
    }
  });

  it('lists 2001 and 2003 where they can occur, and nowhere else', () => {
    const listing = (code: string) =>
      [...ROUTES]
        .filter((route) => errorsOf(route).some((entry) => entry.code === code))
        .map(({ method, path }) => `${method} ${path}`)
        .filter((name) => code === '2001' || name.includes('/public/'))
        .sort();
    expect(listing('2001')).toEqual([
      'DELETE /private/api_key/delete',
      'DELETE /private/order/cancel',
      'DELETE /private/order_list/cancel',
      'DELETE /private/sub_account/close',
      'DELETE /private/wallet/withdraw_address_remove',
      'DELETE /private/wallet/withdraw_cancel',
      'GET /private/account/statement',
      'GET /private/order/get',
      'GET /private/order/receipt',
      'GET /private/order_list/get',
      'GET /private/wallet/deposit_address',
      'GET /private/wallet/withdraw_quote',
      'GET /public/auction',
      'GET /public/candlesticks',
      'GET /public/depth',
      'GET /public/last_trades',
      'GET /public/orderbook',
      'GET /public/reserve_addresses',
      'POST /private/api_key/create',
      'POST /private/api_key/rotate',
      'POST /private/api_key/update',
      'POST /private/order/amend',
      'POST /private/order/cancel_all_after',
      'POST /private/order/cancel_batch',
      'POST /private/order/create',
      'POST /private/order/create_batch',
      'POST /private/order/limit/buy',
      'POST /private/order/limit/sell',
      'POST /private/order/market/buy',
      'POST /private/order/market/sell',
      'POST /private/order/replace',
      'POST /private/order/stoplimit/buy',
      'POST /private/order/stoplimit/sell',
      'POST /private/order/test',
      'POST /private/order_list/create_bracket',
      'POST /private/order_list/create_oco',
      'POST /private/sub_account/create',
      'POST /private/sub_account/transfer',
      'POST /private/sub_account/update',
      'POST /private/wallet/create_deposit_address',
      'POST /private/wallet/withdraw',
      'POST /private/wallet/withdraw_address_add',
      'POST /private/wallet/withdraw_confirm',
    ]);
    // Every private request may carry `recvWindow`, which has a range.
    expect(listing('2003')).toEqual([
      'GET /public/candlesticks',
      'GET /public/depth',
      'GET /public/event_log',
      'GET /public/event_log/checkpoint',
      'GET /public/event_log/head',
      'GET /public/last_trades',
      'GET /public/orderbook',
      'GET /public/reserve_addresses',
    ]);
  });

  it('names operations once each', () => {
    const ids = Object.values(plain.paths).flatMap((methods) =>
      Object.values(methods).map((one) => (one as Operation).operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(ROUTES.length + 1);
  });

  it('shows a recorded answer of nearly every operation', () => {
    const without = Object.values(plain.paths)
      .flatMap((methods) => Object.values(methods) as Operation[])
      .filter(
        ({ responses }) => responses['200']?.content['application/json'].example === undefined,
      )
      .map(({ operationId }) => operationId);
    expect(
      without.filter(
        (id) => !/ApiKey|Swagger|streamsTicket|testWrite|privateWallet|Reserve/.test(id),
      ),
    ).toEqual([]);
    const ticker = operation('/public/tickers').responses['200']?.content['application/json'];
    expect(ticker?.example).toMatchObject({ result: [{ symbol: 'btcusdt' }] });
  });

  it('its schemas accept the examples made from them', () => {
    const ajv = new Ajv2020({ strict: false });
    ajv.addSchema({ $id: 'document', components: plain.components });
    for (const [path, methods] of Object.entries(plain.paths)) {
      for (const [method, one] of Object.entries(methods)) {
        const { schema } = (one as Operation).responses['200']?.content['application/json'] ?? {};
        const example = exampleOf(schema, plain);
        const located = JSON.parse(
          JSON.stringify(schema).replaceAll('"#/', '"document#/'),
        ) as object;
        const validate = ajv.compile(located);
        expect(validate(example), `${method} ${path} ${JSON.stringify(validate.errors)}`).toBe(
          true,
        );
      }
    }
  });
});

describe('the examples', () => {
  const { schemas } = plain.components;
  const units = (value: unknown) => amountFromNumeric(String(value));
  const of = (title: string) => EXAMPLES[title] as Record<string, unknown>;

  it('exist for every resource, with every field of it and no other', () => {
    for (const [title, schema] of Object.entries(schemas)) {
      if (title === 'Envelope' || title === 'ErrorEnvelope') continue;
      const { properties, examples } = schema as { properties: object; examples?: object[] };
      expect(Object.keys(examples?.[0] ?? {}), title).toEqual(Object.keys(properties));
    }
  });

  it('add up: prices times volumes, fees, sums and differences', () => {
    const COIN = 10n ** 18n;
    for (const title of ['PublicTrade', 'MyTrade']) {
      const { price, volume, total } = of(title);
      expect((units(price) * units(volume)) / COIN, title).toBe(units(total));
    }
    const trade = of('MyTrade');
    expect((units(trade['volume']) * units(trade['feeRate'])) / COIN).toBe(units(trade['fee']));
    const order = of('Order');
    expect(units(order['filledVolume']) + units(order['remainingVolume'])).toBe(
      units(order['volume']),
    );
    expect(order).toMatchObject({ filledTotal: trade['total'], fee: trade['fee'] });
    const balance = of('Balance');
    expect(units(balance['available']) + units(balance['hold'])).toBe(units(balance['total']));
    const entry = of('LedgerEntry');
    expect(units(entry['balanceBefore']) - units(entry['amount'])).toBe(
      units(entry['balanceAfter']),
    );
    const ticker = of('Ticker');
    expect(units(ticker['last']) - units(ticker['open'])).toBe(units(ticker['change']));
    expect(units(ticker['bidPrice'])).toBeLessThan(units(ticker['askPrice']));
    const { bids, asks, checksum } = of('Depth') as {
      bids: { price: string; volume: string }[];
      asks: typeof bids;
      checksum: string;
    };
    const levels = bids.flatMap((bid, index) => [bid, asks[index] as typeof bid]);
    const text = levels.map(({ price, volume }) => `${price}:${volume}`).join(':');
    expect(checksum).toBe(String(crc32(text)));
    for (const title of ['Market', 'MarketDetail']) {
      const { symbol, base, quote } = of(title) as Record<string, string>;
      expect(symbol).toBe(`${base}${quote}`);
    }
    for (const title of ['MarketDetail', 'FeeTier', 'AccountInfo', 'AccountFee']) {
      expect(units(of(title)['makerFee']), title).toBeLessThan(COIN / 100n);
    }
  });
});
