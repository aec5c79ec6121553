import type { Discovery } from '#lib/contract/answers/discovery.ts'
import { AppError } from '#lib/contract/faults.ts'
import type { ServicePage } from '#lib/upstream/upstream.ts'
import { NO_VALIDATORS } from '#lib/upstream/validators.ts'
import { toIds, toPageKey } from './page-order.ts'

/** A page without rows is the end only if so many after it are empty too. */
const EMPTY_AFTER = 2
/** So many pages in a row with nothing that was not read before: the list goes round in a circle. */
const STALE_PAGES = 3
/** Ids that are remembered for that: bounds memory. */
const SEEN_MAX = 500_000

export type PastEnd = NonNullable<Discovery['past_end']>

/** A page with rows, by its number in the list; null behind the last. */
export type Step = { page: ServicePage; number: number } | null

export type Walk = {
  next(): Promise<Step>
  /** Pages without rows that are followed by pages with rows, and stayed so when they were read again. */
  holes(): readonly number[]
  /** Whether the list went on with pages that had been read before. */
  isCircle(): boolean
}

export type WalkOptions = {
  readPage: (number: number) => Promise<ServicePage>
  /** Page `from` where it has been read already. */
  first: ServicePage | null
  from: number
  /** Page 1, as it was read before. */
  head: ServicePage
  onPastEnd?: (kind: PastEnd) => void
}

/**
 * Reads page after page to the end of the list, however the service marks it: an empty page, a 404, an error, or pages
 * that came before. An empty page with others behind it is read again, then passed over. A page that came before is none
 * where new rows pushed it on: then page 1 has moved. Throws AppError where the service fails altogether.
 */
export function createWalk(options: WalkOptions): Walk {
  const { readPage, from, onPastEnd = () => undefined } = options
  const isCircle = createCircleCheck(options)
  const holes: number[] = []
  let number = from - 1
  let circled = false

  const read = async (wanted: number) =>
    wanted === from && options.first ? options.first : await readOrNothing(readPage, wanted)

  /** Behind a page without rows. */
  const pass = async (nothing: Nothing): Promise<Step> => {
    for (let ahead = 1; ahead <= EMPTY_AFTER; ahead += 1) {
      const page = await readOrNothing(readPage, number + ahead)
      if (!isPage(page)) continue
      const again = await readOrNothing(readPage, number)
      if (isPage(again)) return { page: again, number }
      for (let hole = 0; hole < ahead; hole += 1) holes.push(number + hole)
      number += ahead
      return { page, number }
    }
    // Where nothing answers any more, this is not the end of the list but of the service.
    if (nothing.error) await readPage(1).catch(() => Promise.reject(nothing.error))
    onPastEnd(nothing.kind)
    return null
  }
  return {
    async next() {
      number += 1
      const came = await read(number)
      const step = isPage(came) ? { page: came, number } : await pass(came)
      if (step === null || !(await isCircle(step.page))) return step
      circled = true
      onPastEnd('repeats')
      return null
    },
    holes: () => holes,
    isCircle: () => circled,
  }
}

type Nothing = { kind: PastEnd; error: AppError | null }

const isPage = (came: ServicePage | Nothing): came is ServicePage => 'rows' in came

/** A page with rows, or how the service says that there is none. */
export async function readOrNothing(
  readPage: (number: number) => Promise<ServicePage>,
  number: number,
): Promise<ServicePage | Nothing> {
  try {
    const page = await readPage(number)
    if (page.rows.length > 0) return page
    return { kind: page.isNotFound ? 'not_found' : 'empty', error: null }
  } catch (error) {
    if (!(error instanceof AppError) || error.fault !== 'upstream_contract') throw error
    if (number === 1) throw error
    return { kind: 'error', error }
  }
}

/** A page, without rows where there is none. */
export async function readOrEmpty(
  readPage: (number: number) => Promise<ServicePage>,
  number: number,
): Promise<ServicePage> {
  const came = await readOrNothing(readPage, number)
  return isPage(came) ? came : { ...EMPTY, page: number }
}

const EMPTY: ServicePage = {
  page: 1,
  rows: [],
  data: [],
  isNotFound: false,
  validators: NO_VALIDATORS,
}

function createCircleCheck({ readPage, head }: WalkOptions) {
  const seen = new Set<number>()
  let headKey = toPageKey(head)
  let before = ''
  let stale = 0
  return async (page: ServicePage): Promise<boolean> => {
    const key = toPageKey(page)
    const ids = toIds(page)
    const isStale = ids.length > 0 && ids.every((id) => seen.has(id))
    if (seen.size > SEEN_MAX) seen.clear()
    for (const id of ids) seen.add(id)
    stale = isStale ? stale + 1 : 0
    const isSuspect = key === before || stale >= STALE_PAGES
    before = key
    if (!isSuspect) return false
    const moved = toPageKey(await readPage(1))
    const stands = moved === headKey
    headKey = moved
    // What moved page 1 may also be why this page came again: only those after it count.
    if (!stands) before = ''
    if (!stands) stale = 0
    return stands
  }
}
