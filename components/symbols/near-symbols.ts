import { toSymbolHref } from '#lib/contract/page-addresses.ts'
import { toSearchKey } from '#lib/contract/rating-fields.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'

type NearSymbol = { symbol: string; ratings: number }

/** `close` are likely misspellings, `alike` share the beginning. */
export type NearSymbols = Readonly<Record<'close' | 'alike', readonly NearSymbol[]>>

export const toNearLink = ({ symbol, ratings }: NearSymbol) => ({
  name: toVisibleText(symbol),
  href: toSymbolHref(symbol),
  ratings,
})

export const NEAR_MAX = 8

export const BEGINNING = 2

/** Misspellings first, then completions, then symbols with the same beginning. */
export function selectNearSymbols(
  asked: string,
  found: {
    close: readonly NearSymbol[]
    longer: readonly NearSymbol[]
    begun: readonly NearSymbol[]
  },
): NearSymbols {
  const beginsWith = (begin: string) => (row: NearSymbol) =>
    toSearchKey(row.symbol).startsWith(toSearchKey(begin))
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
