// Who may join without being invited, and from which email domains.
import { useState } from 'react';
import { FailureNotice, FailureState } from '../../asked/failure.tsx';
import { useAct } from '../../asked/use-act.ts';
import { useAsked } from '../../asked/use-asked.ts';
import { isAtLeast, OWNER } from '../../chat/rights/rights.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Section } from '../../settings/section.tsx';
import { useSelect, useStore } from '../../state/react.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';
import { ReadOnlyNotice } from '../../ui/states.tsx';
import { Switch } from '../../ui/switch.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { FlagSetting } from '../setting/fields.tsx';
import { texts as settingTexts } from '../setting/texts.ts';
import { problemOf } from './domain.ts';
import { texts } from './texts.ts';

interface Domain {
  readonly domain: string;
  readonly allow_subdomains: boolean;
}

export default function DomainsPage() {
  const t = useTexts(texts);
  const common = useTexts(settingTexts);
  const store = useStore();
  const { chat } = store.client;
  const isOwner = useSelect(store, (state) => isAtLeast(state, OWNER));
  const isRestricted = useSelect(
    store,
    (state) => state.organization.settings['emails_restricted_to_domains'] === true,
  );
  const { asked, again } = useAsked('domains', (signal) => chat.getRealmDomains({}, { signal }));
  return (
    <>
      {!isOwner && <ReadOnlyNotice>{common.onlyOwnersPage}</ReadOnlyNotice>}
      <Section title={t.joining}>
        <FlagSetting name="invite_required" label={t.invite_required} note={t.inviteNote} />
        <FlagSetting
          name="emails_restricted_to_domains"
          label={t.emails_restricted_to_domains}
          note={t.restrictedNote}
        />
        <FlagSetting
          name="disallow_disposable_email_addresses"
          label={t.disallow_disposable_email_addresses}
          note={t.disposableNote}
        />
      </Section>
      <Section title={t.domains} note={isRestricted ? t.domainsNote : t.domainsUnused}>
        {asked.state === 'asking' && (
          <SkeletonGroup>
            <Skeleton className="my-2 h-9 w-full" />
            <Skeleton className="my-2 h-9 w-full" />
          </SkeletonGroup>
        )}
        {asked.state === 'failed' && (
          <FailureState what={t.notLoaded} error={asked.error} onRetry={again} />
        )}
        {asked.state === 'known' && (
          <>
            {isRestricted && asked.value.domains.length === 0 && (
              <Banner tone="warning">{t.nobodyJoins}</Banner>
            )}
            <DomainList all={asked.value.domains} mayChange={isOwner} onDone={again} />
            {isOwner && <AddDomain all={asked.value.domains} onDone={again} />}
          </>
        )}
      </Section>
    </>
  );
}

function DomainList({
  all,
  mayChange,
  onDone,
}: {
  readonly all: readonly Domain[];
  readonly mayChange: boolean;
  readonly onDone: () => void;
}) {
  const t = useTexts(texts);
  const { chat } = useStore().client;
  const [ended, setEnded] = useState<string>();
  const change = useAct(async (given: Domain) => {
    await chat.updateRealmDomain(given);
    onDone();
  });
  const remove = useAct(async (domain: string) => {
    await chat.removeRealmDomain({ domain });
    setEnded(undefined);
    onDone();
  });
  return (
    <>
      <FailureNotice what={t.notChanged} error={change.error} />
      {all.length === 0 && <p className="text-muted">{t.none}</p>}
      <ul aria-label={t.domains} className="flex flex-col gap-2">
        {all.map(({ domain, allow_subdomains }) => (
          <li
            key={domain}
            className="flex flex-wrap items-center gap-x-3 rounded-control border border-line px-3 py-1"
          >
            <bdi dir="ltr" className="min-w-0 flex-1 font-medium break-all">
              {domain}
            </bdi>
            <Switch
              isSelected={allow_subdomains}
              onChange={(isOn) => void change.run({ domain, allow_subdomains: isOn })}
              isDisabled={!mayChange || change.isRunning}
              aria-label={t.subdomainsOf({ domain })}
            >
              {t.subdomains}
            </Switch>
            {mayChange && (
              <IconButton
                icon="trash"
                label={t.remove({ domain })}
                onPress={() => setEnded(domain)}
              />
            )}
          </li>
        ))}
      </ul>
      {ended !== undefined && (
        <ConfirmDialog
          title={t.remove({ domain: ended })}
          act={t.removeAct}
          mustType={ended}
          isPending={remove.isRunning}
          isOpen
          onOpenChange={(isOpen) => isOpen || setEnded(undefined)}
          onConfirm={() => void remove.run(ended)}
        >
          <FailureNotice what={t.notRemoved} error={remove.error} />
          <p>{t.removeWhat}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function AddDomain({
  all,
  onDone,
}: {
  readonly all: readonly Domain[];
  readonly onDone: () => void;
}) {
  const t = useTexts(texts);
  const { chat } = useStore().client;
  const [typed, setTyped] = useState('');
  const [withSubdomains, setWithSubdomains] = useState(false);
  const domain = typed.trim().toLowerCase();
  const problem = problemOf(
    domain,
    all.map((one) => one.domain),
  );
  const add = useAct(async () => {
    await chat.addRealmDomain({ domain, allow_subdomains: withSubdomains });
    setTyped('');
    setWithSubdomains(false);
    onDone();
  });
  return (
    <form
      className="flex max-w-md flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (domain !== '' && problem === undefined) void add.run();
      }}
    >
      <FailureNotice what={t.notAdded} error={add.error} />
      <TextField
        label={t.domain}
        description={t.domainHelp}
        value={typed}
        onChange={setTyped}
        isLatin
        spellCheck="false"
        error={domain === '' || problem === undefined ? undefined : t[problem]}
      />
      <Checkbox isSelected={withSubdomains} onChange={setWithSubdomains}>
        {t.subdomains}
      </Checkbox>
      <Button
        type="submit"
        variant="primary"
        className="self-start"
        isPending={add.isRunning}
        isDisabled={domain === '' || problem !== undefined}
      >
        {t.add}
      </Button>
    </form>
  );
}
