// The texts of a feature, in every language we speak. A feature keeps them beside its components:
//
//   export const texts = defineTexts({
//     en: { send: 'Send message', unread: (v: { count: number }, n: WriteCount) => plural('en', v.count, { one: '1 unread message', other: `${n(v.count)} unread messages` }) },
//     fa: { send: 'فرستادن پیام', unread: (v, n) => `${n(v.count)} پیام خوانده‌نشده` },
//   });
//   …
//   const t = useTexts(texts);
//   t.send; t.unread({ count: 4 });
//
// A key that one language lacks, or has too many, does not compile.
import { tagOf, useLocale, type Locale } from './locale.tsx';

/** Writes a count with the digits of the reader. */
export type WriteCount = (count: number) => string;

// The parameter of a function is checked against the one of English below; here any will do.
type Text = string | ((values: never, writeCount: WriteCount) => string);
type Shape = Readonly<Record<string, Text>>;

/** What a translation of `T` must have: the same keys, each a string or a function of the same values. */
type TranslationOf<T extends Shape> = {
  readonly [K in keyof T]: T[K] extends (values: infer V, writeCount: WriteCount) => string
    ? (values: V, writeCount: WriteCount) => string
    : string;
};

/** What a component gets: the digits are settled, so a function takes its values alone. */
export type TextsOf<T extends Shape> = {
  readonly [K in keyof T]: T[K] extends (values: infer V, writeCount: WriteCount) => string
    ? (values: V) => string
    : string;
};

export interface Translations<T extends Shape> {
  readonly en: TranslationOf<T>;
  readonly fa: TranslationOf<T>;
}

export function defineTexts<T extends Shape>(texts: {
  readonly en: T;
  readonly fa: TranslationOf<NoInfer<T>>;
}): Translations<T> {
  return texts as unknown as Translations<T>;
}

// Bound once for each set of texts and each locale in use, so that a component gets the same object every time.
const bound = new WeakMap<object, Map<string, unknown>>();

/** The texts in the language of `locale`. Outside of components; inside, use `useTexts`. */
export function textsFor<T extends Shape>(texts: Translations<T>, locale: Locale): TextsOf<T> {
  const ofTexts = bound.get(texts) ?? new Map<string, unknown>();
  bound.set(texts, ofTexts);
  const key = tagOf(locale);
  const known = ofTexts.get(key);
  if (known !== undefined) return known as TextsOf<T>;
  const count = new Intl.NumberFormat(key);
  const writeCount: WriteCount = (value) => count.format(value);
  const made = Object.fromEntries(
    Object.entries<Text>(texts[locale.language]).map(([name, text]) => [
      name,
      typeof text === 'string' ? text : (values: never) => text(values, writeCount),
    ]),
  ) as TextsOf<T>;
  ofTexts.set(key, made);
  return made;
}

export function useTexts<T extends Shape>(texts: Translations<T>): TextsOf<T> {
  return textsFor(texts, useLocale());
}
