// Pays on the chains of `demo --chains`, as somebody outside of the venue does.
import { CommandError } from '../../../server/src/ops/trouble.ts';
import { parseAmount } from '../../../server/src/trading/amount.ts';
import { toChainUnits } from '../../../server/src/trading/custody/chains/units.ts';
import { openRpc } from '../../../server/src/trading/custody/chains/rpc.ts';
import { words } from '../../../server/src/testing/chains/anvil.ts';

export const DECIMALS = { ltc: 8, eth: 18, usdt: 6 } as const;
/** The network of each coin. */
export const NETWORKS = { ltc: 'LTC', eth: 'ETH', usdt: 'ETH' } as const;
export type ChainCoin = keyof typeof DECIMALS;

/** The transfer of an ERC-20 token. */
const TRANSFER = '0xa9059cbb';
const GAS = '0x20000';

/** `environment` as the demo printed it. Returns the id of the transaction. */
export async function payOnChain(
  environment: Readonly<Record<string, string | undefined>>,
  coin: ChainCoin,
  address: string,
  amount: string,
): Promise<string> {
  const given = (name: string): string => {
    const value = environment[name];
    if (value === undefined) {
      throw new CommandError(`${name} is not set. Paste the lines that the demo printed first.`);
    }
    return value;
  };
  const units = toChainUnits(parseAmount(amount) ?? 0n, DECIMALS[coin]) ?? 0n;
  if (units === 0n) {
    throw new CommandError(
      `The amount must be a decimal number above zero with at most ${DECIMALS[coin]} decimals; ${amount} came.`,
    );
  }
  if (coin === 'ltc') {
    return String(await openRpc(given('DEMO_LTC_NODE'))('sendtoaddress', [address, amount]));
  }
  const what =
    coin === 'eth'
      ? { to: address, value: `0x${units.toString(16)}` }
      : {
          to: given('DEMO_USDT_CONTRACT'),
          data: `${TRANSFER}${words(address, units).slice(2)}`,
        };
  const transaction = { from: given('DEMO_ETH_PAYER'), gas: GAS, ...what };
  return String(await openRpc(given('DEMO_ETH_NODE'))('eth_sendTransaction', [transaction]));
}
