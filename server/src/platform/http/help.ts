// Every error answer of both APIs links to its entry in the documentation. The address is relative: it is right
// behind any proxy, and on any port.

/** The value of the header `Link` for an error with this code. */
export const helpLink = (code: string): string => `</docs/errors/${code}/>; rel="help"`;
