// The venue as an exchange of the library, over HTTP.
import { RialtoWallet } from './rest/wallet.ts';

/** `new rialto({ baseUrl: 'https://venue.example/v1', apiKey, secret })`. */
export class rialto extends RialtoWallet {}
