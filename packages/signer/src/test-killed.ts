// A signer in a process of its own, which dies at a step if it is told to: node test-killed.ts FOLDER SOCKET [STEP COUNT]
import { join } from 'node:path';
import { serve } from './serve.ts';

const [, , folder = '', socket = '', step, count = '1'] = process.argv;
let left = Number(count);
await serve({
  folder,
  socket,
  policy: join(folder, 'policy.json'),
  passphrase: 'correct horse battery staple',
  note: () => {},
  onStep(at) {
    if (at !== step) return;
    left -= 1;
    if (left === 0) process.kill(process.pid, 'SIGKILL');
  },
});
console.log('ready');
