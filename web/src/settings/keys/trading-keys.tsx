// Keys of the trading API: list, create, revoke. Creating one asks for a second factor each time.
import type { ApiKeyCreateParams } from '@rialto/sdk';
import { useMemo, useState } from 'react';
import { tradingWith } from '../../api/trading.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useSelect, useStore } from '../../state/react.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import { AskedList } from '../asked.tsx';
import { Section } from '../section.tsx';
import { useAsked } from '../use-asked.ts';
import { KeyForm, type Wanted } from './form.tsx';
import { endOf, KeyRow, MadeDialog, type Made } from './parts.tsx';
import { texts } from './texts.ts';

const RIGHTS = ['read', 'trade', 'transfer'] as const;

export function TradingKeys() {
  const t = useTexts(texts);
  const store = useStore();
  const url = store.client.chat.origin;
  const list = useMemo(() => {
    const trading = tradingWith(url, undefined);
    return (signal: AbortSignal) => trading.apiKey.list({}, { signal });
  }, [url]);
  const [answer, reload] = useAsked(list);
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<Made>();
  const accounts = useSelect(store, ({ venue }) => venue.accounts);
  const [accountId, setAccountId] = useState<string>();
  const create = async (wanted: Wanted, code: string | undefined) => {
    const key = await tradingWith(url, code).apiKey.create(
      paramsOf(wanted, accountId ?? accounts[0]?.accountId),
    );
    setMade({ keyId: key.keyId, secret: key.secret });
    reload();
  };
  return (
    <Section
      title={t.trading}
      note={t.tradingNote}
      actions={
        <Button size="small" icon="add" onPress={() => setMaking(true)}>
          {t.create}
        </Button>
      }
    >
      <AskedList answer={answer} onRetry={reload}>
        {(keys) =>
          keys.length === 0 ? (
            <p className="text-muted">{t.none}</p>
          ) : (
            <ul className="flex flex-col divide-y divide-line">
              {keys.map((key) => (
                <KeyRow
                  key={key.keyId}
                  name={key.label === '' ? key.keyId : key.label}
                  rights={key.permissions.map((right) => (right === 'withdraw' ? right : t[right]))}
                  marks={[
                    ...(key.isEnabled ? [] : [t.disabled]),
                    ...(key.replacedBy === '' ? [] : [t.replaced]),
                  ]}
                  addresses={key.ipAllowlist}
                  lastUsedMs={msOf(key.lastUsedAt)}
                  endsMs={msOf(key.expireTime)}
                  revoke={() => tradingWith(url, undefined).apiKey.delete({ keyId: key.keyId })}
                  onRevoked={reload}
                />
              ))}
            </ul>
          )
        }
      </AskedList>
      {isMaking && (
        <KeyForm
          title={t.createTrading}
          rights={RIGHTS.map((value) => ({ value, label: t[value] }))}
          chosen={['read']}
          create={create}
          onClose={() => setMaking(false)}
        >
          {accounts.length > 1 && (
            <Select
              label={t.account}
              value={accountId ?? accounts[0]?.accountId ?? null}
              onChange={setAccountId}
              choices={accounts.map((one) => ({ value: one.accountId, label: one.name }))}
            />
          )}
        </KeyForm>
      )}
      {made !== undefined && <MadeDialog made={made} onClose={() => setMade(undefined)} />}
    </Section>
  );
}

function paramsOf(wanted: Wanted, accountId: string | undefined): ApiKeyCreateParams {
  const end = endOf(wanted.ends, Date.now());
  return {
    label: wanted.label,
    permissions: RIGHTS.filter((right) => wanted.rights.includes(right)),
    ...(wanted.addresses.length > 0 && { ipAllowlist: wanted.addresses }),
    ...(end !== undefined && { expireTime: String(end) }),
    ...(accountId !== undefined && { accountId }),
  };
}

const msOf = (text: string): number | undefined => (text === '' ? undefined : Number(text));
