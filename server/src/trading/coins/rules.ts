// The rules for a coin's definition. Clients compile its expressions and fill in its URLs, so
// mistakes are refused here before clients meet them.
import { RE2JS } from 're2js';
import { Value } from 'typebox/value';
import { parseAmount } from '../amount.ts';
import { Coin, type Network } from './coin.ts';

const SYMBOL = /^[a-z0-9]{2,12}$/;
const NETWORK_SYMBOL = /^[A-Z0-9_]{2,16}$/;
const AMOUNTS = ['depositFee', 'withdrawFee', 'minimumDeposit', 'minimumWithdraw'] as const;
const NETWORKS_MAX = 50;
const TEXT_MAX = 500;

/** Everything that is wrong with `given`, in sentences; empty when it is a valid coin. */
export function findCoinProblems(given: unknown): string[] {
  if (!Value.Check(Coin, given)) {
    return Value.Errors(Coin, given)
      .slice(0, 10)
      .map(({ instancePath, message }) => `${instancePath.slice(1) || 'the coin'} ${message}.`);
  }
  const networks = Object.entries(given.networks);
  const problems: string[] = [];
  if (!SYMBOL.test(given.symbol)) {
    problems.push(`symbol must be 2 to 12 lower-case letters and digits, not "${given.symbol}".`);
  }
  for (const name of ['nameEn', 'nameFa'] as const) {
    if (given[name].trim() === '') problems.push(`${name} must not be empty.`);
  }
  if (networks.length > NETWORKS_MAX) {
    problems.push(`networks must be at most ${NETWORKS_MAX}, not ${networks.length}.`);
  }
  const defaults = networks.filter(([, network]) => network.isDefault).length;
  if (networks.length > 0 && defaults !== 1) {
    problems.push(`networks: exactly one must have isDefault, not ${defaults}.`);
  }
  for (const [key, network] of networks) {
    problems.push(...networkProblems(key, network).map((problem) => `networks.${key}.${problem}`));
  }
  return problems;
}

function networkProblems(key: string, network: Network): string[] {
  const problems: string[] = [];
  if (network.NetworkSymbol !== key || !NETWORK_SYMBOL.test(key)) {
    problems.push(
      `NetworkSymbol must be its own key, of 2 to 16 capital letters, digits and "_", not "${network.NetworkSymbol}".`,
    );
  }
  for (const [name, value] of Object.entries(network)) {
    if (typeof value === 'string' && value.length > TEXT_MAX) {
      problems.push(`${name} must have at most ${TEXT_MAX} characters.`);
    }
  }
  if (!network.addressUrl.includes('{address}')) {
    problems.push('addressUrl must hold {address}, where the address goes.');
  }
  if (!network.transactionUrl.includes('{txid}')) {
    problems.push('transactionUrl must hold {txid}, where the transaction id goes.');
  }
  for (const name of ['addressRegex', 'memoRegex'] as const) {
    const text = network[name];
    if (name === 'memoRegex' && text === '' && !network.memoRequired) continue;
    if (!text.startsWith('^') || !text.endsWith('$') || !compiles(text)) {
      problems.push(`${name} must be an expression from ^ to $ that compiles, not "${text}".`);
    }
  }
  for (const name of AMOUNTS) {
    if (parseAmount(network[name]) === undefined) {
      problems.push(`${name} must be a decimal number of zero or more, not "${network[name]}".`);
    }
  }
  const counts = [
    ['tokenDecimal', 24],
    ['withdrawPrecision', 18],
    ['DepositConfirmationCount', 1_000_000],
  ] as const;
  for (const [name, max] of counts) {
    const text = network[name];
    if (!/^\d{1,7}$/.test(text) || Number(text) > max) {
      problems.push(`${name} must be a whole number from 0 to ${max}, not "${text}".`);
    }
  }
  return problems;
}

/** For clients, and for us: what people send is matched in linear time, which knows fewer forms. */
function compiles(expression: string): boolean {
  try {
    RE2JS.compile(expression);
    return new RegExp(expression, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}
