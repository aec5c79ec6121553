import fc from 'fast-check'
import { expect, test } from 'vitest'
import { selectRatings } from '#lib/archive/ratings/ratings.ts'
import type { Opinion } from '#lib/contract/answers/opinion.ts'
import { EVERY_RATING, type RatingsQuery } from '#lib/contract/ratings-query.ts'
import { only } from '#lib/contract/value-list.ts'
import { holdAgainstCounting, type Question } from '#testing/archive/against-counting.ts'
import {
  aCommunity,
  aCrowd,
  importRows,
  makeRating,
  openMemory,
  START,
} from '#testing/archive/arbitrary.ts'
import { opinionOf } from '#testing/archive/opinion-oracle.ts'
import { groupBy, keyOf } from '#testing/archive/oracle.ts'
import { SEED } from '#testing/draws.ts'
import { selectOpinion } from './symbol.ts'

const DAY = 86_400

/** Crowds that are drawn until one has something to compare. */
const DRAWS = 20

/** From so many days behind the instant that is drawn, 90 days before lie among the ratings. */
const someDays = fc.integer({ min: 84, max: 96 })

const toUnits = (decimal: string) => Math.round(Number(decimal) * 10_000)

/** The ratings that a cause counts, as an address asks for them. */
function toQuery({ cause, ids }: Opinion['causes'][number], key: string, at: number): RatingsQuery {
  const own = { ...EVERY_RATING, symbol: only(key), asof: at }
  if (cause === 'ended') return { ...own, id: only(...ids), state: 'expired' }
  const posted = { ...own, state: 'active' as const, from: at - 90 * DAY + 1 }
  const codes = { upgraded: 2, downgraded: 3, initiated: 1 }
  return cause === 'repeated'
    ? { ...posted, action: { only: [], not: [1, 2, 3] } }
    : { ...posted, action: only(codes[cause]) }
}

test('the causes of a change are what plain counting gives, add up to it, and count what their address shows', async () => {
  let compared = 0
  const check = async ({ archive, rows, asked: days, at: drawn }: Question<number>) => {
    const at = drawn + days * DAY
    for (const [key, own] of groupBy(rows, keyOf)) {
      const opinion = await selectOpinion(archive.reader, key, { at })
      expect(opinion).toEqual(opinionOf(own, at))
      if (!opinion || opinion.causes.length === 0) continue
      compared += 1
      const change = opinion.changes.find((one) => one.days === 90)?.change ?? ''
      const sum = opinion.causes.reduce((all, { effect }) => all + toUnits(effect), 0)
      expect(Math.abs(sum - toUnits(change))).toBeLessThanOrEqual(3)
      for (const cause of opinion.causes) {
        const { total } = await selectRatings(archive.reader, toQuery(cause, key, at), { at })
        expect([key, cause.cause, total]).toEqual([key, cause.cause, cause.count])
      }
    }
  }
  // Of each some are drawn: in a community hardly anything is compared, so that a run of nothing else would show nothing.
  // Neither may a crowd, by chance: then others are drawn.
  for (const of of [aCommunity, aCrowd]) {
    await holdAgainstCounting(someDays, { communities: 8, questions: 2, of }, check)
  }
  for (let seed = SEED + 1; compared === 0 && seed <= SEED + DRAWS; seed += 1) {
    await holdAgainstCounting(someDays, { communities: 8, questions: 2, of: aCrowd, seed }, check)
  }
  expect(compared).toBeGreaterThan(0)
})

test('a change has the causes that a reader would name', async () => {
  const archive = await openMemory()
  const then = START + 10 * DAY
  const at = then + 90 * DAY
  const posted = (id: number, user: number, rating: number, more: object = {}) =>
    makeRating({ id, user_id: user, rating, created_at: START, ...more })
  await importRows(archive, [
    posted(1, 1, 2),
    posted(2, 2, 3),
    posted(3, 3, 3),
    posted(4, 4, 1, { expired_at: then + DAY }),
    posted(5, 1, 4, { created_at: then + 1, action: 2 }),
    posted(6, 5, 5, { created_at: at, action: 1 }),
    posted(7, 6, 5, { created_at: at + 1, action: 1 }),
  ])
  const opinion = await selectOpinion(archive.reader, 'AAPL', { at })
  // From (2 + 3 + 3 + 1) ÷ 4 to (4 + 3 + 3 + 5) ÷ 4.
  expect(opinion?.changes.at(-1)).toMatchObject({ change: '1.5000' })
  expect(opinion?.causes).toEqual([
    { cause: 'upgraded', count: 1, effect: '0.5000', ids: [] },
    { cause: 'initiated', count: 1, effect: '0.6875', ids: [] },
    { cause: 'ended', count: 1, effect: '0.3125', ids: [4] },
  ])
  // Of two active there is no consensus to compare with.
  const sooner = await selectOpinion(archive.reader, 'AAPL', { at: START - 1 + 90 * DAY })
  expect(sooner?.causes).toEqual([])
  await archive.close()
})
