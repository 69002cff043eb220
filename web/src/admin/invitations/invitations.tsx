// Invitations: by email and by link, and those that are open.
import { useState } from 'react';
import type { GetInvitesResult } from '@rialto/sdk';
import { FailureNotice, FailureState } from '../../asked/failure.tsx';
import { useAct } from '../../asked/use-act.ts';
import { useAsked } from '../../asked/use-asked.ts';
import { texts as peopleTexts } from '../../chat/people/texts.ts';
import { mayInOrganization } from '../../chat/rights/rights.ts';
import { writeMoment } from '../../i18n/date.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { useStore } from '../../state/react.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';
import { ReadOnlyNotice } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { useToasts } from '../../ui/toasts-context.tsx';
import { InviteForm } from './invite-form.tsx';
import { texts } from './texts.ts';

type Invite = GetInvitesResult['invites'][number];

export default function InvitationsPage() {
  const t = useTexts(texts);
  const roles = useTexts(peopleTexts);
  const locale = useLocale();
  const store = useStore();
  const toasts = useToasts();
  const { chat } = store.client;
  const [revoked, setRevoked] = useState<Invite>();
  const { asked, again, set } = useAsked('invites', async (signal) => {
    const { invites } = await chat.getInvites({}, { signal });
    return invites;
  });
  const revoke = useAct(async (invite: Invite) => {
    if (invite.is_multiuse) await chat.revokeInviteLink({ invite_id: invite.id });
    else await chat.revokeInvite({ invite_id: invite.id });
    set((invites) => invites.filter((one) => one !== invite));
    setRevoked(undefined);
  });
  const resend = useAct(async (invite: Invite) => {
    await chat.resendInvite({ invite_id: invite.id });
    toasts.show({ tone: 'success', text: t.resent });
  });
  const mayInvite = ['can_invite_users_group', 'create_multiuse_invite_group'].some((name) =>
    mayInOrganization(store.state, name),
  );
  const whoOf = (invite: Invite) => invite.email ?? t.anybody;
  return (
    <>
      {mayInvite ? <InviteForm onChanged={again} /> : <ReadOnlyNotice>{t.noRight}</ReadOnlyNotice>}
      <h2 className="pt-2 text-title font-semibold">{t.open}</h2>
      <FailureNotice what={t.notResent} error={resend.error} />
      {asked.state === 'failed' && (
        <FailureState what={t.notLoaded} error={asked.error} onRetry={again} />
      )}
      {asked.state === 'asking' && (
        <SkeletonGroup>
          <Skeleton className="h-24 w-full" />
        </SkeletonGroup>
      )}
      {asked.state === 'known' && asked.value.length === 0 && (
        <EmptyState icon="people">{t.none}</EmptyState>
      )}
      {asked.state === 'known' && asked.value.length > 0 && (
        <Table
          label={t.open}
          rows={asked.value}
          keyOf={(invite) => `${invite.is_multiuse} ${invite.id}`}
          columns={[
            {
              id: 'who',
              title: t.who,
              isRowTitle: true,
              cell: (invite) => (
                <span className="flex items-center gap-1">
                  <bdi>{whoOf(invite)}</bdi>
                  {invite.link_url !== undefined && invite.link_url !== '' && (
                    <CopyButton text={invite.link_url} label={t.copyLink} />
                  )}
                </span>
              ),
            },
            {
              id: 'by',
              title: t.by,
              cell: (invite) => (
                <bdi>{store.state.people.get(invite.invited_by_user_id)?.fullName}</bdi>
              ),
            },
            {
              id: 'role',
              title: t.role,
              cell: ({ invited_as: role }) =>
                role in roles ? String(roles[role as keyof typeof roles]) : role,
            },
            {
              id: 'until',
              title: t.until,
              cell: ({ expiry_date: at }) =>
                at === null ? t.never : writeMoment(at * 1000, locale),
            },
            {
              id: 'acts',
              title: t.acts,
              cell: (invite) => (
                <span className="flex gap-1">
                  {!invite.is_multiuse && (
                    <Button size="small" variant="quiet" onPress={() => void resend.run(invite)}>
                      {t.resend}
                    </Button>
                  )}
                  <Button size="small" variant="quiet" onPress={() => setRevoked(invite)}>
                    {t.revoke}
                  </Button>
                </span>
              ),
            },
          ]}
        />
      )}
      {revoked !== undefined && (
        <ConfirmDialog
          title={t.revokeTitle}
          act={t.revoke}
          isPending={revoke.isRunning}
          isOpen
          onOpenChange={(isOpen) => isOpen || setRevoked(undefined)}
          onConfirm={() => void revoke.run(revoked)}
        >
          <FailureNotice what={t.notRevoked} error={revoke.error} />
          <p>{t.revokeWhat({ who: whoOf(revoked) })}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
