import type { Kysely } from 'kysely'
import { actionLabel, ratingLabel } from '#lib/contract/rating-codes.ts'
import type { ArchiveState } from './archive.ts'
import { type BinEdges, loadBinEdges } from './bin-edges.ts'
import { type KnownGaps, loadGaps } from './gaps.ts'
import type { Tables } from './tables.ts'

/** The label of each code: the one on the rating that was posted last. */
export type Labels = { rating: (code: number) => string; action: (code: number) => string }

/** What is known of the ratings alone: true for as long as the generation is the same. */
type OfRatings = { ratings: number; vanished: number; labels: Labels; edges: BinEdges }

/** What is kept in memory between two commits. */
export type KnownState = Pick<OfRatings, 'labels' | 'edges'> & {
  state: ArchiveState
  gaps: KnownGaps
  /** The highest id of the last whole import, that `gaps` was worked out by. */
  coveredToId: number | null
}

/**
 * After a commit, or a run that was given up, only what it may have changed is asked again: of most, which bring nothing new,
 * that is nothing but the journal and how many rows are in quarantine.
 */
export async function loadKnownState(db: Kysely<Tables>, before?: KnownState): Promise<KnownState> {
  const { generation, completeTo, quarantined, coveredToId } = await loadJournal(db)
  const sameRatings = before?.state.generation === generation ? before : null
  const sameGaps =
    sameRatings?.state.quarantined === quarantined && sameRatings.coveredToId === coveredToId
      ? sameRatings.gaps
      : null
  const { ratings, vanished, labels, edges } = sameRatings
    ? { ...sameRatings, ...sameRatings.state }
    : await loadOfRatings(db)
  const gaps = sameGaps ?? (await loadGaps(db, before?.gaps))
  const state = { ratings, generation, completeTo, quarantined, vanished, gaps: gaps.gaps }
  return { state, labels, edges, gaps, coveredToId }
}

/** `quarantined` only grows: where it is the same, no row came into the quarantine and none went. */
async function loadJournal(db: Kysely<Tables>) {
  const journal = await db
    .selectFrom('journal')
    .select(['generation', 'complete_to', 'quarantine_dropped', 'covered_to_id'])
    .executeTakeFirstOrThrow()
  return {
    generation: journal.generation,
    completeTo: journal.complete_to,
    quarantined: (await countRows(db, 'quarantine')) + journal.quarantine_dropped,
    coveredToId: journal.covered_to_id,
  }
}

const loadOfRatings = async (db: Kysely<Tables>): Promise<OfRatings> => ({
  ratings: await countRows(db, 'rating'),
  vanished: await countVanished(db),
  labels: await loadLabels(db),
  edges: await loadBinEdges(db),
})

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
