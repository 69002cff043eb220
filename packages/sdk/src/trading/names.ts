// How a path of the trading API becomes a method: the first word is the group, the rest is the method.

const camel = (text: string): string =>
  text.replaceAll(/[_/](\w)/g, (_mark, letter: string) => letter.toUpperCase());

/** `/private/order_list/create_oco` is `orderList.createOco`, and `/public/depth` is `public.depth`. */
export function nameOf(path: string): readonly [group: string, method: string] {
  const [group = '', ...rest] = path.replace(/^\/(private\/)?/, '').split('/');
  return [camel(group), camel(rest.join('/'))];
}
