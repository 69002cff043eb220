// Tabs by hand: those of our library bring 16 kB for collections that a handful of words does not need.
import { useId, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { useLocale } from '../i18n/locale.tsx';
import { CountBadge } from './badge.tsx';
import { classes } from './classes.ts';

export interface TabOf<V extends string> {
  readonly id: V;
  readonly title: string;
  readonly count?: number;
  readonly isDisabled?: boolean;
  readonly content: ReactNode;
}

export interface TabsProps<V extends string> {
  /** What the tabs divide. */
  label: string;
  tabs: readonly TabOf<V>[];
  selected: V;
  onSelect: (id: V) => void;
  className?: string | undefined;
}

/** Parts of one place, one shown at a time. The arrows move between them. */
export function Tabs<V extends string>({
  label,
  tabs,
  selected,
  onSelect,
  className,
}: TabsProps<V>) {
  const { direction } = useLocale();
  const prefix = useId();
  const list = useRef<HTMLDivElement>(null);
  const open = tabs.filter(({ isDisabled }) => isDisabled !== true);
  const shown = tabs.find(({ id }) => id === selected);

  const onKeyDown = (event: KeyboardEvent) => {
    const at = open.findIndex(({ id }) => id === selected);
    const forth = direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
    const back = direction === 'rtl' ? 'ArrowRight' : 'ArrowLeft';
    const steps: Readonly<Record<string, number>> = {
      [forth]: (at + 1) % open.length,
      [back]: (at - 1 + open.length) % open.length,
      Home: 0,
      End: open.length - 1,
    };
    const next = open[steps[event.key] ?? -1];
    if (next === undefined) return;
    event.preventDefault();
    onSelect(next.id);
    list.current?.querySelector<HTMLElement>(`#${CSS.escape(`${prefix}${next.id}`)}`)?.focus();
  };

  return (
    <div className={classes('flex min-w-0 flex-col', className)}>
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        onKeyDown={onKeyDown}
        className="flex gap-1 overflow-x-auto shadow-[inset_0_-1px_0_var(--color-line)]"
      >
        {tabs.map(({ id, title, count, isDisabled = false }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`${prefix}${id}`}
            aria-selected={id === selected}
            aria-controls={id === selected ? `${prefix}panel` : undefined}
            tabIndex={id === selected ? 0 : -1}
            disabled={isDisabled}
            onClick={() => onSelect(id)}
            className={classes(
              'flex h-control cursor-default items-center gap-1.5 border-b-2 px-3 font-medium whitespace-nowrap -outline-offset-2! transition-colors duration-100 hover:text-text disabled:text-control',
              id === selected ? 'border-accent text-text' : 'border-transparent text-muted',
            )}
          >
            {title}
            {count !== undefined && <CountBadge count={count} isQuiet />}
          </button>
        ))}
      </div>
      <div
        key={selected}
        role="tabpanel"
        id={`${prefix}panel`}
        aria-labelledby={`${prefix}${selected}`}
        tabIndex={0}
        className="min-w-0 pt-3"
      >
        {shown?.content}
      </div>
    </div>
  );
}
