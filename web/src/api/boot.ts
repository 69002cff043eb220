// What the page itself brings along, in a block of JSON: who is signed in, and how the page is to look until more is known.

export interface Boot {
  readonly csrfToken: string;
  readonly user: {
    readonly id: number;
    readonly email: string;
    readonly fullName: string;
    /** What the person may do as an operator of the venue. Undefined in a page that was kept. */
    readonly grants?: readonly string[];
  };
  readonly language: 'en' | 'fa';
  readonly theme: string;
  readonly organization: { readonly name: string };
}

type BootPage = Pick<Document, 'getElementById'>;

/** Undefined if nobody is signed in, or the page has no such block. */
export const readBoot = (page: BootPage = document): Boot | undefined =>
  completeBoot(readBlock(page));

/** Whose venue it is; also a page for nobody in particular says it. */
export function readOrganizationName(page: BootPage = document): string {
  const block = readBlock(page);
  const organization = isRecord(block) ? block['organization'] : undefined;
  return isRecord(organization) ? String(organization['name']) : '';
}

/** Whether balances come out of nothing here, and no coin of a network goes in or out. */
export function isMoneySimulated(page: BootPage = document): boolean {
  const block = readBlock(page);
  const flags = isRecord(block) ? block['flags'] : undefined;
  return isRecord(flags) && flags['isMoneySimulated'] === true;
}

/** The page came from the service worker, because the server did not answer. It does not say who is signed in. */
export function isKeptPage(page: BootPage = document): boolean {
  const block = readBlock(page);
  return isRecord(block) && block['isKept'] === true;
}

export const completeBoot = (given: unknown): Boot | undefined =>
  isComplete(given) ? given : undefined;

function readBlock(page: BootPage): unknown {
  const text = page.getElementById('boot')?.textContent;
  return text === null || text === undefined ? undefined : JSON.parse(text);
}

const isRecord = (given: unknown): given is Readonly<Record<string, unknown>> =>
  typeof given === 'object' && given !== null;

const isComplete = (given: unknown): given is Boot =>
  isRecord(given) &&
  given['csrfToken'] !== undefined &&
  isRecord(given['user']) &&
  typeof given['user']['id'] === 'number';
