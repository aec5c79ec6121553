import { toSymbolHref } from '#components/address/page-address.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'

type NearSymbol = { symbol: string; ratings: number }

/** Symbols that may have been meant by one that nobody has rated: `close` are a slip away, `alike` begin as it does. */
export type NearSymbols = Readonly<Record<'close' | 'alike', readonly NearSymbol[]>>

/** The way to its page, with its name and how many ratings there are. */
export const toNearLink = ({ symbol, ratings }: NearSymbol) => ({
  name: toVisibleText(symbol),
  href: toSymbolHref(symbol),
  ratings,
})

/** How many are offered. */
export const NEAR_MAX = 8

/** Names that only begin alike are worth a look where they share so many letters. */
export const BEGINNING = 2

/**
 * The symbols to be offered, at most {@link NEAR_MAX}: those found by their spelling, then those that go on where the asked
 * one ends, then those that share its beginning, each once.
 */
export function selectNearSymbols(
  asked: string,
  found: {
    close: readonly NearSymbol[]
    longer: readonly NearSymbol[]
    begun: readonly NearSymbol[]
  },
): NearSymbols {
  const beginsWith = (begin: string) => (row: NearSymbol) =>
    toSymbolKey(row.symbol).startsWith(toSymbolKey(begin))
  const close = found.close.slice(0, NEAR_MAX)
  const begun = [
    ...found.longer.filter(beginsWith(asked)),
    ...found.begun.filter(beginsWith(asked.slice(0, BEGINNING))),
  ]
  const known = new Set(close.map(({ symbol }) => symbol))
  const alike = [...new Map(begun.map((row) => [row.symbol, row])).values()]
  return {
    close,
    alike: alike.filter(({ symbol }) => !known.has(symbol)).slice(0, NEAR_MAX - close.length),
  }
}
