import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Archive } from '#lib/archive/archive.ts'
import { selectRating, selectRatings } from '#lib/archive/ratings/ratings.ts'
import { QUALITIES } from '#lib/contract/quality.ts'
import type { IncomingRating } from '#lib/contract/rating.ts'
import { EVERY_RATING } from '#lib/contract/ratings-query.ts'
import { only } from '#lib/contract/value-list.ts'
import {
  aCommunity,
  anInstant,
  aRating,
  importRows,
  makeRating,
  openMemory,
  START,
} from '#testing/archive/arbitrary.ts'
import { deriveRows } from '#testing/archive/oracle.ts'
import { draws, SEED } from '#testing/draws.ts'
import { toCanonicalJson } from './staged-import.ts'

type Step = { rows: IncomingRating[]; rejected: number[]; whole: { at: number } | undefined }

const aStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    rows: aCommunity,
    rejected: fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 5 }),
    whole: anInstant.map((at) => ({ at })),
  }),
  fc.record({
    rows: fc.array(aRating, { maxLength: 8 }),
    rejected: fc.constant<number[]>([]),
    whole: fc.constant(undefined),
  }),
)

type Model = { rows: Map<number, IncomingRating>; vanished: Map<number, number> }

function step(model: Model, { rows, rejected, whole }: Step) {
  const given = new Map(rows.map((row) => [row.rating.id, row]))
  const newest = Math.max(...rows.map(({ rating }) => rating.created_at), Number.NEGATIVE_INFINITY)
  const until = Math.min(newest, whole?.at ?? newest)
  const expected = [...model.rows.values()].filter(
    ({ rating }) => rating.created_at <= until && !model.vanished.has(rating.id),
  )
  const gone = expected.filter(({ rating: { id } }) => !given.has(id) && !rejected.includes(id))
  const ids = [...given.keys()]
  const same = (id: number) =>
    toCanonicalJson(model.rows.get(id) ?? null) === toCanonicalJson(given.get(id) ?? null)
  const outcome = {
    inserted: ids.filter((id) => !model.rows.has(id)).length,
    updated: ids.filter((id) => model.rows.has(id) && !same(id)).length,
    unchanged: ids.filter((id) => model.rows.has(id) && same(id)).length,
    returned: ids.filter((id) => model.vanished.has(id)).length,
    vanished: whole ? gone.length : 0,
  }
  for (const [id, row] of given) {
    model.rows.set(id, row)
    model.vanished.delete(id)
  }
  if (whole) for (const { rating } of gone) model.vanished.set(rating.id, whole.at)
  return { outcome, counted: { vanished: gone.length, expected: expected.length } }
}

const likeBefore = (row: IncomingRating, { rows }: Model): IncomingRating =>
  row.rating.tally_agree < 7 ? (rows.get(row.rating.id) ?? row) : row

const LAST = START + 400 * 86_400

async function readAll(archive: Archive) {
  const query = { ...EVERY_RATING, per_page: 500 }
  const { rows } = await selectRatings(archive.reader, query, { at: LAST })
  const lenses = await Promise.all(
    QUALITIES.map(async (name) => {
      const lens = { ...query, quality: only(name) }
      const under = await selectRatings(archive.reader, lens, { at: LAST })
      return { name, ids: under.rows.map(({ id }) => id) }
    }),
  )
  const found = await Promise.all(
    rows.map(
      async ({ id }) => await selectRating(archive.reader, { id, asof: null }, { at: LAST }),
    ),
  )
  return found
    .flatMap((one) => (one ? [one.rating] : []))
    .map((rating) => ({
      id: rating.id,
      vanished_at: rating.vanished_at,
      effective_until: rating.effective_until,
      previous_rating: rating.previous_rating,
      previous_prediction: rating.previous_prediction,
      quality: lenses.filter(({ ids }) => ids.includes(rating.id)).map(({ name }) => name),
    }))
    .sort((a, b) => a.id - b.id)
}

const toSeen = ({ rows, vanished }: Model) =>
  deriveRows([...rows.values()], vanished)
    .map((row) => ({
      id: row.id,
      vanished_at: row.vanished_at,
      effective_until: Number.isFinite(row.effectiveUntil) ? row.effectiveUntil : null,
      previous_rating: row.previous_rating,
      previous_prediction: row.previous_prediction,
      quality: row.quality,
    }))
    .sort((a, b) => a.id - b.id)

const ROUNDS_MAX = 10

test('over any history of dumps and pages, exactly what a dump should hold and lacks is marked, until it comes again', async () => {
  const steps = fc.array(aStep, { minLength: 2, maxLength: 6 })
  const runs = draws(12)
  let [marked, cameAsBefore] = [0, 0]
  const isEnough = () => marked > 0 && (runs < 12 || cameAsBefore > 0)
  for (let rounds = 0; rounds < ROUNDS_MAX && !isEnough(); rounds += 1) {
    await fc.assert(
      fc.asyncProperty(steps, fc.constantFrom(0, 15, 1000), async (history, rebuildAbove) => {
        const archive = await openMemory({ rebuildAbove })
        const model: Model = { rows: new Map(), vanished: new Map() }
        for (const drawn of history) {
          const next = { ...drawn, rows: drawn.rows.map((row) => likeBefore(row, model)) }
          const { generation } = archive.state()
          const expected = step(model, next)
          const rejected = next.rejected.map((id) => ({ reason: 'x', raw: JSON.stringify({ id }) }))
          const { whole } = next
          const source = { kind: 'dump', name: '2024-01-07' } as const
          const outcome = await archive.import(source, async (run) => {
            await run.append(next.rows, rejected)
            expect(await run.countVanished(whole)).toEqual(expected.counted)
            return { completeTo: null, ...(whole ? { whole } : {}) }
          })
          expect(outcome).toMatchObject(expected.outcome)
          const { inserted, updated, vanished, returned } = outcome
          const isOther = inserted + updated + vanished + returned > 0
          expect(outcome.generation).toBe(isOther ? generation + 1 : generation)
          expect(archive.state().vanished).toBe(model.vanished.size)
          expect(await readAll(archive)).toEqual(toSeen(model))
          marked += vanished
          cameAsBefore += Math.max(0, returned - updated)
        }
        await archive.close()
      }),
      { numRuns: runs, seed: SEED + rounds },
    )
  }
  expect(isEnough()).toBe(true)
}, 120_000)

const lose = async (archive: Archive, kept: readonly IncomingRating[], at: number) =>
  await importRows(archive, kept, null, { at })

test('an instant before it vanished knows nothing of that', async () => {
  const archive = await openMemory()
  const [first, second] = [makeRating({ id: 1 }), makeRating({ id: 2, user_id: 2 })]
  await importRows(archive, [first, second])
  const at = START + 500
  expect(await lose(archive, [second], at)).toMatchObject({ vanished: 1, generation: 2 })
  const seenAt = async (asof: number | null) =>
    (await selectRating(archive.reader, { id: 1, asof }, { at: START + 1000 }))?.rating
  expect(await seenAt(at - 1)).toMatchObject({
    vanished_at: null,
    state: 'active',
    effective_until: null,
  })
  expect(await seenAt(null)).toMatchObject({
    vanished_at: at,
    state: 'expired',
    effective_until: at,
  })
  const idsOf = async (asof: number) => {
    const query = { ...EVERY_RATING, quality: only('vanished' as const), asof }
    return (await selectRatings(archive.reader, query, { at: START + 1000 })).rows.map(
      ({ id }) => id,
    )
  }
  expect([await idsOf(at - 1), await idsOf(at)]).toEqual([[], [1]])
  await archive.close()
})
