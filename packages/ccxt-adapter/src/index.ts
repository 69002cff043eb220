// The package's public surface: `rialto` over HTTP, and `pro.rialto` with streams, as the library has its own exchanges.
import { rialtoPro } from './pro.ts';
import { rialto } from './rialto.ts';

export { rialto };
export const pro = { rialto: rialtoPro };
