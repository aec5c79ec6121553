/** Ignores case, spaces and `. _ * < > -`: `Adj Close**`, `adj_close` and `adjClose` are equal. */
export const toColumnKey = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s._*<>-]+/g, '')

/** Undefined if missing. `double`: a name that occurs twice. */
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
