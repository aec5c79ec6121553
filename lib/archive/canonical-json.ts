/** JSON with the names of every object sorted: the same content is the same text, in whatever order it came. */
export const toCanonicalJson = (value: unknown): string => JSON.stringify(value, sortNames)

function sortNames(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
}
