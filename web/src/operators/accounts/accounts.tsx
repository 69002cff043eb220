// Accounts as support sees them: look one up, suspend it, resume it, cancel its orders.
import { lazy, Suspense, useState, type FormEvent } from 'react';
import type { LookedAccount, Requested } from '../../api/administration.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { Looked } from '../looked.tsx';
import { Outcome as OutcomeOfAct } from '../outcome.tsx';
import { askAfterAct, useLook, useMay } from '../use-operator.ts';
import { AccountCard, type AccountAct } from './card.tsx';
import { texts } from './texts.ts';

type Outcome = Pick<Requested, 'status' | 'message'>;

const TierDialog = lazy(() =>
  import('./tier-dialog.tsx').then((file) => ({ default: file.TierDialog })),
);
const AccountDialog = lazy(() =>
  import('./act.tsx').then((file) => ({ default: file.AccountDialog })),
);

export default function AccountsPage() {
  const t = useTexts(texts);
  const [typed, setTyped] = useState('');
  const [account, setAccount] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAccount(typed.trim());
  };
  return (
    <>
      <p className="text-muted">{t.about}</p>
      <form onSubmit={submit} className="flex flex-wrap items-end gap-2">
        <TextField
          label={t.account}
          value={typed}
          onChange={setTyped}
          isLatin
          autoComplete="off"
          className="w-80 max-tablet:w-full"
        />
        <Button type="submit" variant="primary" icon="search" isDisabled={typed.trim() === ''}>
          {t.look}
        </Button>
      </form>
      {account !== '' && <Found key={account} account={account} />}
    </>
  );
}

function Found({ account }: { readonly account: string }) {
  const t = useTexts(texts);
  const may = useMay();
  const maySupport = may('support');
  const maySetTier = may('markets');
  const asking = useLook<LookedAccount>({ path: '/account', params: { account } });
  const [act, setAct] = useState<AccountAct>();
  const [done, setDone] = useState<{ what: string; result: Outcome }>();
  const shared = {
    onClose: () => setAct(undefined),
    onDone: (what: string, result: Outcome) => {
      setDone({ what, result });
      setAct(undefined);
      askAfterAct(asking);
    },
  };
  return (
    <>
      {!maySupport && !maySetTier && <p className="text-muted">{t.nothing}</p>}
      {done !== undefined && <OutcomeOfAct {...done} onDismiss={() => setDone(undefined)} />}
      <Looked asking={asking}>
        {(found) => (
          <>
            <AccountCard
              account={found}
              mayAct={maySupport}
              maySetTier={maySetTier}
              onAct={(next) => {
                setDone(undefined);
                setAct(next);
              }}
            />
            {act !== undefined && (
              <Suspense>
                {act === 'setTier' || act === 'unpin' ? (
                  <TierDialog account={found} act={act} {...shared} />
                ) : (
                  <AccountDialog account={found} act={act} {...shared} />
                )}
              </Suspense>
            )}
          </>
        )}
      </Looked>
    </>
  );
}
