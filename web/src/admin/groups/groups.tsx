// Groups of people and of other groups: to be mentioned at once, and to have permissions.
import { useState } from 'react';
import { FailureNotice } from '../../asked/failure.tsx';
import { useAct } from '../../asked/use-act.ts';
import { ADMINISTRATOR, allows, isAtLeast, mayInOrganization } from '../../chat/rights/rights.ts';
import { useTexts } from '../../i18n/texts.ts';
import type { Group } from '../../state/entities.ts';
import { groups } from '../../state/select.ts';
import { useSelect, useStore } from '../../state/react.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useToasts } from '../../ui/toasts-context.tsx';
import { allMembers } from './derive.ts';
import { GroupDialog } from './group-dialog.tsx';
import { texts } from './texts.ts';

export default function GroupsPage() {
  const t = useTexts(texts);
  const store = useStore();
  const toasts = useToasts();
  const all = useSelect(store, groups).filter(({ isSystem }) => !isSystem);
  const [edited, setEdited] = useState<Group | 'new'>();
  const [ended, setEnded] = useState<Group>();
  const { state } = store;
  const isAdmin = isAtLeast(state, ADMINISTRATOR);
  const mayChange = (group: Group) =>
    isAdmin || allows(state, group.permissions['can_manage_group'], state.own.userId);
  const deactivate = useAct(async (group: Group) => {
    await store.client.chat.deactivateUserGroup({ user_group_id: group.id });
    setEnded(undefined);
  });
  return (
    <>
      {(isAdmin || mayInOrganization(state, 'can_create_groups')) && (
        <Button
          variant="primary"
          icon="add"
          className="self-start"
          onPress={() => setEdited('new')}
        >
          {t.create}
        </Button>
      )}
      {all.length === 0 && <EmptyState icon="people">{t.none}</EmptyState>}
      <ul className="flex flex-col gap-2">
        {all.map((group) => {
          const { id, name, description, memberIds, subgroupIds } = group;
          return (
            <li
              key={id}
              className="flex items-center gap-3 rounded-panel border border-line bg-panel px-4 py-3"
            >
              <Icon name="people" className="size-5 text-muted" />
              <div className="flex min-w-0 flex-1 flex-col">
                <span className="flex font-medium">
                  <bdi className="truncate">{name}</bdi>
                </span>
                <span className="flex text-small text-muted">
                  <bdi className="truncate">{description}</bdi>
                </span>
                <span className="text-small text-muted">
                  {t.counts({ people: memberIds.length, groups: subgroupIds.length })}
                  {subgroupIds.length > 0 &&
                    ` · ${t.all({ count: allMembers(state.groups, id).size })}`}
                </span>
              </div>
              {mayChange(group) && (
                <>
                  <IconButton
                    icon="edit"
                    label={t.edit({ name })}
                    onPress={() => setEdited(group)}
                  />
                  <IconButton icon="trash" label={t.deactivate} onPress={() => setEnded(group)} />
                </>
              )}
            </li>
          );
        })}
      </ul>
      {edited !== undefined && (
        <GroupDialog
          group={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
          onDone={() => {
            setEdited(undefined);
            toasts.show({ tone: 'success', text: t.saved });
          }}
        />
      )}
      {ended !== undefined && (
        <ConfirmDialog
          title={t.deactivate}
          act={t.deactivate}
          mustType={ended.name}
          isPending={deactivate.isRunning}
          isOpen
          onOpenChange={(isOpen) => isOpen || setEnded(undefined)}
          onConfirm={() => void deactivate.run(ended)}
        >
          <FailureNotice what={t.notDeactivated} error={deactivate.error} />
          <p>{t.deactivateWhat}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
