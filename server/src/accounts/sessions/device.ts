// Names a browser and its system from the user agent, for people who look at their sessions. Unknown ones stay unnamed:
// the text of a user agent is anybody's.

/** The first that matches counts: many browsers also claim to be another. */
const BROWSERS: readonly (readonly [name: string, mark: RegExp])[] = [
  ['Edge', /\bEdgA?\/|\bEdgiOS\//],
  ['Opera', /\bOPR\/|\bOPT\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Vivaldi', /\bVivaldi\//],
  ['Firefox', /\bFirefox\/|\bFxiOS\//],
  ['Chrome', /\b(?:Headless)?Chrome\/|\bCriOS\/|\bChromium\//],
  ['Safari', /\bSafari\//],
  ['curl', /^curl\//],
];

const SYSTEMS: readonly (readonly [name: string, mark: RegExp])[] = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\biPhone\b|\biPad\b|\biPod\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b|\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
];

const nameIn = (agent: string, names: typeof BROWSERS): string | undefined =>
  names.find(([, mark]) => mark.test(agent))?.[0];

/** `Firefox on Linux`, one of the two names, or nothing. */
export function deviceText(agent: string): string {
  const [browser, system] = [nameIn(agent, BROWSERS), nameIn(agent, SYSTEMS)];
  return browser !== undefined && system !== undefined
    ? `${browser} on ${system}`
    : (browser ?? system ?? '');
}
