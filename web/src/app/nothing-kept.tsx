// The server does not answer, and this browser keeps nothing to show: nobody has signed in here, or has left.
import { LocaleProvider, localeOf } from '../i18n/locale.tsx';
import { useTexts } from '../i18n/texts.ts';
import { ErrorState } from '../ui/error-state.tsx';
import { texts } from './texts.ts';

/** By itself on the page, in the language that the page says. */
export function NothingKept() {
  return (
    <LocaleProvider locale={localeOf(document.documentElement.lang === 'fa' ? 'fa' : 'en')}>
      <NoNetwork onRetry={() => location.reload()} />
    </LocaleProvider>
  );
}

/** Also while the client waits for its first answer, and has none of an earlier visit. */
export function NoNetwork({ onRetry }: { readonly onRetry: () => void }) {
  const t = useTexts(texts);
  return (
    <main className="flex min-h-dvh flex-col justify-center">
      <ErrorState what={t.nothingKept} why={t.nothingKeptWhy} onRetry={onRetry} />
    </main>
  );
}
