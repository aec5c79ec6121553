import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import type { Archive } from '#lib/archive/archive.ts'
import { createRandom } from '#lib/statistics/random.ts'
import { importRows, makeRating, openMemory } from '#testing/archive/arbitrary.ts'
import {
  compareNaively,
  judgeNaively,
  type LookupEvent,
  medianNaively,
  type Rated,
  ratiosNaively,
  toKnownNaively,
} from '#testing/archive/attention-oracle.ts'
import { draws } from '#testing/draws.ts'
import { selectAttentionOverview, selectLeagueAttention } from './attention-overview.ts'
import { toMedianRatio } from './before-changes.ts'

const DAY = 86_400
const KNOWN_TO = 1_709_442_000

const opened: Archive[] = []
afterEach(async () => {
  for (const archive of opened.splice(0)) await archive.close()
})

async function open(looked: readonly LookupEvent[], rated: readonly Rated[]): Promise<Archive> {
  const archive = await openMemory()
  opened.push(archive)
  await importRows(
    archive,
    rated.map(({ until, ...rating }) => makeRating({ ...rating, expired_at: until })),
  )
  await archive.lookups.replace(
    {
      edition: '2024-03-03',
      sha256: 'a',
      knownTo: KNOWN_TO,
      columns: ['symbol', 'created_at'],
    },
    async ({ append }) =>
      await append(
        looked.map(({ symbol, created_at }, index) => ({
          line: index + 2,
          cells: [symbol, String(created_at), '', '', ''],
          problem: null,
        })),
      ),
  )
  return archive
}

const aSymbol = fc.constantFrom('A', 'B', 'C')
const anInstant = fc.integer({ min: KNOWN_TO - 80 * DAY, max: KNOWN_TO - 1 })
const aLooked = fc.record({ symbol: aSymbol, created_at: anInstant })
const aRated = fc.record({
  user_id: fc.integer({ min: 1, max: 3 }),
  symbol: aSymbol,
  rating: fc.integer({ min: 1, max: 5 }),
  created_at: anInstant,
})
function toRated(drawn: readonly Omit<Rated, 'id' | 'until'>[]): Rated[] {
  const rated = drawn.map((one, index) => ({ ...one, id: index + 1 }))
  return rated.map((one) => {
    const later = rated.filter(
      (other) =>
        other.user_id === one.user_id &&
        other.symbol === one.symbol &&
        (other.created_at > one.created_at ||
          (other.created_at === one.created_at && other.id > one.id)),
    )
    const next = Math.min(...later.map((other) => other.created_at))
    return { ...one, until: Math.min(next, one.created_at + 60 * DAY) }
  })
}

describe('what look-ups say of symbols', () => {
  it('is what is counted one by one, whatever the instant', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(aLooked, { minLength: 1, maxLength: 150, size: 'max' }),
        fc.array(aRated, { maxLength: 60, size: 'max' }),
        fc.integer({ min: KNOWN_TO - 60 * DAY, max: KNOWN_TO + 9 * DAY }),
        async (looked, drawn, at) => {
          const rated = toRated(drawn)
          const archive = await open(looked, rated)
          const known = toKnownNaively(looked, { knownTo: KNOWN_TO, at })
          const found = await selectLeagueAttention(archive.reader, { at })
          expect(found === null).toBe(known === null)
          if (!known || !found) return
          for (const [key, figures] of found) {
            expect(figures, key).toEqual(judgeNaively(looked, key, known))
          }
          const overview = await selectAttentionOverview(archive.reader, { at })
          const { more, fewer } = compareNaively(looked, rated, { end: known.end, at })
          const toText = (ratio: number) => (Number.isFinite(ratio) ? ratio.toFixed(2) : null)
          expect(overview.hardly_rated).toEqual(
            more.map(({ ratio, ...row }) => ({ ...row, ratio: toText(ratio) })),
          )
          expect(overview.hardly_looked_up).toEqual(
            fewer.map(({ ratio, ...row }) => ({ ...row, ratio: toText(ratio) })),
          )
          const busy = ['A', 'B', 'C'].filter((key) => found.get(key)?.is_busy)
          expect(overview.busy.map(({ symbol }) => symbol).sort()).toEqual(busy)
        },
      ),
      { numRuns: draws(24) },
    )
  })

  it('before changes is the median of each symbol, change by change, and of the random instants beside them', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(aLooked, { minLength: 60, maxLength: 200, size: 'max' }),
        fc.array(aRated, { minLength: 20, maxLength: 80, size: 'max' }),
        async (looked, drawn) => {
          const five = <T extends { symbol: string }>(rows: readonly T[]): T[] =>
            rows.flatMap((row) =>
              [1, 2, 3, 4, 5].map((nth) => ({ ...row, symbol: `${row.symbol}${nth}` })),
            )
          const [looks, rated] = [five(looked), toRated(five(drawn))]
          const archive = await open(looks, rated)
          const overview = await selectAttentionOverview(archive.reader, { at: KNOWN_TO })
          const known = toKnownNaively(looks, { knownTo: KNOWN_TO, at: KNOWN_TO })
          if (!known) throw new Error('nothing is known')
          for (const direction of ['up', 'down'] as const) {
            const found = overview[direction === 'up' ? 'before_upgrades' : 'before_downgrades']
            const naive = ratiosNaively(looks, rated, known, direction)
            const counted = naive.filter(({ ratios }) => ratios.length > 0)
            const changes = counted.reduce((sum, { ratios }) => sum + ratios.length, 0)
            expect(found).toMatchObject({ changes, symbols: counted.length })
            const medians = counted.map(({ ratios }) => medianNaively(ratios))
            const placebos = naive.flatMap(({ placebos: some }) =>
              some.length === 0 ? [] : [medianNaively(some)],
            )
            const expected = (values: readonly number[]) =>
              values.length < 5 ? null : medianNaively(values)
            expectClose(found.median, expected(medians))
            expectClose(found.placebo.median, expected(placebos))
          }
        },
      ),
      { numRuns: draws(12) },
    )
  })

  it('as of an instant is what it would be if nothing had come later', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(aLooked, { minLength: 20, maxLength: 120, size: 'max' }),
        fc.array(aRated, { minLength: 5, maxLength: 50, size: 'max' }),
        fc.integer({ min: KNOWN_TO - 40 * DAY, max: KNOWN_TO - 1 }),
        async (looked, drawn, at) => {
          const past = drawn.filter((one) => one.created_at <= at)
          const early = looked.filter((one) => one.created_at <= at)
          if (early.length === 0) return
          const rated = toRated([...past, ...drawn.filter((one) => one.created_at > at)])
          const all = await selectAttentionOverview((await open(looked, rated)).reader, { at })
          const then = await selectAttentionOverview((await open(early, toRated(past))).reader, {
            at,
          })
          expect(all).toEqual(then)
        },
      ),
      { numRuns: draws(12) },
    )
  })

  it('never calls the symbol with most ratings hardly rated, and orders by look-ups for each active rating', async () => {
    const looked = (symbol: string, count: number) =>
      Array.from({ length: count }, (_, index) => ({ symbol, created_at: KNOWN_TO - 1 - index }))
    const rated = (symbol: string, first: number, count: number) =>
      Array.from({ length: count }, (_, index) => ({
        id: first + index,
        user_id: first + index,
        symbol,
        rating: 3,
        created_at: KNOWN_TO - DAY,
        until: KNOWN_TO + DAY,
      }))
    const archive = await open(
      [
        ...looked('MOST', 400),
        ...looked('LESS', 48),
        ...looked('LEAST', 30),
        ...looked('DULL', 20),
      ],
      [
        ...rated('MOST', 1, 40),
        ...rated('LESS', 100, 6),
        ...rated('LEAST', 200, 3),
        ...rated('DULL', 300, 20),
      ],
    )
    const { hardly_rated } = await selectAttentionOverview(archive.reader, { at: KNOWN_TO })
    expect(hardly_rated.map(({ symbol, lookups, active }) => [symbol, lookups / active])).toEqual([
      ['LEAST', 10],
      ['LESS', 8],
    ])
  })

  it('is nothing where no look-ups were imported', async () => {
    const archive = await openMemory()
    opened.push(archive)
    expect(await selectAttentionOverview(archive.reader, { at: KNOWN_TO })).toMatchObject({
      known_from: null,
      known_to: null,
      busy: [],
      hardly_rated: [],
      before_upgrades: { changes: 0, median: null, is_told: false },
    })
    expect(await selectLeagueAttention(archive.reader, { at: KNOWN_TO })).toBeNull()
  })
})

function expectClose(text: string | null, value: number | null): void {
  expect(text === null).toBe(value === null)
  expect(Math.abs(Number(text) - (value ?? 0))).toBeLessThanOrEqual(0.005 + 1e-9)
}

describe('attention before changes', () => {
  const random = createRandom(7)
  const symbols = Array.from({ length: 40 }, (_, index) => `S${index}`)

  async function openPlanted(isPlanted: boolean): Promise<Archive> {
    const begin = KNOWN_TO - 200 * DAY
    const rated = symbols.flatMap((symbol, index) =>
      [60, 100, 140, 180].map((day, nth) => ({
        user_id: 1,
        symbol,
        rating: nth + 1,
        created_at: begin + day * DAY + index * 600,
      })),
    )
    const looked = symbols.flatMap((symbol) => {
      const usual = Array.from({ length: 1000 }, () => begin + Math.floor(random() * 200 * DAY))
      const more = rated
        .filter((one) => isPlanted && one.symbol === symbol)
        .flatMap((one) =>
          Array.from({ length: 70 }, () => one.created_at - 1 - Math.floor(random() * 7 * DAY)),
        )
      return [...usual, ...more].map((created_at) => ({ symbol, created_at }))
    })
    return await open(looked, toRated(rated))
  }

  it('that was planted is found, and told apart from random instants', async () => {
    const archive = await openPlanted(true)
    const { before_upgrades: found } = await selectAttentionOverview(archive.reader, {
      at: KNOWN_TO,
    })
    expect(found).toMatchObject({ changes: 120, symbols: 40, is_told: true })
    expect(Number(found.median)).toBeGreaterThan(2)
    expect(Number(found.placebo.median)).toBeLessThan(1.6)
  })

  it('where there is none, none is told', async () => {
    const archive = await openPlanted(false)
    const { before_upgrades: found } = await selectAttentionOverview(archive.reader, {
      at: KNOWN_TO,
    })
    expect(found.is_told).toBe(false)
    expect(Number(found.median)).toBeCloseTo(1, 0)
  })
})

describe('a median over symbols', () => {
  it('has an interval that holds what is true in about 95 of 100 cases', () => {
    const random = createRandom(11)
    const cases = 80
    let held = 0
    for (let nth = 0; nth < cases; nth += 1) {
      const found = toMedianRatio(Array.from({ length: 31 }, () => random() * 2))
      if (found && found.low <= 1 && found.high >= 1) held += 1
    }
    expect(held).toBeGreaterThanOrEqual(64)
    expect(held).toBeLessThan(cases)
  })

  it('is that value where all say the same, and nothing over too few', () => {
    expect(toMedianRatio([2, 2, 2, 2, 2])).toEqual({ median: 2, low: 2, high: 2 })
    expect(toMedianRatio([1, 2, 3, 4])).toBeNull()
  })
})
