// A push with its number, printed once for all connections of its account.
import type { Push } from '../../batches/pushes.ts';
import { Message } from '../message.ts';
import { printPush } from './print.ts';

export class NumberedPush {
  readonly seq: number;
  readonly push: Push;
  #message: Message | undefined;

  constructor(seq: number, push: Push) {
    this.seq = seq;
    this.push = push;
  }

  get message(): Message {
    return (this.#message ??= new Message(printPush(this.seq, this.push)));
  }
}
