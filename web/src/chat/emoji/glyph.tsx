import { useSelect, useStore } from '../../state/react.ts';
import { charactersOf } from './emoji.ts';

/** One emoji as it is drawn; its name is said by whoever shows it. */
export function EmojiGlyph({
  code,
  type,
  name,
}: {
  readonly code: string;
  readonly type: string;
  readonly name: string;
}) {
  const store = useStore();
  const url = useSelect(store, (state) =>
    type === 'realm_emoji' ? state.emoji.get(code)?.sourceUrl : undefined,
  );
  if (url !== undefined) {
    return (
      <img src={url} alt="" aria-hidden className="inline-block size-[1.25em] object-contain" />
    );
  }
  const characters = type === 'unicode_emoji' ? charactersOf(code) : '';
  return (
    <span aria-hidden className="inline-block leading-none">
      {characters === '' ? `:${name}:` : characters}
    </span>
  );
}
