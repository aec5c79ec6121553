import { AppError } from '#lib/contract/faults.ts'
import { type ParsedRow, parseRating } from '#lib/contract/rating.ts'
import type { FollowOptions, ReadPages } from '#lib/sync/reading/page-reader.ts'
import type { SyncArchive } from '#lib/sync/sync-archive.ts'
import type { ServicePage } from '#lib/upstream/upstream.ts'
import { createBareArchive, range, toRating, WEDNESDAY } from './scripted-service.ts'

type Order = 'newest' | 'oldest'
export type PastEndOf = 'empty' | 'not_found' | 'error' | 'repeats'

/** `before` runs before each answer. */
type Script = {
  ids: number[]
  pageSize: number
  order: Order
  pastEnd: PastEndOf
  before: () => void
}

export type Listing = Script & {
  requests: number[]
  readPage: (number: number) => Promise<ServicePage>
}

export function createListing(change: Partial<Script> = {}): Listing {
  const listing: Listing = {
    ids: [],
    pageSize: 5,
    order: 'newest',
    pastEnd: 'empty',
    before: () => undefined,
    requests: [],
    async readPage(number) {
      listing.before()
      listing.requests.push(number)
      const { ids, pageSize, order, pastEnd } = listing
      const sorted = [...ids].sort((a, b) => (order === 'newest' ? b - a : a - b))
      const last = Math.max(1, Math.ceil(sorted.length / pageSize))
      if (number > last && pastEnd === 'error') throw new AppError('upstream_contract', 'No page.')
      const shown = number > last && pastEnd === 'repeats' ? last : number
      const start = (shown - 1) * pageSize
      const rows = sorted.slice(start, start + pageSize).map(toRow)
      return { ...toPage(number, []), rows, isNotFound: number > last && pastEnd === 'not_found' }
    },
    ...change,
  }
  return listing
}

/** Thousands of histories read the same rows. */
const parsed = new Map<number, ParsedRow>()
function toRow(id: number): ParsedRow {
  const row = parsed.get(id) ?? parseRating(toRating(id))
  parsed.set(id, row)
  return row
}

export const toPage = (page: number, data: unknown[]): ServicePage => ({
  page,
  data,
  rows: data.map(parseRating),
  isNotFound: false,
  validators: { etag: null, lastModified: null },
})

export const toReading = (
  archive: SyncArchive,
  readPage: ReadPages['readPage'],
  change: Partial<FollowOptions> = {},
) => ({
  archive,
  readPage,
  now: () => WEDNESDAY,
  signal: new AbortController().signal,
  onProgress: () => undefined,
  gaplessTo: 0,
  rereads: 5,
  keepPart: true,
  ...change,
})

export async function hold(archive: SyncArchive, ids: readonly number[]): Promise<void> {
  await archive.import({ kind: 'dump', name: 'before' }, async (run) => {
    await run.append(
      ids.map((id) => ({ rating: toRating(id), extra: null })),
      [],
    )
    return { completeTo: null }
  })
}

export async function holding(ids: readonly number[]): Promise<SyncArchive> {
  const archive = createBareArchive()
  await hold(archive, ids)
  return archive
}

export async function selectMissing(
  archive: SyncArchive,
  ids: readonly number[],
): Promise<number[]> {
  const known = await archive.selectKnownIds(ids)
  return ids.filter((id) => !known.has(id))
}

export const postedAt = (id: number): number => toRating(id).created_at

/** `deleted` holds positions. */
export type Change = { posted: number; deleted: number[] }

/** One change before each answer. Never deletes new rows. */
export function playChanges(
  listing: Listing,
  changes: readonly Change[],
  skips: readonly number[],
) {
  const history = { last: Math.max(0, ...listing.ids), oldest: new Set(listing.ids), answers: 0 }
  listing.before = () => {
    const change = changes[history.answers]
    history.answers += 1
    if (!change) return
    const there = listing.ids.filter((id) => history.oldest.has(id)).sort((a, b) => b - a)
    const gone = new Set(change.deleted.map((place) => there[place % Math.max(1, there.length)]))
    listing.ids = listing.ids.filter((id) => !gone.has(id))
    for (const _ of range(1, change.posted)) {
      history.last += 1 + (skips[history.last % Math.max(1, skips.length)] ?? 0)
      listing.ids.push(history.last)
    }
  }
  return history
}
