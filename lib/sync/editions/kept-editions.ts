import { createQueue } from '#lib/async/serial-queue.ts'
import type { Dump, Edition, EditionEntry, Progress } from '#lib/contract/answers/status.ts'
import { type DumpKind, nextEditionAt } from '#lib/contract/weekly-clock.ts'
import type { KeptEdition, Log } from '#lib/sync/sync.ts'
import { type EditionFolder, newestFirst } from './edition-folder.ts'
import { type DescribedEdition, toSidecar } from './edition-sidecar.ts'

export type KeptEditions = {
  current(): KeptEdition | null
  heldBack(): KeptEdition | null
  all(): KeptEdition[]
  add(edition: KeptEdition): Promise<void>
  holdBack(reason: string): Promise<void>
  accept(): Promise<KeptEdition | null>
  forget(edition: KeptEdition, options: { remove: boolean }): Promise<void>
  lost(): readonly string[]
  reload(): Promise<void>
}

type Options = {
  kind: DumpKind
  folder: EditionFolder
  kept: KeptEdition[]
  keep: number
  log: Log
}

export function createKeptEditions(options: Options): KeptEditions {
  const { folder, kept: found, keep } = options
  let [kept, heldBack] = divide(found)
  let lost: string[] = []
  const inTurn = createQueue()

  const remove = async (edition: KeptEdition) => await tryRemove(options, edition)
  const arrange = async (editions: KeptEdition[]) => {
    kept = [...editions].sort(newestFirst)
    for (const old of kept.splice(keep)) await remove(old)
  }
  const add = async (edition: KeptEdition) => {
    const before = heldBack
    lost = lost.filter((path) => path !== edition.path)
    if (edition.reason !== null) {
      heldBack = edition
      if (before && before.path !== edition.path) await remove(before)
      return
    }
    const { earlier: others, ahead } = toOthers(kept, edition)
    kept = [edition, ...others]
    heldBack = null
    for (const other of ahead) await remove(other)
    const earlier = before && (await settle(folder, edition, before, remove))
    await arrange(earlier ? [...kept, earlier] : kept)
  }

  return {
    current: () => kept[0] ?? null,
    heldBack: () => heldBack,
    all: () => (heldBack ? [...kept, heldBack].sort(newestFirst) : kept),
    add: (edition) => inTurn(async () => await add(edition)),
    holdBack: (reason) =>
      inTurn(async () => {
        const [current] = kept
        if (!current) return
        const before = heldBack
        heldBack = await folder.change(current, { reason, confirms: false })
        kept = kept.filter((other) => other !== current)
        if (before && before.path !== heldBack.path) await remove(before)
      }),
    accept: () =>
      inTurn(async () => {
        if (!heldBack) return null
        const accepted = await folder.change(heldBack, { reason: null, confirms: true })
        heldBack = null
        await arrange([...kept.filter(({ path }) => path !== accepted.path), accepted])
        return accepted
      }),
    forget: (edition, { remove: isRemoved }) =>
      inTurn(async () => {
        lost = [...lost, edition.path]
        kept = kept.filter((other) => other !== edition)
        if (heldBack === edition) heldBack = null
        if (isRemoved) await remove(edition)
      }),
    lost: () => lost,
    reload: () =>
      inTurn(async () => {
        const now = await loadAgain(options, heldBack ? [...kept, heldBack] : kept)
        ;[kept, heldBack] = divide(now)
        lost = lost.filter((path) => now.every((one) => one.path !== path))
      }),
  }
}

const divide = (found: readonly KeptEdition[]): [KeptEdition[], KeptEdition | null] => [
  found.filter(({ reason }) => reason === null),
  found.find(({ reason }) => reason !== null) ?? null,
]

/** An edition dated later arrived while the clock was ahead. */
function toOthers(kept: readonly KeptEdition[], edition: KeptEdition) {
  const others = kept.filter(({ path }) => path !== edition.path)
  const earlier = others.filter(({ fetched_at }) => fetched_at <= edition.fetched_at)
  return { earlier, ahead: others.filter((other) => !earlier.includes(other)) }
}

async function tryRemove({ folder, log }: Options, edition: KeptEdition): Promise<void> {
  await folder.remove(edition).catch(() => {
    log('an old edition cannot be removed', { file: edition.fileName })
  })
}

/** Keeps object identity, so that running checks still apply. */
async function loadAgain(
  { folder, kind }: Options,
  known: readonly KeptEdition[],
): Promise<KeptEdition[]> {
  const found = (await folder.load()).map(({ kept }) => kept)
  return found
    .filter((one) => one.kind === kind)
    .map((one) => known.find((other) => isSame(other, one)) ?? one)
}

const isSame = (a: KeptEdition, b: KeptEdition) =>
  a.path === b.path && toSidecar(a) === toSidecar(b)

async function settle(
  folder: EditionFolder,
  edition: KeptEdition,
  heldBack: KeptEdition,
  remove: (edition: KeptEdition) => Promise<void>,
): Promise<KeptEdition | null> {
  if (edition.confirms) return await folder.change(heldBack, { reason: null })
  await remove(heldBack)
  return null
}

const SLACK_SECONDS = 3600

type Dated = Pick<Edition, 'fetched_at' | 'next_due_at'>

/** `at` in Unix seconds. */
export const isFresh = (edition: Dated, at: number): boolean =>
  edition.next_due_at > at && !isAhead(edition, at)

export const isAhead = ({ fetched_at, next_due_at }: Dated, at: number): boolean =>
  fetched_at > at + SLACK_SECONDS && next_due_at > nextEditionAt(at + SLACK_SECONDS)

/** Smallest plausible ratio of rows to the previous edition. */
const SHRINK_LIMIT = 0.98
/** Largest plausible weekly growth. Two randomly truncated dumps differ by more. */
const GROWTH_LIMIT = 1.1

type ComparedEdition = Pick<
  DescribedEdition,
  'kind' | 'edition' | 'rows' | 'newestCreatedAt' | 'ids'
>

/** Returns a sentence; null if plausible. */
export function selectImplausibility(
  edition: ComparedEdition,
  before: ComparedEdition,
): string | null {
  const name = `The ${edition.kind} dump of ${edition.edition}`
  if (edition.rows < before.rows * SHRINK_LIMIT) {
    return `${name} has ${edition.rows} rows; that of ${before.edition} has ${before.rows}. A second dump must confirm it.`
  }
  const goesBack =
    edition.kind === 'posts' &&
    before.newestCreatedAt !== null &&
    (edition.newestCreatedAt ?? 0) < before.newestCreatedAt
  if (!goesBack) return null
  return `The newest rating in the dump of ${edition.edition} is older than in the dump of ${before.edition}. A second dump must confirm it.`
}

export function confirmsHeldBack(
  edition: ComparedEdition,
  heldBack: ComparedEdition,
  before: ComparedEdition | null,
): boolean {
  const isHealed =
    before !== null &&
    selectImplausibility(heldBack, before) !== null &&
    selectImplausibility(edition, before) === null
  const isAsLong =
    edition.rows >= heldBack.rows * SHRINK_LIMIT && edition.rows <= heldBack.rows * GROWTH_LIMIT
  const isAsNew = (edition.newestCreatedAt ?? 0) >= (heldBack.newestCreatedAt ?? 0)
  return !isHealed && isAsLong && isAsNew && spansTheSame(edition.ids, heldBack.ids)
}

function spansTheSame(ids: ComparedEdition['ids'], heldBack: ComparedEdition['ids']): boolean {
  if (!ids || !heldBack) return true
  const shared = Math.min(ids.highest, heldBack.highest) - Math.max(ids.lowest, heldBack.lowest)
  return shared >= (heldBack.highest - heldBack.lowest) * SHRINK_LIMIT
}

type KindReport = {
  kind: DumpKind
  at: number
  edition: KeptEdition | null
  heldBack: KeptEdition | null
  isFetching: boolean
  progress: Progress | null
  reason: string | null
}

export function toCard({
  kind,
  at,
  edition,
  heldBack,
  isFetching,
  progress,
  reason,
}: KindReport): Dump {
  const isCurrent = edition !== null && isFresh(edition, at)
  const kept = isCurrent ? 'ready' : 'stale'
  const missing = reason === null ? 'absent' : 'failed'
  return {
    kind,
    state: isFetching ? 'fetching' : edition ? kept : missing,
    reason: isFetching || isCurrent ? null : reason,
    progress,
    file_name: edition?.fileName ?? null,
    edition: edition && toEdition(edition),
    columns: edition?.columns ?? [],
    first_rows: edition?.firstRows ?? [],
    next_due_at: nextEditionAt(at),
    aside: heldBack?.reason ?? null,
    cost: 1,
  }
}

export function toEditionEntry(kept: KeptEdition, current: KeptEdition | null): EditionEntry {
  const { fileName: file_name, unchanged, reason } = kept
  const state = reason !== null ? 'aside' : kept === current ? 'current' : 'earlier'
  return { ...toEdition(kept), file_name, state, unchanged, reason }
}

function toEdition(kept: KeptEdition): Edition {
  const { edition, rows, bytes, sha256, fetched_at, next_due_at } = kept
  return { edition, rows, bytes, sha256, fetched_at, next_due_at }
}
