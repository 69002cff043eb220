import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { send } from '../../testing/trader.ts';
import { exampleVenue } from '../../testing/venue.ts';
import type { Coin } from './coin.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ settings: { TRADING_RATE_LIMIT: '100000' } });
  await exampleVenue(server.ctx);
});
afterAll(() => server.close());

const coinsInfo = (query = '') => send(`${server.baseUrl}/public/coins_info${query}`);
const coins = async (query = '') => (await coinsInfo(query)).body.result as Coin[];

const TETHER_ON_ETHEREUM = {
  NetworkSymbol: 'ETH',
  NetworkNameEn: 'Ethereum',
  NetworkNameFa: 'اتریوم',
  isDefault: true,
  tokenNameOnNetwork: 'Tether USD',
  tokenSymbolOnNetwork: 'USDT',
  addressUrl: 'https://explorer.example/eth/address/{address}',
  contractAddressUrl:
    'https://explorer.example/eth/token/0x00000000000000000000000000000000000000aa',
  transactionUrl: 'https://explorer.example/eth/tx/{txid}',
  contractAddress: '0x00000000000000000000000000000000000000aa',
  memoRequired: false,
  memoRegex: '',
  addressRegex: '^0x[0-9a-fA-F]{40}$',
  tokenDecimal: '6',
  depositFee: '0',
  withdrawFee: '3',
  depositStatus: 'active',
  withdrawStatus: 'active',
  minimumDeposit: '1',
  minimumWithdraw: '10',
  DepositConfirmationCount: '12',
  withdrawPrecision: '6',
};

describe('coins_info', () => {
  it('a coin has two names and a map of networks [T020] [T021] [T022] [T023] [T057]', async () => {
    const { status, body } = await coinsInfo('?symbol=usdt');
    expect(status).toBe(200);
    expect(body.status).toBe('true');
    const [tether] = body.result as Coin[];
    expect(Object.keys(tether ?? {})).toEqual(['symbol', 'nameEn', 'nameFa', 'networks']);
    expect(tether).toMatchObject({ symbol: 'usdt', nameEn: 'Tether', nameFa: 'تتر' });
    expect(Object.keys(tether?.networks ?? {})).toEqual(['ETH', 'TRX']);
  });

  it('a network has these twenty-two fields, capitals included [T007] [T024] [T025] [T026] [T027] [T028] [T029] [T030] [T031] [T032] [T033] [T034] [T035] [T036] [T037] [T038] [T039] [T040] [T041] [T042] [T043] [T044] [T045]', async () => {
    const [tether] = await coins('?symbol=usdt');
    expect(tether?.networks['ETH']).toEqual(TETHER_ON_ETHEREUM);
    expect(Object.keys(tether?.networks['ETH'] ?? {})).toEqual(Object.keys(TETHER_ON_ETHEREUM));
  });

  it('every network of every coin keeps the rules of its fields [T007] [T023] [T024] [T027] [T028] [T030] [T031] [T032] [T033] [T034] [T035] [T036] [T037] [T044] [T045]', async () => {
    const booleans = new Set(['isDefault', 'memoRequired']);
    const numbers = /Fee$|Deposit$|minimumWithdraw|Decimal|Count|Precision/;
    for (const coin of await coins()) {
      const networks = Object.entries(coin.networks);
      const defaults = networks.filter(([, network]) => network.isDefault);
      expect(defaults).toHaveLength(networks.length === 0 ? 0 : 1);
      for (const [symbol, network] of networks) {
        expect(network.NetworkSymbol).toBe(symbol);
        expect(symbol).toBe(symbol.toUpperCase());
        expect(network.addressUrl).toContain('{address}');
        expect(network.transactionUrl).toContain('{txid}');
        expect(network.contractAddressUrl).not.toContain('{');
        expect(() => new RegExp(network.addressRegex)).not.toThrow();
        expect(network.addressRegex).toMatch(/^\^.*\$$/);
        for (const [name, value] of Object.entries(network)) {
          expect(typeof value, name).toBe(booleans.has(name) ? 'boolean' : 'string');
          if (numbers.test(name)) expect(value, name).toMatch(/^\d+(\.\d*[1-9])?$/);
        }
      }
    }
  });

  it('an empty field is an empty text, never absent or null [T028] [T031] [T033] [T035]', async () => {
    const [bitcoin] = await coins('?symbol=btc');
    expect(bitcoin?.networks['BTC']).toMatchObject({
      tokenNameOnNetwork: '',
      tokenSymbolOnNetwork: 'BTC',
      contractAddress: '',
      contractAddressUrl: '',
      memoRegex: '',
    });
  });

  it('a memo is required where the network needs one [T034] [T035]', async () => {
    const [ripple] = await coins('?symbol=xrp');
    const network = ripple?.networks['XRP'];
    expect(network).toMatchObject({ memoRequired: true, memoRegex: '^[0-9]{1,10}$' });
    expect('104857').toMatch(new RegExp(network?.memoRegex ?? ''));
  });

  it('deposits and withdrawals have separate statuses [T040] [T041] [T051]', async () => {
    const [tether] = await coins('?symbol=usdt');
    const [ripple] = await coins('?symbol=xrp');
    expect(tether?.networks['TRX']).toMatchObject({
      depositStatus: 'active',
      withdrawStatus: 'paused',
    });
    expect(ripple?.networks['XRP']).toMatchObject({
      depositStatus: 'disabled',
      withdrawStatus: 'active',
    });
  });

  it('limits of a coin are data of its networks [T042] [T043] [T044] [T045] [T076]', async () => {
    const [bitcoin] = await coins('?symbol=btc');
    expect(bitcoin?.networks['BTC']).toMatchObject({
      minimumDeposit: '0.0001',
      minimumWithdraw: '0.001',
      withdrawPrecision: '8',
      DepositConfirmationCount: '2',
    });
  });

  it('a coin that is on no network has an empty map [T023]', async () => {
    const [toman] = await coins('?symbol=irt');
    expect(toman).toEqual({ symbol: 'irt', nameEn: 'Toman', nameFa: 'تومان', networks: {} });
  });

  it('the symbol is optional, in any letter case, and always gives a list [T057] [T061]', async () => {
    const all = await coins();
    expect(all.map(({ symbol }) => symbol)).toEqual(['btc', 'eth', 'irt', 'usdt', 'xrp']);
    expect(await coins('?symbol=')).toEqual(all);
    expect(await coins('?symbol=USDT')).toEqual(all.filter(({ symbol }) => symbol === 'usdt'));
  });

  it('an unknown coin is an error', async () => {
    const { status, body } = await coinsInfo('?symbol=Doge');
    expect(status).toBe(404);
    expect(body.error).toEqual({
      code: '4002',
      name: 'UNKNOWN_COIN',
      message: "No coin has the symbol 'doge'.",
      details: { parameter: 'symbol', value: 'doge' },
    });
    const { body: near } = await coinsInfo('?symbol=usd');
    expect(near.error).toMatchObject({
      message: "No coin has the symbol 'usd'. Did you mean 'usdt'?",
      details: { nearest: 'usdt' },
    });
  });

  it('a repeated symbol is refused', async () => {
    expect((await coinsInfo('?symbol=btc&symbol=btc')).body.error?.code).toBe('2005');
  });
});
