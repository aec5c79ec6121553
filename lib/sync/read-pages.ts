import type { StepProgress } from '#lib/contract/answers/progress.ts'
import type { ServicePage, Validators } from '#lib/upstream/upstream.ts'
import type { PageOrder } from './page-order.ts'
import type { PastEnd } from './page-walk.ts'
import type { SyncArchive } from './sync.ts'

/** What reading pages takes. */
export type ReadPages = {
  archive: SyncArchive
  /** Pages count from 1, whatever the service calls its first. */
  readPage: (page: number) => Promise<ServicePage>
  /** Page 1; null where it is still what these validators name. Without it, it is always sent. */
  readIfChanged?: (held: Validators) => Promise<ServicePage | null>
  /** Seconds since 1970. */
  now: () => number
  signal: AbortSignal
  onProgress: (progress: StepProgress) => void
  /** What was known of the order before; too short a page says nothing. */
  order?: PageOrder | null
  onPastEnd?: (kind: PastEnd) => void
  /** Finds out, where it is not known, which page is the first; true where it is another than the one read as page 1. */
  findFirstPage?: () => Promise<boolean>
  /** Pages that could not be read by an earlier run; told of those that still cannot. */
  holes?: readonly number[]
  onHoles?: (numbers: readonly number[]) => Promise<void>
}

export type FollowOptions = ReadPages & {
  /**
   * The instant up to which the archive has no gap; 0 where it is not known to have none. A page that is held in full
   * ends the reading only where it reaches behind it: an earlier follow that was broken off may have left newer rows
   * with a gap under them.
   */
  gaplessTo: number
  /** How often page 1 may be read again for what came in the meantime. */
  rereads: number
  /** Whether what was read before a failure is committed. */
  keepPart: boolean
  /** Whether the last rows of a page being held is enough, without a page more that is held in full. */
  sparing?: boolean
  /** Page 1 as it was when nothing was missing. */
  unchanged?: Validators | null
}
