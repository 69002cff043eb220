// Who a connection belongs to, once it has proved it.
import type { Session } from '../../accounts/sessions/access.ts';
import type { Permission, TradingAccount } from '../../accounts/trading-keys/key.ts';

export interface Identity {
  /** The key that signed the login, or the session: `session-` and its number. */
  readonly keyId: string;
  /** The browser's session; undefined when a key has logged in. */
  readonly session?: Session | undefined;
  readonly permissions: readonly Permission[];
  /** Empty: every market. */
  readonly markets: readonly string[];
  readonly account: TradingAccount;
}
