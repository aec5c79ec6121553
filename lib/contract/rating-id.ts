const ID = /^(?:0|-?[1-9]\d{0,15})$/

/**
 * A rating's id as an address writes it, or null where the text is none. Services may count from 0 or below it; each
 * id has one spelling, so that each rating has one address.
 */
export function parseRatingId(text: string): number | null {
  const id = ID.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(id) ? id : null
}
