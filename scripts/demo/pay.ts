// `npm run demo:pay -- ltc|eth|usdt ADDRESS AMOUNT`: pays to a deposit address of `demo --chains`.
import { CommandError, explain } from '../../server/src/ops/trouble.ts';
import { DECIMALS, payOnChain, type ChainCoin } from './chains/pay.ts';

const USAGE = 'npm run demo:pay -- ltc|eth|usdt ADDRESS AMOUNT';

try {
  const [coin = '', address, amount, ...more] = process.argv.slice(2);
  if (!(coin in DECIMALS) || address === undefined || amount === undefined || more.length > 0) {
    throw new CommandError(USAGE);
  }
  console.log(await payOnChain(process.env, coin as ChainCoin, address, amount));
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}
