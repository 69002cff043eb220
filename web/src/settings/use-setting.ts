// One setting of the account: shown as chosen at once, and as it was again if the server refuses.
import { useCallback, useEffect, useState } from 'react';
import type { UpdateSettingsParams } from '@rialto/sdk';
import { useTexts } from '../i18n/texts.ts';
import { settingOf } from '../state/select.ts';
import { useSelect, useStore } from '../state/react.ts';
import { useToasts } from '../ui/toasts-context.tsx';
import { reasonOf } from './reason.ts';
import { commonTexts } from './texts.ts';

type Name = Exclude<keyof UpdateSettingsParams, 'target_users'>;
type ValueOf<N extends Name> = NonNullable<UpdateSettingsParams[N]>;

export function useSetting<N extends Name>(
  name: N,
): [ValueOf<N> | undefined, (value: ValueOf<N>) => void] {
  const t = useTexts(commonTexts);
  const store = useStore();
  const toasts = useToasts();
  const known = useSelect(store, (state) => settingOf(state, name));
  const [chosen, setChosen] = useState<{ readonly value: ValueOf<N>; readonly before: unknown }>();
  // The event of the server has come: from now on the account speaks for itself.
  useEffect(() => {
    setChosen((now) => (now !== undefined && now.before !== known ? undefined : now));
  }, [known]);
  const change = useCallback(
    (value: ValueOf<N>) => {
      setChosen({ value, before: known });
      store.client.chat.updateSettings({ [name]: value }).catch((error: unknown) => {
        setChosen(undefined);
        toasts.show({ tone: 'danger', text: t.notSaved({ reason: reasonOf(error) }) });
      });
    },
    [store, toasts, t, name, known],
  );
  return [
    chosen === undefined ? ((known ?? undefined) as ValueOf<N> | undefined) : chosen.value,
    change,
  ];
}
