import type { ShelvedEdition } from '#lib/contract/answers/editions.ts'
import type { StepProgress } from '#lib/contract/answers/progress.ts'
import type { Dump } from '#lib/contract/answers/state.ts'
import type { AppError } from '#lib/contract/faults.ts'
import type { DumpKind } from '#lib/contract/weekly-clock.ts'
import type { Upstream } from '#lib/upstream/upstream.ts'
import { isFresh } from './edition-age.ts'
import { createEditionCare } from './edition-care.ts'
import { createFlights, selectAsideProblem } from './edition-flights.ts'
import type { EditionFolder } from './edition-folder.ts'
import { createFailures } from './failure-memory.ts'
import { createPace } from './pace.ts'
import { toCard, toShelved } from './shelf-card.ts'
import { createShelfContent, type ShelfContent } from './shelf-content.ts'
import type { EditionStore, KeptEdition, Log } from './sync.ts'
import { untilAborted } from './until-aborted.ts'

type EnsureOptions = Parameters<EditionStore['ensure']>[1]

/** The editions of one kind: at most one fetch at a time, and a failed one remembered for everybody. */
export type Shelf = {
  current(): KeptEdition | null
  ensure(options?: EnsureOptions): Promise<KeptEdition>
  card(): Dump
  list(): ShelvedEdition[]
  /** What is on disk under a name; null where it is not there in full. */
  find(fileName: string): Promise<KeptEdition | null>
  failure(): AppError | null
  fetching(): StepProgress | null
  holdBack(reason: string): Promise<void>
  accept(): Promise<KeptEdition | null>
  /** Resolves when nothing is done in the background any more. */
  settled(): Promise<void>
  close(): Promise<void>
}

export type ShelfOptions = {
  kind: DumpKind
  upstream: Upstream
  folder: EditionFolder
  /** Newest first. */
  kept: KeptEdition[]
  /** How many stay. */
  keep: number
  now: () => number
  log: Log
}

/** What was there already is verified and compared in the background, from now on. */
export function createShelf(options: ShelfOptions): Shelf {
  const { kind, now, folder } = options
  const content = createShelfContent(options)
  const checks = createEditionCare(content, options.log)
  const failures = createFailures(now)
  const fetches = createFlights({ ...options, content, failures, onFetched: checks.compare })
  const pace = createPace(now)
  checks.verify()
  checks.compare()

  const heldBackProblem = () => selectAsideProblem(content.heldBack(), now())
  const failure = () => heldBackProblem() ?? failures.last()
  return {
    current: content.current,
    async ensure({ signal, pressing = false, again = false, purpose = 'dump' } = {}) {
      const older = content.current() && (await selectThere(options, content))
      if (older && isFresh(older, now()) && !again) return older
      if (!fetches.progress()) {
        if (older && purpose === 'people') return older
        const refusal = (again ? null : heldBackProblem()) ?? failures.standing(purpose, pressing)
        if (refusal && older) return older
        if (refusal) throw refusal
      }
      const joined = fetches.join(purpose)
      // Whoever waits hears of it; where nobody waits any more it must not end the process.
      joined.catch(() => undefined)
      return await untilAborted(older ? joined.catch(() => older) : joined, signal)
    },
    card() {
      const fetching = fetches.progress()
      const progress = pace.see(fetching ?? checks.progress())
      const reason = (failure() ?? failures.lastOfPeople())?.message ?? null
      const { current, heldBack } = content
      const isFetching = fetching !== null
      const held = { edition: current(), heldBack: heldBack() }
      return toCard({ kind, at: now(), ...held, isFetching, progress, reason })
    },
    list: () => content.all().map((kept) => toShelved(kept, content.current())),
    async find(fileName) {
      const found = content.all().find((kept) => kept.fileName === fileName)
      return found && (await folder.holds(found)) ? found : null
    },
    failure,
    fetching: fetches.progress,
    holdBack: content.holdBack,
    accept: content.accept,
    settled: checks.settled,
    async close() {
      await Promise.all([fetches.close(), checks.close()])
    },
  }
}

/** The newest whose file is still there: somebody may have tidied up. */
async function selectThere(
  { folder, log }: ShelfOptions,
  content: ShelfContent,
): Promise<KeptEdition | null> {
  for (;;) {
    const newest = content.current()
    if (!newest || (await folder.holds(newest))) return newest
    log('an edition is gone from its folder', { file: newest.fileName })
    await content.forget(newest, { remove: false })
  }
}
