// Balances, fees, the ledger, and moves between own accounts.
import type {
  Account,
  Balances,
  Currency,
  Dict,
  Int,
  LedgerEntry,
  Market,
  Str,
  TradingFeeInterface,
  TradingFees,
  TransferEntry,
} from 'ccxt';
import { Precise } from 'ccxt';
import { toText, type Amount } from '../text.ts';
import { RialtoOrders } from './orders.ts';

/** The library's words for what the ledger books; the venue's own word is `info.kind`. */
const LEDGER_TYPES: Readonly<Record<string, string>> = {
  trade: 'trade',
  trade_fee: 'fee',
  transfer: 'transfer',
  rebate: 'cashback',
  deposit: 'transaction',
  withdrawal: 'transaction',
  withdrawal_fee: 'fee',
  adjustment: 'transaction',
};

export class RialtoAccount extends RialtoOrders {
  override async fetchBalance(params: Dict = {}): Promise<Balances> {
    await this.loadMarkets();
    return this.parseBalance(await this.ask('GET', '/private/account/balances', params));
  }

  override parseBalance(info: Dict[]): Balances {
    const balances = info.map((balance) => [
      this.safeCurrencyCode(balance['coin']),
      this.toBalance(balance),
    ]);
    return this.safeBalance({ info, ...Object.fromEntries(balances) });
  }

  /** What waits for a withdrawal is still the account's, and not free. */
  protected toBalance(info: Dict): Dict {
    return {
      free: info['available'],
      used: Precise.stringAdd(info['hold'], info['pendingWithdraw']),
      total: info['total'],
    };
  }

  override async fetchTradingFee(symbol: string, params: Dict = {}): Promise<TradingFeeInterface> {
    await this.loadMarkets();
    const market = this.market(symbol);
    const [fee = {}] = await this.ask<Dict[]>('GET', '/private/account/fees', {
      symbol: market.id,
      ...params,
    });
    return this.toTradingFee(fee, market);
  }

  override async fetchTradingFees(params: Dict = {}): Promise<TradingFees> {
    await this.loadMarkets();
    const fees = await this.ask<Dict[]>('GET', '/private/account/fees', params);
    return Object.fromEntries(
      fees.map((fee) => this.toTradingFee(fee)).map((fee) => [fee.symbol, fee]),
    );
  }

  private toTradingFee(info: Dict, market?: Market): TradingFeeInterface {
    return {
      symbol: this.safeMarket(info['symbol'], market).symbol,
      maker: this.safeNumber(info, 'makerFee'),
      taker: this.safeNumber(info, 'takerFee'),
      percentage: true,
      tierBased: true,
      info,
    };
  }

  /** The own account first, then its sub-accounts. */
  override async fetchAccounts(params: Dict = {}): Promise<Account[]> {
    await this.loadMarkets();
    const own = await this.ask('GET', '/private/account/info');
    const family = await this.ask<Dict[]>('GET', '/private/sub_account/list', params);
    const others = family.filter(({ accountId }) => accountId !== own['accountId']);
    return [own, ...others].map((account) => this.parseAccount(account));
  }

  override parseAccount(info: Dict): Account {
    return { id: info['accountId'], type: 'spot', code: undefined, info };
  }

  override async fetchLedger(
    code?: Str,
    since?: Int,
    limit?: Int,
    params: Dict = {},
  ): Promise<LedgerEntry[]> {
    await this.loadMarkets();
    const currency = code === undefined ? undefined : this.currency(code);
    const query = { coin: currency?.id, ...params };
    const entries = await this.askPages('/private/account/ledger', since, limit, query);
    const account = await this.ownAccountId();
    return entries.map((entry) => this.extend(this.parseLedgerEntry(entry, currency), { account }));
  }

  /** The number of the key's account, asked for once. */
  private async ownAccountId(): Promise<string> {
    const known = this.safeString(this.options, 'accountId');
    if (known !== undefined) return known;
    const { accountId } = await this.ask('GET', '/private/account/info');
    this.options['accountId'] = accountId;
    return accountId;
  }

  override parseLedgerEntry(info: Dict, currency?: Currency): LedgerEntry {
    const code = this.safeCurrencyCode(info['coin'], currency);
    return this.safeLedgerEntry(
      {
        id: info['entryId'],
        direction: info['direction'],
        referenceId: this.safeString(info, 'referenceId'),
        type: LEDGER_TYPES[info['kind']] ?? info['kind'],
        amount: info['amount'],
        before: info['balanceBefore'],
        after: info['balanceAfter'],
        fee: { cost: info['fee'], currency: code },
        status: 'ok',
        timestamp: this.safeInteger(info, 'time'),
        info,
      },
      this.safeCurrency(info['coin'], currency),
    );
  }

  override async transfer(
    code: string,
    amount: Amount,
    fromAccount: string,
    toAccount: string,
    params: Dict = {},
  ): Promise<TransferEntry> {
    await this.loadMarkets();
    const currency = this.currency(code);
    const transfer = await this.ask('POST', '/private/sub_account/transfer', {
      fromAccountId: fromAccount,
      toAccountId: toAccount,
      coin: currency.id,
      amount: toText(amount),
      // The venue wants one, so that a repeated request is one transfer.
      clientTransferId: this.uuid(),
      ...params,
    });
    return this.parseTransfer(transfer, currency);
  }

  override async fetchTransfers(
    code?: Str,
    since?: Int,
    limit?: Int,
    params: Dict = {},
  ): Promise<TransferEntry[]> {
    await this.loadMarkets();
    const transfers = await this.askPages('/private/sub_account/transfers', since, limit, params);
    return transfers
      .map((transfer) => this.parseTransfer(transfer))
      .filter(({ currency }) => code === undefined || currency === code);
  }

  override parseTransfer(info: Dict, currency?: Currency): TransferEntry {
    const timestamp = this.safeInteger(info, 'createdAt');
    return {
      id: info['transferId'],
      timestamp,
      datetime: this.iso8601(timestamp),
      currency: this.safeCurrencyCode(info['coin'], currency),
      amount: this.safeNumber(info, 'amount'),
      fromAccount: info['fromAccountId'],
      toAccount: info['toAccountId'],
      status: info['status'] === 'completed' ? 'ok' : 'pending',
      info,
    };
  }
}
