// What the venue of `demo --chains` lists: the coins of its chains, and the markets between them.
import type { Coin, Network } from '../../../server/src/trading/coins/coin.ts';
import { COINS } from '../data/coins.ts';
import { MARKETS } from '../data/markets.ts';
import { toCoin, type Venue } from '../world.ts';
import { CONFIRMATIONS } from './mine.ts';
import { NETWORKS, type ChainCoin } from './pay.ts';

/** Of Litecoin's chain for tests. */
const REGTEST_ADDRESS = '^(rltc1[ac-hj-np-z02-9]{11,71}|[mn2Q][1-9A-HJ-NP-Za-km-z]{25,34})$';

export function chainsVenue(token: string): Venue {
  const markets = MARKETS.filter(({ base, quote }) => base in NETWORKS && quote in NETWORKS);
  return {
    coins: COINS.filter(({ symbol }) => symbol in NETWORKS).map((coin) =>
      onItsChain(toCoin(coin), token),
    ),
    markets: markets.map((market) => ({ ...market, phase: 'continuous' })),
    // What traders have comes over the chains, once the server runs.
    funds: undefined,
  };
}

function onItsChain({ networks, ...coin }: Coin, token: string): Coin {
  const name = NETWORKS[coin.symbol as ChainCoin];
  const terms = networks[name];
  if (terms === undefined) throw new Error(`The demo's ${coin.symbol} is not on ${name}.`);
  const here: Network = {
    ...terms,
    isDefault: true,
    // No explorer knows these chains.
    addressUrl: 'https://explorer.example/address/{address}',
    transactionUrl: 'https://explorer.example/tx/{txid}',
    contractAddressUrl: '',
    contractAddress: terms.contractAddress === '' ? '' : token,
    DepositConfirmationCount: String(CONFIRMATIONS),
    ...(name === 'LTC' && { addressRegex: REGTEST_ADDRESS }),
  };
  return { ...coin, networks: { [name]: here } };
}
