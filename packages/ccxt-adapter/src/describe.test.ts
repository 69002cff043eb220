// What the adapter says of the venue, against what the venue says of itself.
import { readFileSync } from 'node:fs';
import { BadRequest, BaseError } from 'ccxt';
import { expect, it } from 'vitest';
import { METHODS } from './describe.ts';
import { EXCEPTIONS, toException } from './errors.ts';
import { pro, rialto } from './index.ts';

interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: {
      readonly ErrorEnvelope: {
        readonly properties: { readonly error: { readonly properties: { readonly code: Codes } } };
      };
    };
  };
}
interface Operation {
  readonly security?: readonly Readonly<Record<string, unknown>>[];
}
interface Codes {
  readonly enum: readonly string[];
}

const contract = JSON.parse(
  readFileSync(new URL('../../../contracts/trading.openapi.json', import.meta.url), 'utf8'),
) as Contract;

it('every error of the venue is an exception of the library, and there are no other codes', () => {
  const codes = contract.components.schemas.ErrorEnvelope.properties.error.properties.code.enum;
  expect(Object.keys(EXCEPTIONS).toSorted()).toEqual([...codes].toSorted());
  for (const code of codes) {
    const error = toException('rialto', { code, name: 'NAME', message: 'What to do.' });
    expect(error).toBeInstanceOf(BaseError);
    expect(error.message).toContain('What to do.');
  }
});

it('an error that came later than this version is still an exception, with what the venue said', () => {
  const error = toException('rialto', {
    code: '8001',
    name: 'LATER',
    message: 'Something new.',
    details: { hint: 'x' },
  });
  expect(error.message).toBe('rialto 8001 LATER: Something new. {"hint":"x"}');
  expect(error).toBeInstanceOf(BaseError);
  expect(error).not.toBeInstanceOf(BadRequest);
});

it('`has` is true for exactly what the venue serves', () => {
  const { has } = new rialto();
  for (const [method, paths] of Object.entries(METHODS)) {
    const isServed = paths.every((path) => contract.paths[path] !== undefined);
    expect([method, has[method]]).toEqual([method, isServed]);
    expect(typeof rialto.prototype[method as keyof rialto], method).toBe('function');
  }
});

/** Only a browser's session may use these. */
const OF_SESSIONS =
  /^\/(private\/(api_key\/|wallet\/withdraw_(confirm|address_(add|remove))$)|streams\/)/;

it('every path that a key may use has an implicit method', () => {
  const venue = new rialto() as unknown as { api: Record<string, Record<string, object>> };
  for (const [path, operations] of Object.entries(contract.paths)) {
    if (OF_SESSIONS.test(path)) continue;
    const [, api = '', ...rest] = path.split('/');
    for (const method of Object.keys(operations)) {
      expect(Object.keys(venue.api[api]?.[method] ?? {}), path).toContain(rest.join('/'));
    }
  }
});

it('the streams are an exchange of their own, with everything of the other', () => {
  const [rest, streams] = [new rialto(), new pro.rialto()];
  expect([rest.pro, streams.pro]).toEqual([false, true]);
  expect(streams).toBeInstanceOf(rialto);
  for (const [method, isThere] of Object.entries(streams.has)) {
    if (!/^(watch|unWatch)|Ws$/.test(method) || isThere !== true) continue;
    if (method === 'createMarketOrderWs') continue; // The library's own.
    expect(Object.hasOwn(protoOf(streams, method), method), method).toBe(true);
  }
});

/** The class of this package that has the method. */
function protoOf(of: object, method: string): object {
  let proto = Object.getPrototypeOf(of) as object;
  while (!Object.hasOwn(proto, method)) proto = Object.getPrototypeOf(proto) as object;
  return Object.getPrototypeOf(rialto.prototype) === proto ? {} : proto;
}

it('asks for the address of a venue, and takes one with or without a slash', () => {
  expect(() => new rialto().sign('time')).toThrow("new rialto({ baseUrl: 'https://");
  for (const baseUrl of ['https://venue.example/v1', 'https://venue.example/v1/']) {
    const venue = new rialto({ baseUrl });
    expect(venue.sign('time').url).toBe('https://venue.example/v1/public/time');
    expect(venue.urls['api'].ws).toBe('wss://venue.example/v1/ws');
  }
});
