import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import Papa from 'papaparse'
import { expect, test } from 'vitest'
import type { Rating } from '#lib/contract/rating.ts'
import { EVERY_RATING } from '#lib/contract/ratings-query.ts'
import { importRows, openMemory, START } from './arbitrary.test-support.ts'

/** Real ratings in the dump layout, where a checkout has them beside it; they are no part of the project. */
const CSV = resolve('../shared/data/broker-ratings.csv')

const readRows = (): Rating[] =>
  Papa.parse<Record<string, string>>(readFileSync(CSV, 'utf8'), {
    header: true,
    skipEmptyLines: true,
  }).data.map((row) => ({
    id: Number(row.id),
    user_id: Number(row.user_id),
    symbol: row.symbol ?? '',
    rating: Number(row.rating),
    rating_label: row.rating_label ?? '',
    action: Number(row.action),
    action_label: row.action_label ?? '',
    prediction: row.prediction ?? '',
    tally_agree: Number(row.tally_agree),
    tally_disagree: Number(row.tally_disagree),
    tally_comment: Number(row.tally_comment),
    created_at: Number(row.created_at),
    created_at_date: row.created_at_date ?? '',
    expired_at: row.expired_at ? Number(row.expired_at) : null,
    expired_at_date: row.expired_at_date || null,
  }))

/** One walk through time, with each member's last word on each symbol at hand. */
function countPlainly(rows: readonly Rating[]) {
  const count = {
    strong_buy_negative: 0,
    upgraded_false: 0,
    initiated_twice: 0,
    expired_before_created: 0,
    extreme_prediction: 0,
    flip_within_day: 0,
    vanished: 0,
  }
  const last = new Map<string, Rating>()
  for (const row of [...rows].sort((a, b) => a.created_at - b.created_at || a.id - b.id)) {
    const own = `${row.user_id} ${row.symbol.toUpperCase()}`
    const before = last.get(own)
    last.set(own, row)
    if (row.rating === 5 && Number(row.prediction) < 0) count.strong_buy_negative += 1
    if (Math.abs(Number(row.prediction)) >= 100) count.extreme_prediction += 1
    if (row.expired_at && row.expired_at <= row.created_at) count.expired_before_created += 1
    if (row.action === 1 && before) count.initiated_twice += 1
    if (row.action === 2 && (!before || before.rating >= row.rating)) count.upgraded_false += 1
    if (!before || row.created_at - before.created_at >= 86_400) continue
    const [low, high] = [Math.min(row.rating, before.rating), Math.max(row.rating, before.rating)]
    if (low <= 2 && high >= 4) count.flip_within_day += 1
  }
  return count
}

test.skipIf(!existsSync(CSV))(
  'each lens counts on real ratings what a plain walk through them counts',
  async () => {
    const rows = readRows()
    const archive = await openMemory()
    await importRows(
      archive,
      rows.map((rating) => ({ rating, extra: null })),
    )
    const { quality } = await archive.selectFacets(EVERY_RATING, { at: START })
    expect(Object.fromEntries(quality.map(({ value, count }) => [value, count]))).toEqual(
      countPlainly(rows),
    )
    await archive.close()
  },
  60_000,
)
