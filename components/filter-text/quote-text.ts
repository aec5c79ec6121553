import { quoteValue } from '#lib/contract/value-list.ts'

// What a text would read in another way than a list of the address does: a space ends a word, a bound begins with its
// operator, two dots are a range, and `−` and `#` are what screens write before numbers.
const TAKEN = /\s|^[<>=≤≥−#]|\.\./

/** A value as it stands in a filter text: as in a list of the address, in quotes where it must be. */
export function quoteText(value: string | number): string {
  const text = quoteValue(value)
  return text.startsWith('"') || !TAKEN.test(text) ? text : `"${text}"`
}
