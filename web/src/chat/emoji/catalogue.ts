// The emoji of this server, fetched once when somebody first looks for one.
import { useEffect, useMemo, useState } from 'react';
import { useSelect, useStore } from '../../state/react.ts';
import { catalogueFrom, type Emoji } from './emoji.ts';

const ADDRESS = '/static/generated/emoji/emoji_api.3.json';
type Names = Readonly<Record<string, readonly string[]>>;

let fetched: Promise<Names> | undefined;

async function fetchNames(): Promise<Names> {
  const answer = await fetch(ADDRESS);
  if (!answer.ok) throw new Error(`The list of emoji was answered with ${answer.status}.`);
  const { code_to_names } = (await answer.json()) as { code_to_names: Names };
  return code_to_names;
}

/** Empty until it is there. A failed fetch is tried again by the next who asks. */
export function useCatalogue(isWanted: boolean): readonly Emoji[] {
  const store = useStore();
  const custom = useSelect(store, (state) => state.emoji);
  const version = useSelect(store, (state) => state.versions.get('emoji'));
  const [names, setNames] = useState<Names>();
  useEffect(() => {
    if (!isWanted || names !== undefined) return;
    let isOn = true;
    fetched ??= fetchNames();
    fetched.then(
      (found) => isOn && setNames(found),
      () => (fetched = undefined),
    );
    return () => {
      isOn = false;
    };
  }, [isWanted, names]);
  return useMemo(
    // The map of custom emoji is changed in place; its version tells when.
    () => (names === undefined ? [] : catalogueFrom(names, custom.values())),
    [names, custom, version],
  );
}
