// Conversations that somebody wrote in lately, the newest first.
import { useTexts } from '../../i18n/texts.ts';
import { recentConversations } from '../../state/select.ts';
import { useSelect, useStore } from '../../state/react.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';
import { FailureState } from '../../asked/failure.tsx';
import { FilterChip, ListPage, moveByKey } from '../lists/page.tsx';
import { CHANNELS_HREF } from '../place/address.ts';
import { filterRecent, participatedKeys, type RecentFilters } from './derive.ts';
import { useHistory } from './history.ts';
import { Row } from './row.tsx';
import { texts } from './texts.ts';

const FILTERS = ['unread', 'participated', 'direct', 'muted'] as const;

export interface RecentProps {
  /** The chips that are pressed, between commas; it belongs to the address of the view. */
  readonly only: string | undefined;
  readonly onOnly: (only: string | undefined) => void;
}

export function Recent({ only, onOnly }: RecentProps) {
  const t = useTexts(texts);
  const store = useStore();
  const history = useHistory();
  const conversations = useSelect(store, recentConversations);
  const participated = useSelect(store, participatedKeys);
  const filters = readFilters(only);
  const shown = filterRecent(conversations, filters, participated);
  const press = (name: keyof RecentFilters, isOn: boolean) => {
    const pressed = FILTERS.filter((one) => (one === name ? isOn : filters[one]));
    onOnly(pressed.length === 0 ? undefined : pressed.join(','));
  };
  const isEmpty = shown.length === 0 && history.stage !== 'loading' && history.stage !== 'failed';
  return (
    <ListPage
      title={t.title}
      tools={
        <div
          role="group"
          aria-label={t.show}
          className="-mx-4 flex gap-2 overflow-x-auto px-4 py-1"
        >
          {FILTERS.map((name) => (
            <FilterChip key={name} isOn={filters[name]} onChange={(isOn) => press(name, isOn)}>
              {t[name]}
            </FilterChip>
          ))}
        </div>
      }
    >
      <ul onKeyDown={moveByKey}>
        {shown.map((recent) => (
          <Row key={recent.key} recent={recent} />
        ))}
      </ul>
      {history.stage === 'loading' && (
        <RowSkeletons label={t.loading} isFirst={shown.length === 0} />
      )}
      {history.stage === 'failed' && (
        <FailureState what={t.notLoaded} error={history.error} onRetry={history.more} />
      )}
      {isEmpty && conversations.length > 0 && (
        <EmptyState
          icon="filter"
          action={<Button onPress={() => onOnly(undefined)}>{t.clear}</Button>}
        >
          {t.empty}
        </EmptyState>
      )}
      {isEmpty && conversations.length === 0 && (
        <EmptyState icon="chat" action={<LinkButton href={CHANNELS_HREF}>{t.browse}</LinkButton>}>
          {t.none}
        </EmptyState>
      )}
      {history.stage === 'idle' && (
        <Button variant="quiet" onPress={history.more} className="mt-3 self-center">
          {t.older}
        </Button>
      )}
    </ListPage>
  );
}

function readFilters(only: string | undefined): RecentFilters {
  const pressed = new Set(only?.split(','));
  return {
    unread: pressed.has('unread'),
    participated: pressed.has('participated'),
    direct: pressed.has('direct'),
    muted: pressed.has('muted'),
  };
}

function RowSkeletons({ label, isFirst }: { label: string; isFirst: boolean }) {
  return (
    <SkeletonGroup label={label}>
      {Array.from({ length: isFirst ? 8 : 2 }, (_, n) => (
        <div key={n} className="flex min-h-row items-center gap-4 px-2">
          <Skeleton className="h-3.5 w-1/2" />
          <Skeleton className="ms-auto h-3.5 w-16" />
        </div>
      ))}
    </SkeletonGroup>
  );
}
