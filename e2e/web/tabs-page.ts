// A page with a store and nothing else, for tests of tabs, of cuts and of messages on their way.
import { readBoot } from '../../web/src/api/boot.ts';
import { createClient } from '../../web/src/api/client.ts';
import * as select from '../../web/src/state/select.ts';
import { createStore, type Store } from '../../web/src/state/store.ts';

export interface Harness {
  readonly store: Store;
  readonly select: typeof select;
  /** When the state could first be shown, by the clock of the page. */
  readyMs: number | undefined;
}

const boot = readBoot();
if (boot === undefined) throw new Error('The page has no boot block.');
const store = createStore(createClient(boot));
const harness: Harness = { store, select, readyMs: undefined };
Object.assign(globalThis, { harness });
void store.start().then(() => (harness.readyMs = performance.now()));
