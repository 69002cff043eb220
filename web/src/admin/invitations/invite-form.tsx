import { useState } from 'react';
import { FailureNotice } from '../../asked/failure.tsx';
import { useAct } from '../../asked/use-act.ts';
import { texts as peopleTexts } from '../../chat/people/texts.ts';
import { isAtLeast } from '../../chat/rights/rights.ts';
import { useTexts } from '../../i18n/texts.ts';
import { subscribedChannels } from '../../state/select.ts';
import { useSelect, useStore } from '../../state/react.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { Select } from '../../ui/select.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { addressesIn, partialOf, type Invited } from './result.ts';
import { texts } from './texts.ts';

const ROLES = [600, 400, 300, 200, 100] as const;
const DAY_MINUTES = 1440;
const EXPIRIES = { day: DAY_MINUTES, week: 7 * DAY_MINUTES, month: 30 * DAY_MINUTES, never: null };
type Expiry = keyof typeof EXPIRIES;

export function InviteForm({ onChanged }: { readonly onChanged: () => void }) {
  const t = useTexts(texts);
  const roles = useTexts(peopleTexts);
  const store = useStore();
  const { chat } = store.client;
  const [isLink, setLink] = useState(false);
  const [emails, setEmails] = useState('');
  const [isTried, setTried] = useState(false);
  const [expiry, setExpiry] = useState<Expiry>('week');
  const [role, setRole] = useState<(typeof ROLES)[number]>(400);
  const [hasDefaults, setDefaults] = useState(true);
  const [channelIds, setChannelIds] = useState<ReadonlySet<number>>(new Set());
  const [isTold, setTold] = useState(true);
  const [outcome, setOutcome] = useState<Invited | string>();
  const channels = useSelect(store, subscribedChannels);

  const invite = useAct(async () => {
    setOutcome(undefined);
    const common = {
      invite_expires_in_minutes: EXPIRIES[expiry],
      invite_as: role,
      stream_ids: [...channelIds],
      include_realm_default_subscriptions: hasDefaults,
    };
    if (isLink) {
      const { invite_link } = await chat.createInviteLink(common);
      setOutcome(invite_link);
    } else {
      const addresses = addressesIn(emails);
      try {
        await chat.sendInvites({
          ...common,
          invitee_emails: addresses.join(','),
          notify_referrer_on_join: isTold,
        });
        setOutcome({ invited: addresses.length, refused: [] });
      } catch (error) {
        setOutcome(partialOf(error, addresses.length));
      }
      setEmails('');
      setTried(false);
    }
    onChanged();
  });
  const submit = () => {
    setTried(true);
    if (isLink || addressesIn(emails).length > 0) void invite.run();
  };
  return (
    <section
      aria-label={t.invite}
      className="flex flex-col gap-4 rounded-panel border border-line bg-panel p-4"
    >
      <RadioGroup
        look="segments"
        label={t.how}
        isLabelHidden
        value={isLink ? 'link' : 'email'}
        onChange={(value) => {
          setLink(value === 'link');
          setOutcome(undefined);
          invite.forget();
        }}
        choices={[
          { value: 'email', label: t.byEmail },
          { value: 'link', label: t.byLink },
        ]}
      />
      <FailureNotice what={isLink ? t.notMade : t.notSent} error={invite.error} />
      <Outcome outcome={outcome} />
      {!isLink && (
        <TextArea
          label={t.emails}
          description={t.emailsHelp}
          value={emails}
          onChange={setEmails}
          rows={2}
          error={isTried && addressesIn(emails).length === 0 ? t.emailsMissing : undefined}
        />
      )}
      <div className="grid gap-4 tablet:grid-cols-2">
        <Select
          label={t.expires}
          value={expiry}
          onChange={setExpiry}
          choices={(['day', 'week', 'month', 'never'] as const).map((value) => ({
            value,
            label: t[value],
          }))}
        />
        <Select
          label={t.as}
          value={String(role)}
          onChange={(value) => setRole(ROLES.find((one) => String(one) === value) ?? 400)}
          choices={ROLES.filter((one) => isAtLeast(store.state, one)).map((one) => ({
            value: String(one),
            label: roles[one],
          }))}
        />
      </div>
      <fieldset>
        <legend className="text-small font-medium">{t.channels}</legend>
        <Checkbox isSelected={hasDefaults} onChange={setDefaults}>
          {t.defaults}
        </Checkbox>
        <div className="grid max-h-40 overflow-auto tablet:grid-cols-3">
          {channels.map(({ id, name }) => (
            <Checkbox
              key={id}
              isSelected={channelIds.has(id)}
              onChange={(isOn) =>
                setChannelIds((before) => {
                  const after = new Set(before);
                  if (isOn) after.add(id);
                  else after.delete(id);
                  return after;
                })
              }
            >
              <bdi>{name}</bdi>
            </Checkbox>
          ))}
        </div>
      </fieldset>
      {!isLink && (
        <Checkbox isSelected={isTold} onChange={setTold}>
          {t.tellMe}
        </Checkbox>
      )}
      <Button variant="primary" className="self-end" isPending={invite.isRunning} onPress={submit}>
        {isLink ? t.makeLink : t.send}
      </Button>
    </section>
  );
}

function Outcome({ outcome }: { readonly outcome: Invited | string | undefined }) {
  const t = useTexts(texts);
  if (outcome === undefined) return null;
  if (typeof outcome === 'string') {
    return (
      <Banner tone="success" action={<CopyButton text={outcome} label={t.copyLink} />}>
        <p>{t.linkMade}</p>
        <bdi dir="ltr" className="block font-mono text-small break-all">
          {outcome}
        </bdi>
      </Banner>
    );
  }
  const { invited, refused } = outcome;
  if (refused.length === 0) return <Banner tone="success">{t.sent({ count: invited })}</Banner>;
  return (
    <Banner tone="warning">
      <p className="font-medium">{t.result({ invited, refused: refused.length })}</p>
      <ul>
        {refused.map(({ email, why }) => (
          <li key={email}>
            <bdi dir="ltr">{email}</bdi>: {why}
          </li>
        ))}
      </ul>
    </Banner>
  );
}
