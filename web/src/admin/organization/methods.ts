/** The ways to sign in, as the API tells them. */
export type Methods = Readonly<
  Record<string, { readonly enabled: boolean; readonly available: boolean }>
>;

/** Those that the server is set up for. */
export const methodsOf = (methods: Methods): { readonly name: string; readonly isOn: boolean }[] =>
  Object.entries(methods)
    .filter(([, { available }]) => available)
    .map(([name, { enabled }]) => ({ name, isOn: enabled }));

export const withMethod = (methods: Methods, name: string, enabled: boolean): Methods => ({
  ...methods,
  [name]: { available: true, enabled },
});
