// Every channel that one may see: find it, subscribe, leave, create.
import { useState } from 'react';
import { FailureNotice } from '../../asked/failure.tsx';
import { useAct } from '../../asked/use-act.ts';
import { useTexts } from '../../i18n/texts.ts';
import type { Channel } from '../../state/entities.ts';
import { channels } from '../../state/select.ts';
import { useSelect, useStore } from '../../state/react.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Icon } from '../../ui/icon.tsx';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useToasts } from '../../ui/toasts-context.tsx';
import { ListPage, moveByKey } from '../lists/page.tsx';
import { channelPageHref } from '../place/address.ts';
import { ChannelMark } from '../place/name.tsx';
import { mayInOrganization } from '../rights/rights.ts';
import { CreateChannelDialog } from './create-dialog.tsx';
import { listChannels, WHICH, type Which } from './derive.ts';
import { texts } from './texts.ts';

export interface BrowseChannelsProps {
  /** What is typed; it belongs to the address of the view. */
  readonly filter: string | undefined;
  readonly onFilter: (filter: string | undefined) => void;
}

export function BrowseChannels({ filter = '', onFilter }: BrowseChannelsProps) {
  const t = useTexts(texts);
  const store = useStore();
  const toasts = useToasts();
  const [which, setWhich] = useState<Which>('all');
  const [isCreating, setCreating] = useState(false);
  const shown = listChannels(useSelect(store, channels), which, filter);
  const mayCreate = useSelect(
    store,
    (state) =>
      mayInOrganization(state, 'can_create_public_channel_group') ||
      mayInOrganization(state, 'can_create_private_channel_group'),
  );
  return (
    <ListPage
      title={t.title}
      actions={
        mayCreate && (
          <Button variant="primary" icon="add" onPress={() => setCreating(true)}>
            {t.create}
          </Button>
        )
      }
      tools={
        <div className="flex flex-wrap items-end gap-3">
          <TextField
            label={t.find}
            isLabelHidden
            placeholder={t.find}
            value={filter}
            onChange={(text) => onFilter(text === '' ? undefined : text)}
            start={<Icon name="search" className="size-4" />}
            className="min-w-48 flex-1"
          />
          <RadioGroup
            look="segments"
            label={t.which}
            isLabelHidden
            value={which}
            onChange={(value) => setWhich(value as Which)}
            choices={WHICH.map((one) => ({ value: one, label: t[one] }))}
          />
        </div>
      }
    >
      {shown.length === 0 && <EmptyState icon="hash">{t.nothingFits}</EmptyState>}
      <ul onKeyDown={moveByKey} className="flex flex-col">
        {shown.map((channel) => (
          <ChannelItem key={channel.id} channel={channel} />
        ))}
      </ul>
      {isCreating && (
        <CreateChannelDialog
          onClose={() => setCreating(false)}
          onCreated={(name) => {
            setCreating(false);
            toasts.show({ tone: 'success', text: t.created({ name }) });
          }}
        />
      )}
    </ListPage>
  );
}

function ChannelItem({ channel }: { readonly channel: Channel }) {
  const t = useTexts(texts);
  const { chat } = useStore().client;
  const { name, description, subscriberCount, weeklyTraffic } = channel;
  const isSubscribed = channel.subscription?.isActive === true;
  const change = useAct(async () => {
    if (isSubscribed) await chat.unsubscribe({ subscriptions: [name] });
    else await chat.subscribe({ subscriptions: [{ name }] });
  });
  const facts = [
    t.subscribers({ count: subscriberCount }),
    weeklyTraffic === null ? undefined : t.traffic({ count: weeklyTraffic }),
  ];
  return (
    <li className="relative flex flex-col gap-2 rounded-control px-2 py-2 hover:bg-hover">
      <div className="flex items-center gap-3">
        <ChannelMark channel={channel} />
        <div className="flex min-w-0 flex-1 flex-col">
          <a
            data-row
            href={channelPageHref(channel.id)}
            className="flex font-medium after:absolute after:inset-0 after:rounded-control after:content-[''] focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-focus"
          >
            <bdi className="truncate">{name}</bdi>
          </a>
          <span className="flex text-small text-muted">
            <bdi className="truncate">{description === '' ? t.noDescription : description}</bdi>
          </span>
        </div>
        <span className="figures shrink-0 text-small text-muted max-tablet:hidden">
          {facts.filter((fact) => fact !== undefined).join(' · ')}
        </span>
        {!channel.isArchived && (
          <Button
            size="small"
            className="relative z-10 min-w-28"
            icon={isSubscribed ? undefined : 'add'}
            variant={isSubscribed ? 'quiet' : 'secondary'}
            isPending={change.isRunning}
            aria-label={isSubscribed ? t.unsubscribeFrom({ name }) : t.subscribeTo({ name })}
            onPress={() => void change.run()}
          >
            {isSubscribed ? t.unsubscribe : t.subscribe}
          </Button>
        )}
      </div>
      <FailureNotice
        what={isSubscribed ? t.notUnsubscribed : t.notSubscribed}
        error={change.error}
      />
    </li>
  );
}
