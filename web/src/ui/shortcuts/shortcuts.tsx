// Calls commands by keys. The commands and their keys are given by the app; views say what a command does while they are
// on the page.
import { createContext, use, useEffect, useMemo, useRef, type ReactNode } from 'react';
import { nameOf } from './keys.ts';
import { match, NOTHING, type Binding } from './matcher.ts';

type Act = () => void;

interface Shortcuts {
  /** The act of a command from now on, until it is given back. The latest one counts. */
  register: (command: string, act: { readonly current: Act }) => () => void;
  bindings: readonly Binding[];
}

const ShortcutsContext = createContext<Shortcuts>({
  register: () => () => undefined,
  bindings: [],
});

export interface ShortcutsProviderProps {
  /** The keys in use: those of the app, with the person's own in their place. */
  bindings: readonly Binding[];
  areSingleKeysOff?: boolean | undefined;
  children: ReactNode;
}

export function ShortcutsProvider({
  bindings,
  areSingleKeysOff = false,
  children,
}: ShortcutsProviderProps) {
  const acts = useRef(new Map<string, { readonly current: Act }[]>());
  useEffect(() => {
    let waiting = NOTHING;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.keyCode === 229) return;
      const press = nameOf(event);
      if (press === undefined) return;
      // Only what something answers now: other keys stay with the page.
      const live = bindings.filter(({ command }) => (acts.current.get(command)?.length ?? 0) > 0);
      const situation = { isTyping: isTyping(event), areSingleKeysOff };
      const matched = match(live, waiting, press, event.timeStamp, situation);
      waiting = matched.waiting;
      if (matched.command === undefined) return;
      event.preventDefault();
      acts.current.get(matched.command)?.at(-1)?.current();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [bindings, areSingleKeysOff]);
  const value = useMemo<Shortcuts>(
    () => ({
      bindings,
      register: (command, act) => {
        const list = acts.current.get(command) ?? [];
        acts.current.set(command, [...list, act]);
        return () => {
          const left = (acts.current.get(command) ?? []).filter((kept) => kept !== act);
          if (left.length === 0) acts.current.delete(command);
          else acts.current.set(command, left);
        };
      },
    }),
    [bindings],
  );
  return <ShortcutsContext value={value}>{children}</ShortcutsContext>;
}

/** Fields, and lists and menus that search by typed letters. */
function isTyping(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0];
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target.closest('[role="menu"],[role="listbox"]') !== null)
    return true;
  if (target instanceof HTMLInputElement)
    return !['checkbox', 'radio', 'button', 'submit'].includes(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

/** Answers a command while the component is on the page. */
export function useShortcut(command: string, act: Act, isOn = true): void {
  const { register } = use(ShortcutsContext);
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  useEffect(() => (isOn ? register(command, latest) : undefined), [register, command, isOn]);
}

/** The keys of a command, to be shown beside it. */
export function useKeysOf(command: string): string | undefined {
  return use(ShortcutsContext).bindings.find((binding) => binding.command === command)?.keys;
}
