// The page's content policy refuses strings where HTML is expected. react-aria empties its live region with
// `innerHTML = ''`, so the default policy lets the empty string pass, and nothing else: anything longer is refused and
// throws where it was tried.

type Rule = (text: string) => string | null;

interface Policy {
  createScriptURL(text: string): unknown;
}

interface PolicyFactory {
  createPolicy(
    name: string,
    rules: { readonly createHTML?: Rule; readonly createScriptURL?: Rule },
  ): Policy;
}

declare global {
  interface Window {
    readonly trustedTypes?: PolicyFactory;
  }
}

/** Called once, before the first component is drawn. Browsers without Trusted Types have nothing to be told. */
export function allowEmptyHtml(factory: PolicyFactory | undefined = window.trustedTypes): void {
  factory?.createPolicy('default', { createHTML: (text) => (text === '' ? '' : null) });
}

/** A policy can be made once. */
let workerPolicy: Policy | undefined;

/** The address of our service worker, in a form that the content policy accepts. */
export function workerAddress(
  language: 'en' | 'fa',
  factory: PolicyFactory | undefined = window.trustedTypes,
): string {
  const address = `/sw.js?lang=${language}`;
  workerPolicy ??= factory?.createPolicy('worker', {
    createScriptURL: (text) => (/^\/sw\.js\?lang=(?:en|fa)$/.test(text) ? text : null),
  });
  // The browser takes the trusted form; the types of the DOM know text alone.
  return (workerPolicy?.createScriptURL(address) ?? address) as string;
}
