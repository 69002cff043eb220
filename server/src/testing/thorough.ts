// The gate runs long tests in a shorter form, so that it stays below half an hour. `RIALTO_THOROUGH=1` runs them whole.
export const isThorough: boolean = process.env['RIALTO_THOROUGH'] === '1';
