// A bot as its author would write it: the settings file of its account, and one loop over events.
// It passes each event on to the test that started it. The loop has no end, so it runs in its own
// process.
import zulip from 'zulip-js';

const [zuliprc = '', ...types] = process.argv.slice(2);
const client = await zulip({ zuliprc });
await client.callOnEachEvent(
  (event) => process.send?.(event),
  types.length === 0 ? undefined : types,
);
