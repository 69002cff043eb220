// A bot as its author would write it: the settings file of its account, and one loop over events. Each
// event is passed on to the test that started it. The loop has no end, so it has a process of its own.
import zulip from 'zulip-js';

const [zuliprc = '', ...types] = process.argv.slice(2);
const client = await zulip({ zuliprc });
await client.callOnEachEvent(
  (event) => process.send?.(event),
  types.length === 0 ? undefined : types,
);
