// How texts become words, for the index and for what a reader types. The server and the browser both run this file.

/** Letters of Persian that are typed in several ways, and the one that stands for all; digits. */
const TYPED = 'يىكةۀأإٱ۰۱۲۳۴۵۶۷۸۹٠١٢٣٤٥٦٧٨٩';
const MEANT = 'ییکههااا01234567890123456789';
const SPELT = /[يىكةۀأإٱ۰-۹٠-٩]/g;
/** The long dash inside words, and vowel marks: they change no word. */
const SILENT = /[\u0640\u064B-\u0652\u0654\u0670]/g;
/** Letters, digits and marks; and the signs that names of operations, codes and events have inside. */
const NAME = /[\p{L}\p{N}\p{M}_]+(?:[-./:{}]+[\p{L}\p{N}\p{M}_]+)*/gu;
const PART = /[\p{L}\p{N}\p{M}]+/gu;
const HUMP = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u;
const WORD_MAX = 64;

export const normalise = (text) =>
  text
    .normalize('NFC')
    .replaceAll(SILENT, '')
    .replaceAll('\u200C', ' ')
    .replaceAll(SPELT, (letter) => MEANT.charAt(TYPED.indexOf(letter)));

/** `clientOrderId` and `order/create` are found whole and by their parts. */
export function listWords(text) {
  const words = [];
  for (const [name] of normalise(text).matchAll(NAME)) {
    const parts = [...name.matchAll(PART)].flatMap(([part]) => part.split(HUMP));
    if (parts.length > 1) words.push(name);
    words.push(...parts);
  }
  return words.map((word) => word.toLowerCase().slice(0, WORD_MAX));
}

export const nameOf = (text) => normalise(text).trim().toLowerCase();

/** Both sides must make the index in the same way. */
export const INDEX_OPTIONS = {
  fields: ['names', 'title', 'heading', 'text'],
  storeFields: ['url', 'title', 'heading', 'excerpt', 'language', 'section', 'names'],
  tokenize: listWords,
  processTerm: (term) => term,
};

const RESULTS_MAX = 30;
const PARTS_MAX = 2;
const QUERY_MAX = 100;

/** Parts of one page must not crowd out others. */
function fewOfEach(results) {
  const shown = new Map();
  return results.filter(({ url }) => {
    const [page] = url.split('#', 1);
    shown.set(page, (shown.get(page) ?? 0) + 1);
    return shown.get(page) <= PARTS_MAX;
  });
}

/** What is found for a query, best first: exact names, then pages in the reader's language. */
export function find(index, query, language) {
  const asked = query.slice(0, QUERY_MAX);
  const name = nameOf(asked);
  const found = index.search(asked, {
    combineWith: 'AND',
    boost: { names: 8, title: 5, heading: 3 },
    prefix: (term) => term.length > 1,
    fuzzy: (term) => (term.length > 4 && !/\d/.test(term) ? 0.2 : false),
    boostDocument: (_id, _term, stored) => (stored?.language === language ? 3 : 1),
  });
  const isNamed = (result) => result.names.split('\n').includes(name);
  const sorted = [...found.filter(isNamed), ...found.filter((one) => !isNamed(one))];
  return fewOfEach(sorted).slice(0, RESULTS_MAX);
}
