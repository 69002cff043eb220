// A real S3 for tests: OpenStack Swift with its S3 layer, private, on free ports, with throw-away data.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { S3 } from '@aws-sdk/client-s3';
import { EngineProcess } from '../platform/engines/engine.ts';
import { findBinaries, freePort } from '../platform/engines/process.ts';
import { randomHex } from '../platform/std/ids.ts';

export interface PrivateS3 {
  /** The settings of a server that stores its files there. */
  readonly settings: Record<string, string>;
  readonly client: S3;
  readonly bucket: string;
  remove(): Promise<void>;
}

const PROGRAMS = [
  'swift-proxy-server',
  'swift-object-server',
  'swift-container-server',
  'swift-account-server',
  'memcached',
];
const INSTALL =
  'Install OpenStack Swift: "apt install swift swift-proxy swift-account swift-container swift-object memcached" ' +
  'on Debian and Ubuntu.';
/** The interpreter that Debian's packages are installed for. */
const PYTHON = '/usr/bin/python3';
const LAUNCHER = fileURLToPath(new URL('s3-launcher.py', import.meta.url));

/** Whether the tests of S3 can run here. In CI they must; elsewhere they are skipped with a warning. */
export function canStartS3(): boolean {
  const missing = PROGRAMS.filter((name) => findBinaries([name]).length === 0);
  if (missing.length === 0 && existsSync(PYTHON)) return true;
  const what = `S3 cannot be tested without ${missing.join(', ') || PYTHON}. ${INSTALL}`;
  if (process.env['CI'] === 'true') throw new Error(what);
  console.warn(`SKIPPED. ${what}`);
  return false;
}

export async function startS3(): Promise<PrivateS3> {
  const secret = randomHex(16);
  const bucket = 'files';
  const engine = await EngineProcess.start(
    { name: 'Swift', orderly: 'SIGTERM', quick: 'SIGTERM' },
    async (place) => {
      const [account, container, object, memcached] = await Promise.all(
        Array.from({ length: 4 }, () => freePort()),
      );
      return {
        command: PYTHON,
        configure: (proxy) => [
          // A copy: the system account that runs it may not be able to read our folder.
          place.write('launcher.py', readFileSync(LAUNCHER, 'utf8')),
          place.write(
            'settings.json',
            JSON.stringify({
              folder: place.folder,
              user: 'tester',
              secret,
              ports: { account, container, object, memcached, proxy },
            }),
          ),
        ],
        probe: async (port) => {
          const answer = await fetch(`http://127.0.0.1:${port}/`);
          if (answer.status >= 500) throw new Error(`Swift answers ${answer.status}.`);
        },
      };
    },
  );
  const credentials = { accessKeyId: 'test:tester', secretAccessKey: secret };
  const endpoint = `http://127.0.0.1:${engine.port}`;
  const client = new S3({
    endpoint,
    credentials,
    region: 'us-east-1',
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 10,
  });
  await client.createBucket({ Bucket: bucket });
  return {
    client,
    bucket,
    settings: {
      S3_BUCKET: bucket,
      S3_ENDPOINT: endpoint,
      S3_ACCESS_KEY_ID: credentials.accessKeyId,
      S3_SECRET_ACCESS_KEY: secret,
    },
    async remove() {
      client.destroy();
      await engine.remove();
    },
  };
}
