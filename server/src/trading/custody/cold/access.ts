export { deleteSpends, findRequest, insertRequest, listColdOutputs } from './store.ts';
export type { ColdOutput, ColdRequest } from './store.ts';
