import fc from 'fast-check'
import type { Archive, ImportOutcome, WholeImport } from '#lib/archive/archive.ts'
import type { IncomingRating, RejectedRow } from '#lib/contract/rating.ts'
import { anInstant, aRating } from '#testing/archive/arbitrary.ts'

export type Import = {
  rows: IncomingRating[]
  rejected: RejectedRow[]
  completeTo: number | null
  whole: WholeImport | null
}

export const anOddText = fc.oneof(
  fc.constantFrom('', ' ', 'a"b', '"', 'x,y', '\n', '\r\n', '\r', '\\.', '\\N', 'NULL', "'"),
  fc.constantFrom('\u0000', '\u0001', '\u00010', 'a\u0001b', 'a\u0000\u00011', '\u0001\u0000'),
  fc.constantFrom('\ufeffa', '\u2028', '🦊', 'e\u0301', 'ß', '\u007f', '\ufffd', '\uffff'),
  fc.string({ unit: 'binary', maxLength: 12 }),
)

const aLabelled = fc
  .record({
    row: aRating,
    label: anOddText,
    date: fc.oneof(fc.constant(null), anOddText),
    note: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, anOddText),
  })
  .map(
    ({ row, label, date, note }): IncomingRating => ({
      extra: note === null ? row.extra : { note, [note]: 1 },
      rating: { ...row.rating, action_label: label, expired_at_date: date },
    }),
  )

const aRejected = fc.record({
  reason: fc.constantFrom('id: not a number', 'symbol: \u0000'),
  raw: fc.oneof(
    fc.integer({ min: 1, max: 60 }).map((id) => JSON.stringify({ id, symbol: 1 })),
    anOddText,
  ),
})

const aSize = { maxLength: 60, size: 'max' } as const

export const anImport: fc.Arbitrary<Import> = fc.record({
  rows: fc.array(aLabelled, aSize),
  rejected: fc.array(aRejected, { maxLength: 3 }),
  completeTo: fc.oneof(fc.constant(null), anInstant),
  whole: fc.oneof(
    fc.constant(null),
    anInstant.map((at) => ({ at })),
  ),
})

export const runImport = async (archive: Archive, given: Import): Promise<ImportOutcome> =>
  await archive.import({ kind: given.whole ? 'dump' : 'pages', name: 'newest' }, async (run) => {
    await run.append(given.rows, given.rejected)
    const { completeTo, whole } = given
    return { completeTo, ...(whole ? { whole } : {}) }
  })
