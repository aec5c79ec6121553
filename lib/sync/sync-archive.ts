import type { Archive } from '#lib/archive/archive.ts'
import { selectQuarantine } from '#lib/archive/quarantine/quarantine.ts'
import { type PostingRate, selectPostingRate } from '#lib/archive/ratings/posting-rate.ts'
import { selectKnownIds, selectRatings } from '#lib/archive/ratings/ratings.ts'
import type { QuarantinedRow } from '#lib/contract/answers/status.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'

/** A separate type, so that simulations run without a database. */
export type SyncArchive = Pick<Archive, 'state' | 'import'> & {
  selectKnownIds(ids: readonly number[]): Promise<Set<number>>
  selectQuarantine(limit: number): Promise<Pick<QuarantinedRow, 'raw'>[]>
  selectPostingRate(): Promise<PostingRate | null>
  /** `at` in Unix seconds. */
  countRatings(query: RatingsQuery, at: number): Promise<number>
}

export const toSyncArchive = (archive: Archive): SyncArchive => ({
  state: () => archive.state(),
  import: async (source, fill) => await archive.import(source, fill),
  selectKnownIds: async (ids) => await selectKnownIds(archive.reader, ids),
  selectQuarantine: async (limit) => await selectQuarantine(archive.reader, limit),
  selectPostingRate: async () => await selectPostingRate(archive.reader),
  countRatings: async (query, at) => (await selectRatings(archive.reader, query, { at })).total,
})
