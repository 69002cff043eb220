// Deposits and withdrawals. A venue whose money is simulated refuses them.
import type {
  Currency,
  CurrencyInterface,
  DepositAddress,
  DepositAddresses,
  Dict,
  Int,
  Str,
  Transaction,
} from 'ccxt';
import { toText, type Amount } from '../text.ts';
import { RialtoAccount } from './account.ts';

const DEPOSITS: Readonly<Record<string, string>> = {
  detected: 'pending',
  confirming: 'pending',
  held: 'pending',
  below_minimum: 'pending',
  credited: 'ok',
  orphaned: 'failed',
  rejected: 'failed',
  reversed: 'failed',
};

const WITHDRAWALS: Readonly<Record<string, string>> = {
  awaiting_confirmation: 'pending',
  awaiting_approval: 'pending',
  queued: 'pending',
  signing: 'pending',
  broadcasting: 'pending',
  confirming: 'pending',
  completed: 'ok',
  canceled: 'canceled',
  rejected: 'failed',
  failed: 'failed',
};

export class RialtoWallet extends RialtoAccount {
  override async fetchDepositAddress(code: string, params: Dict = {}): Promise<DepositAddress> {
    return this.askAddress('GET', 'deposit_address', code, params);
  }

  override async createDepositAddress(code: string, params: Dict = {}): Promise<DepositAddress> {
    return this.askAddress('POST', 'create_deposit_address', code, params);
  }

  private async askAddress(
    method: 'GET' | 'POST',
    path: string,
    code: string,
    params: Dict,
  ): Promise<DepositAddress> {
    await this.loadMarkets();
    const currency = this.currency(code);
    const request = { coin: currency.id, ...params };
    const address = await this.ask(method, `/private/wallet/${path}`, request);
    return this.parseDepositAddress(address, currency);
  }

  /** One address of each network that takes deposits now. */
  override async fetchDepositAddressesByNetwork(
    code: string,
    params: Dict = {},
  ): Promise<DepositAddresses> {
    await this.loadMarkets();
    const addresses: Record<string, DepositAddress> = {};
    for (const [name, { deposit }] of Object.entries(this.networksOf(this.currency(code)))) {
      if (deposit !== true) continue;
      addresses[name] = await this.fetchDepositAddress(code, { network: name, ...params });
    }
    return addresses;
  }

  private networksOf({ networks }: CurrencyInterface): Record<string, { deposit?: unknown }> {
    return networks as Record<string, { deposit?: unknown }>;
  }

  override parseDepositAddress(info: Dict, currency?: Currency): DepositAddress {
    return {
      currency: this.safeCurrencyCode(info['coin'], currency),
      network: info['network'],
      address: info['address'],
      tag: this.safeString(info, 'memo'),
      info,
    };
  }

  override async fetchDeposits(
    code?: Str,
    since?: Int,
    limit?: Int,
    params: Dict = {},
  ): Promise<Transaction[]> {
    return this.askTransactions('/private/wallet/deposits', code, since, limit, params);
  }

  override async fetchWithdrawals(
    code?: Str,
    since?: Int,
    limit?: Int,
    params: Dict = {},
  ): Promise<Transaction[]> {
    return this.askTransactions('/private/wallet/withdrawals', code, since, limit, params);
  }

  private async askTransactions(
    path: string,
    code: Str,
    since: Int,
    limit: Int,
    params: Dict,
  ): Promise<Transaction[]> {
    await this.loadMarkets();
    const query = { coin: code === undefined ? undefined : this.currency(code).id, ...params };
    const items = await this.askPages(path, since, limit, query);
    return items.map((item) => this.parseTransaction(item));
  }

  /** Both, by time. With a limit, the first ones since the beginning that was given, or else the last ones. */
  override async fetchDepositsWithdrawals(
    code?: Str,
    since?: Int,
    limit?: Int,
    params: Dict = {},
  ): Promise<Transaction[]> {
    const deposits = await this.fetchDeposits(code, since, limit, params);
    const withdrawals = await this.fetchWithdrawals(code, since, limit, params);
    const both = this.sortBy([...deposits, ...withdrawals], 'timestamp') as Transaction[];
    return this.filterBySinceLimit(both, since, limit) as Transaction[];
  }

  override async withdraw(
    code: string,
    amount: Amount,
    address: string,
    tag?: Str,
    params: Dict = {},
  ): Promise<Transaction> {
    await this.loadMarkets();
    const currency = this.currency(code);
    const withdrawal = await this.ask('POST', '/private/wallet/withdraw', {
      coin: currency.id,
      amount: toText(amount),
      address,
      memo: tag,
      // A repeated request is one withdrawal.
      clientWithdrawId: this.uuid(),
      ...params,
    });
    return this.parseTransaction(withdrawal, currency);
  }

  override parseTransaction(info: Dict, currency?: Currency): Transaction {
    const isDeposit = info['depositId'] !== undefined;
    const code = this.safeCurrencyCode(info['coin'], currency);
    const timestamp = this.safeInteger(info, isDeposit ? 'detectedAt' : 'createdAt');
    const address = this.safeString(info, 'address');
    const tag = this.safeString(info, 'memo');
    return {
      id: info['depositId'] ?? info['withdrawId'],
      txid: this.safeString(info, 'txid'),
      timestamp,
      datetime: this.iso8601(timestamp),
      updated: this.safeInteger(info, 'updatedAt'),
      address,
      addressTo: address,
      addressFrom: undefined,
      tag,
      tagTo: tag,
      tagFrom: undefined,
      type: isDeposit ? 'deposit' : 'withdrawal',
      amount: this.safeNumber(info, 'amount'),
      currency: code,
      status: (isDeposit ? DEPOSITS : WITHDRAWALS)[info['status']],
      fee: { cost: this.safeNumber(info, 'fee'), currency: code },
      network: info['network'],
      comment: this.safeString(info, 'note'),
      internal: info['isInternal'],
      info,
    };
  }
}
