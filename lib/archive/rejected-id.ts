const INTEGER = /^[+-]?\d{1,16}$/

/** An object that was cut off behind its id: a name in quotes right behind a brace or comma is never within a text. */
const CUT_OFF = /^\{(?:"id"|.*?[{,]"id"):"?([+-]?\d{1,16})"?,/s

/**
 * The id that can be read from a row that is no rating, of the JSON that is kept of it: an object of fields, or the
 * cells of a record whose first one the layout of dumps says is the id. Null where there is none.
 */
export function readRejectedId(raw: string): number | null {
  const id = Number(readIdText(raw) ?? Number.NaN)
  return Number.isSafeInteger(id) ? id : null
}

function readIdText(raw: string): string | undefined {
  const value = parse(raw)
  if (value === undefined) return CUT_OFF.exec(raw)?.[1]
  if (typeof value !== 'object' || value === null) return undefined
  const id: unknown = Array.isArray(value) ? value[0] : 'id' in value ? value.id : undefined
  const text = typeof id === 'number' ? String(id) : id
  return typeof text === 'string' && INTEGER.test(text) ? text : undefined
}

function parse(raw: string): unknown {
  try {
    return JSON.parse(raw)
  } catch {
    return undefined
  }
}
