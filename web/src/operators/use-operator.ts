// Looking and acting as an operator. What the server guards is asked for by the dialog of step-up, then done.
import type { Coin, FeeTier } from '@rialto/sdk';
import { useAct, type Act } from '../asked/use-act.ts';
import { useAsked, type Asking } from '../asked/use-asked.ts';
import { callAdministration, type AdminCall, type Requested } from '../api/administration.ts';
import { tradingWith } from '../api/trading.ts';
import { NotConfirmed, useGuard } from '../settings/step-up/provider.tsx';
import { useStore } from '../state/react.ts';
import { mayAct, type Needed } from './grants.ts';

type Asked = Pick<AdminCall, 'path' | 'params'>;

/** Asks once for each path with its parameters. One at a time on a page: a second dialog would end the first. */
export function useLook<T>({ path, params = {} }: Asked): Asking<T> {
  const guard = useGuard();
  return useAsked(`operator ${path} ${JSON.stringify(params)}`, (signal) =>
    guard((code) => callAdministration<T>({ method: 'GET', path, params, code, signal })),
  );
}

/** Undefined if it failed, or if the person thought better of it; the latter is no error. */
export function useOperatorAct<R = Requested>(): Act<[Asked], R | undefined> {
  const guard = useGuard();
  return useAct(async ({ path, params = {} }: Asked) => {
    try {
      return await guard((code) => callAdministration<R>({ method: 'POST', path, params, code }));
    } catch (error) {
      if (error instanceof NotConfirmed) return undefined;
      throw error;
    }
  });
}

/** The coins, as everybody may see them. */
export function useCoins(): Asking<readonly Coin[]> {
  const { origin } = useStore().client.chat;
  return useAsked('operator coins', (signal) =>
    tradingWith(origin, undefined).public.coinsInfo({}, { signal }),
  );
}

/** The fee tiers, as everybody may see them. */
export function useTiers(): Asking<readonly FeeTier[]> {
  const { origin } = useStore().client.chat;
  return useAsked('operator tiers', (signal) =>
    tradingWith(origin, undefined).public.fees({}, { signal }),
  );
}

/** How long the server may show a definition as it was before. */
const SHOWN_MS = 1200;

/** Asks again after an act: at once, and once more when the server shows it for certain. */
export function askAfterAct({ again }: Pick<Asking<unknown>, 'again'>): void {
  again();
  setTimeout(again, SHOWN_MS);
}

export function useMay(): (needed: Needed) => boolean {
  const { grants = [] } = useStore().client.boot.user;
  return (needed) => mayAct(grants, needed);
}
