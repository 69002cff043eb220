// A code and a recovery code are good once, however many processes get them at the same time, and whichever of those
// processes is killed meanwhile.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hiddenFields, openBrowser, type Browser } from '../server/src/testing/browser.ts';
import { startDeployment, type TestDeployment } from '../server/src/testing/deployment.ts';
import { examplePerson, type Person } from '../server/src/testing/example.ts';
import { giveTotp, type Authenticator } from '../server/src/testing/factors.ts';
import { startRialtoProcess, type RialtoProcess } from '../server/src/testing/rialto-process.ts';

const PASSWORD = 'correct horse 7';
const FACTOR = '/accounts/login/factor/';
const PROCESSES = 4;
const PER_PROCESS = 2;

let deployment: TestDeployment;
let processes: RialtoProcess[];
let ada: Person;
let app: Authenticator;

beforeAll(async () => {
  // Many tries, so that nothing but the code itself decides.
  const settings = {
    SIGN_IN_NAME_MAX: '1000',
    SIGN_IN_KNOWN_MAX: '1000',
    SIGN_IN_CODE_MAX: '1000',
    SIGN_IN_CODE_STREAK_MAX: '100000',
    CHAT_RATE_LIMIT_ANONYMOUS: '100000',
  };
  deployment = await startDeployment(settings);
  ada = await examplePerson(deployment.ctx, { password: PASSWORD });
  app = await giveTotp(deployment.ctx, ada);
  processes = [];
  for (let count = 0; count < PROCESSES; count += 1) {
    processes.push(await startRialtoProcess('api', deployment.environment));
  }
}, 600_000);
afterAll(async () => {
  for (const one of processes) await one.stop();
  await deployment.close();
}, 120_000);

interface Ready {
  readonly browser: Browser;
  readonly fields: Record<string, string>;
}

/** Browsers of every process, each of which has given the password. */
async function getReady(): Promise<Ready[]> {
  const ready: Ready[] = [];
  for (const { origin } of processes) {
    for (let count = 0; count < PER_PROCESS; count += 1) {
      const browser = openBrowser({ origin });
      expect((await browser.signIn(ada.email, PASSWORD)).status).toBe(303);
      ready.push({ browser, fields: hiddenFields((await browser.get(FACTOR)).text) });
    }
  }
  return ready;
}

const sessions = async (): Promise<number> => {
  const { rows } = await deployment.owner.query('SELECT FROM sessions WHERE user_id = $1', [
    ada.id,
  ]);
  return rows.length;
};

/** Sends the same answer from all browsers at once; one process may be killed before all have answered. */
async function race(answer: Record<string, string>, killed?: RialtoProcess): Promise<string[]> {
  const ready = await getReady();
  const answers = ready.map(({ browser, fields }) =>
    browser.post(FACTOR, { ...fields, ...answer }).then(
      ({ status }) => (status === 302 ? 'in' : `${status}`),
      () => 'gone',
    ),
  );
  if (killed !== undefined) {
    await Promise.race(answers);
    killed.kill('SIGKILL');
  }
  const came = await Promise.all(answers);
  await killed?.restart();
  return came;
}

const isIn = (came: string): boolean => came === 'in';

it('[I8] one code in four processes opens one session', async () => {
  const before = await sessions();
  const came = await race({ code: await app.next() });
  expect(came.filter(isIn)).toHaveLength(1);
  expect(came.filter((one) => one === '401')).toHaveLength(PROCESSES * PER_PROCESS - 1);
  expect(await sessions()).toBe(before + 1);
}, 600_000);

it('[I8] one code opens at most one session when a process is killed, also if it is sent again', async () => {
  for (const killed of processes.slice(0, 2)) {
    const before = await sessions();
    const answer = { code: await app.next() };
    const first = await race(answer, killed);
    const second = await race(answer);
    expect([...first, ...second].filter(isIn).length).toBeLessThanOrEqual(1);
    expect((await sessions()) - before).toBeLessThanOrEqual(1);
  }
}, 900_000);

it('[I8] a recovery code too', async () => {
  const plain = await race({ recovery_code: app.recoveryCodes[0] ?? '' });
  expect(plain.filter(isIn)).toHaveLength(1);
  for (const [index, killed] of processes.entries()) {
    const before = await sessions();
    const answer = { recovery_code: app.recoveryCodes[index + 1] ?? '' };
    const came = [...(await race(answer, killed)), ...(await race(answer))];
    expect(came.filter(isIn).length).toBeLessThanOrEqual(1);
    expect((await sessions()) - before).toBeLessThanOrEqual(1);
  }
}, 900_000);
