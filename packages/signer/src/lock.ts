// One signer for one folder. Two would each remember half. The name of an abstract socket is free again as soon as its process is gone,
// however that ended; where there are none (not Linux), the memory still notices a second writer.
import { createServer } from 'node:net';
import { statSync } from 'node:fs';
import { SignerFault } from './fault.ts';

export async function lockFolder(folder: string): Promise<() => void> {
  if (process.platform !== 'linux') return () => {};
  const { dev, ino } = statSync(folder);
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', () =>
      reject(new SignerFault(`Another process of the signer works in ${folder}. Stop it first.`)),
    );
    server.listen(`\0rialto-signer-${dev}-${ino}`, resolve);
  });
  server.unref();
  return () => void server.close();
}
