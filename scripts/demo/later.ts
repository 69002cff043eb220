// `npm run demo:later`: a day passes for what waits a day in `demo --chains`.
import { explain } from '../../server/src/ops/trouble.ts';
import { passADay } from './chains/later.ts';

try {
  await passADay(process.env);
  console.log('New addresses of the book can be used now, and no withdrawal is frozen any more.');
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}
