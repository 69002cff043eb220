// Keys of the chat API besides the main one: list, create, revoke.
import { useState } from 'react';
import { callSession } from '../../api/session-call.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Button } from '../../ui/button.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { AskedList } from '../asked.tsx';
import { Section } from '../section.tsx';
import { useAsked } from '../use-asked.ts';
import { KeyForm } from './form.tsx';
import { endOf, KeyRow, MadeDialog, type Made } from './parts.tsx';
import { texts } from './texts.ts';

const RIGHTS = ['read', 'write', 'admin'] as const;
type Right = (typeof RIGHTS)[number];

interface ChatKey {
  readonly id: number;
  readonly kind: 'app' | 'own';
  readonly label: string;
  readonly can: readonly Right[];
  readonly addresses: readonly string[] | null;
  readonly expires_at: number | null;
  readonly last_used_at: number | null;
  readonly replaced_by: number | null;
}

const listKeys = async (signal: AbortSignal): Promise<readonly ChatKey[]> =>
  (await callSession<{ api_keys: ChatKey[] }>({ method: 'GET', path: '/api_keys', signal }))
    .api_keys;

export function ChatKeys() {
  const t = useTexts(texts);
  const [answer, reload] = useAsked(listKeys);
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<Made>();
  return (
    <Section
      title={t.chat}
      note={t.chatNote}
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
                  key={key.id}
                  name={key.label}
                  rights={key.can.map((right) => t[right])}
                  marks={[
                    ...(key.kind === 'app' ? [t.app] : []),
                    ...(key.replaced_by === null ? [] : [t.replaced]),
                  ]}
                  addresses={key.addresses ?? []}
                  lastUsedMs={msOf(key.last_used_at)}
                  endsMs={msOf(key.expires_at)}
                  revoke={() => callSession({ method: 'DELETE', path: `/api_keys/${key.id}` })}
                  onRevoked={reload}
                />
              ))}
            </ul>
          )
        }
      </AskedList>
      <div className="flex flex-wrap items-center gap-3 border-t border-line pt-4">
        <span className="flex min-w-0 flex-1 flex-col">
          <span className="font-medium">{t.mainKey}</span>
          <span className="text-pretty text-small text-muted">{t.mainKeyNote}</span>
        </span>
        <LinkButton size="small" href="/account/key/">
          {t.openPage}
        </LinkButton>
      </div>
      {isMaking && (
        <KeyForm
          title={t.createChat}
          rights={RIGHTS.map((value) => ({ value, label: t[value] }))}
          chosen={['read', 'write']}
          onClose={() => setMaking(false)}
          create={async ({ label, rights, addresses, ends }) => {
            const end = endOf(ends, Date.now());
            const { api_key: secret } = await callSession<{ api_key: string }>({
              method: 'POST',
              path: '/api_keys',
              params: {
                label,
                can: rights,
                addresses: addresses.length === 0 ? null : addresses,
                expires_at: end === undefined ? null : Math.floor(end / 1000),
              },
            });
            setMade({ secret });
            reload();
          }}
        />
      )}
      {made !== undefined && <MadeDialog made={made} onClose={() => setMade(undefined)} />}
    </Section>
  );
}

const msOf = (seconds: number | null): number | undefined =>
  seconds === null ? undefined : seconds * 1000;
