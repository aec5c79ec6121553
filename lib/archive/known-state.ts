import type { Kysely } from 'kysely'
import { actionLabel, ratingLabel } from '#lib/contract/rating-codes.ts'
import type { ArchiveState } from './archive.ts'
import { type BinEdges, loadBinEdges } from './bin-edges.ts'
import { type KnownGaps, loadGaps } from './gaps.ts'
import type { Tables } from './tables.ts'

/** The label of each code: the one on the rating that was posted last. */
export type Labels = { rating: (code: number) => string; action: (code: number) => string }

/** What is kept in memory between two commits. */
export type KnownState = { state: ArchiveState; labels: Labels; edges: BinEdges; gaps: KnownGaps }

/** What was known `before` of the ratings is still true where the generation is the same. */
export async function loadKnownState(db: Kysely<Tables>, before?: KnownState): Promise<KnownState> {
  const journal = await db
    .selectFrom('journal')
    .select(['generation', 'complete_to', 'quarantine_dropped'])
    .executeTakeFirstOrThrow()
  const gaps = await loadGaps(db, before?.gaps)
  const state = {
    ratings: await countRows(db, 'rating'),
    generation: journal.generation,
    completeTo: journal.complete_to,
    quarantined: (await countRows(db, 'quarantine')) + journal.quarantine_dropped,
    vanished: await countVanished(db),
    gaps: gaps.gaps,
  }
  if (before?.state.generation === journal.generation) return { ...before, state, gaps }
  return { state, labels: await loadLabels(db), edges: await loadBinEdges(db), gaps }
}

async function countVanished(db: Kysely<Tables>): Promise<number> {
  const { vanished } = await db
    .selectFrom('rating')
    .select((eb) => eb.fn.countAll<number>().as('vanished'))
    .where('vanished_at', 'is not', null)
    .executeTakeFirstOrThrow()
  return vanished
}

async function countRows(db: Kysely<Tables>, table: 'rating' | 'quarantine'): Promise<number> {
  const row = await db
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as('rows'))
    .executeTakeFirstOrThrow()
  return row.rows
}

async function loadLabels(db: Kysely<Tables>): Promise<Labels> {
  const ratings = new Map(await selectLabels(db, 'rating', 'rating_label'))
  const actions = new Map(await selectLabels(db, 'action', 'action_label'))
  return {
    rating: (code) => ratings.get(code) ?? ratingLabel(code),
    action: (code) => actions.get(code) ?? actionLabel(code),
  }
}

/** Oldest first, so that a map keeps the newest. */
async function selectLabels(
  db: Kysely<Tables>,
  code: 'rating' | 'action',
  label: 'rating_label' | 'action_label',
): Promise<[number, string][]> {
  const rows = await db
    .selectFrom('rating')
    .select((eb) => [
      eb.ref(code).as('code'),
      eb.ref(label).as('label'),
      eb.fn.max('created_at').as('newest'),
    ])
    .groupBy([code, label])
    .orderBy('newest')
    .orderBy(label)
    .execute()
  return rows.map((row) => [row.code, row.label])
}
