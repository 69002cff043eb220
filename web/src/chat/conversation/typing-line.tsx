import { useTexts } from '../../i18n/texts.ts';
import type { Conversation } from '../../state/entities.ts';
import { personOf, typingIn } from '../../state/select.ts';
import { useSelect, useStore } from '../../state/react.ts';
import { texts } from './texts.ts';

/** Who types here now. Its place is kept, so that nothing moves when somebody begins. */
export function TypingLine({ conversation }: { readonly conversation: Conversation | undefined }) {
  const t = useTexts(texts);
  const store = useStore();
  const names = useSelect(store, (state) =>
    conversation === undefined
      ? NOBODY
      : typingIn(state, conversation).map((id) => personOf(state, id)?.fullName ?? t.unknown),
  );
  const [a = '', b = '', c = ''] = names.map((name) => `\u2068${name}\u2069`);
  const text = [
    '',
    t.typingOne({ a }),
    t.typingTwo({ a, b }),
    t.typingThree({ a, b, c }),
    t.typingMany,
  ][Math.min(names.length, 4)];
  return (
    <p className="h-5 truncate px-4 text-small text-muted" aria-live="off">
      {text}
    </p>
  );
}

const NOBODY: readonly string[] = [];
