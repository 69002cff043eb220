// What will be sent: each field by its name, with what it was before where it was known.
import { useLocale } from '../../i18n/locale.tsx';
import { writeDecimal } from '../../i18n/number.ts';
import { useTexts } from '../../i18n/texts.ts';
import { texts } from './texts.ts';

export interface Change {
  readonly name: string;
  /** Undefined where nothing was, or where nobody but the engine knows it. */
  readonly before?: string | undefined;
  readonly after: string;
}

const DECIMAL = /^-?\d+(?:\.\d+)?$/u;

export function Changes({ changes }: { readonly changes: readonly Change[] }) {
  const t = useTexts(texts);
  return (
    <dl
      aria-label={t.changes}
      className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)] gap-x-4 rounded-control border border-line px-3 max-tablet:grid-cols-1"
    >
      {changes.map(({ name, before, after }, index) => (
        // Changes stand in the order of the form.
        <div
          key={index}
          className="col-span-full grid grid-cols-subgrid border-b border-line py-1.5 last:border-0"
        >
          <dt className="min-w-0 break-words text-muted">{name}</dt>
          <dd className="flex min-w-0 flex-wrap items-baseline gap-x-2">
            {before !== undefined && (
              <>
                <span className="sr-only">{t.before}</span>
                <del className="min-w-0 break-all text-muted">
                  <Value text={before} />
                </del>
                <span className="sr-only">{t.after}</span>
              </>
            )}
            <span className="min-w-0 font-medium break-all">
              <Value text={after} />
            </span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Numbers in the digits of the reader, and everything in its own direction. */
function Value({ text }: { readonly text: string }) {
  const t = useTexts(texts);
  const locale = useLocale();
  if (text === '') return t.empty;
  return DECIMAL.test(text) ? (
    <bdi dir="ltr" className="figures">
      {writeDecimal(text, locale)}
    </bdi>
  ) : (
    <bdi>{text}</bdi>
  );
}
