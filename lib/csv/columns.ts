/** Names of columns are compared without case, spaces and the marks `. _ * < > -`: `Adj Close**`, `adj_close` and `adjClose` are the same. */
export const toColumnKey = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s._*<>-]+/g, '')

/**
 * The index of the first of these columns that the header has; undefined if it has none. Names are as {@link toColumnKey} makes them.
 * `double` is a name that the header has twice.
 */
export function findColumn(
  header: readonly string[],
  names: readonly string[],
): { at: number | undefined; double: string | null } {
  const keys = header.map(toColumnKey)
  const name = names.find((one) => keys.includes(one))
  if (name === undefined) return { at: undefined, double: null }
  const at = keys.indexOf(name)
  return { at, double: keys.indexOf(name, at + 1) === -1 ? null : (header[at] ?? name) }
}
