import { Type } from 'typebox';
import { tradingRoute } from '../../http/route.ts';
import { CoinSymbol } from '../../values.ts';
import { accessDepositPlace } from './access.ts';
import { createDepositAddress, takeDepositAddress } from './actions.ts';
import { DepositAddress, NetworkSymbol, toDepositAddress } from './shapes.ts';

const PARAMS = Type.Object({ coin: CoinSymbol, network: Type.Optional(NetworkSymbol) });

export const getDepositAddress = tradingRoute({
  name: 'privateWalletDepositAddress',
  method: 'GET',
  path: '/private/wallet/deposit_address',
  access: 'read',
  summary:
    'Where the account gets a coin from outside; the first call makes the address. All coins of one network share it. Without `network`, the default network of the coin.',
  params: PARAMS,
  returns: DepositAddress,
  errors: ['UNKNOWN_COIN', 'UNKNOWN_NETWORK', 'DEPOSIT_NOT_ACTIVE'],
  async handle(ctx, { account }, asked) {
    const place = await accessDepositPlace(ctx, asked);
    return toDepositAddress(place, await takeDepositAddress(ctx, place.own, account.id));
  },
});

export const postDepositAddress = tradingRoute({
  name: 'privateWalletCreateDepositAddress',
  method: 'POST',
  path: '/private/wallet/create_deposit_address',
  access: 'read',
  audit: { none: 'own deposit addresses' },
  summary:
    'A fresh deposit address of the account; old ones stay valid. Without `network`, the default network of the coin.',
  params: PARAMS,
  returns: DepositAddress,
  errors: ['UNKNOWN_COIN', 'UNKNOWN_NETWORK', 'DEPOSIT_NOT_ACTIVE', 'ADDRESS_LIMIT'],
  async handle(ctx, { account }, asked) {
    const place = await accessDepositPlace(ctx, asked);
    return toDepositAddress(place, await createDepositAddress(ctx, place.own, account.id));
  },
});
