import { makeRating, toCsv } from '#testing/make-ratings.ts'

const DAY_MS = 86_400_000
const DAY_SECONDS = 86_400

export function toPriceFile(symbols: readonly string[], days: number): string {
  const today = Math.floor(Date.now() / DAY_MS)
  const lines = symbols.flatMap((symbol, nth) =>
    Array.from({ length: days }, (_, index) => {
      const close = 100 + 20 * Math.sin(index / (20 + 3 * nth)) + index / 50
      const date = new Date((today - days + index) * DAY_MS).toISOString().slice(0, 10)
      return `${symbol},${date},${close.toFixed(4)}`
    }),
  )
  return ['symbol,date,close', ...lines, ''].join('\n')
}

type Posted = { symbols: readonly string[]; users: number; count: number; days: number }

export function toPostsDump({ symbols, users, count, days }: Posted): string {
  const first = Math.floor(Date.now() / 1000) - days * DAY_SECONDS
  const ratings = Array.from({ length: count }, (_, index) =>
    makeRating(index + 1, {
      user_id: 1 + (index % users),
      symbol: symbols[index % symbols.length] ?? '',
      created_at: first + Math.floor((index * days * DAY_SECONDS) / count),
    }),
  )
  return toCsv(ratings)
}
