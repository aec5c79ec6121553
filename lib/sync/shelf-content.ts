import { createQueue } from '#lib/archive/queue.ts'
import type { EditionChanges } from '#lib/contract/answers/state.ts'
import { type EditionFolder, newestFirst } from './edition-folder.ts'
import type { KeptEdition, Log } from './sync.ts'

/** The editions of one kind as they lie on disk: those that are served, and one that waits aside. */
export type ShelfContent = {
  current(): KeptEdition | null
  aside(): KeptEdition | null
  /** All of them, newest first, the one aside among them. */
  all(): KeptEdition[]
  /** The one that came before it and is served. */
  before(edition: KeptEdition): KeptEdition | null
  /** Takes in what was fetched; what waited aside is confirmed by it, replaced, or refuted and removed. */
  land(edition: KeptEdition): Promise<void>
  setAside(reason: string): Promise<void>
  accept(): Promise<KeptEdition | null>
  noteChanges(edition: KeptEdition, changes: EditionChanges): Promise<void>
  /** Forgets an edition, whose file is gone or is to go. */
  forget(edition: KeptEdition, options: { remove: boolean }): Promise<void>
}

type Options = { folder: EditionFolder; kept: KeptEdition[]; keep: number; log: Log }

export function createShelfContent({ folder, kept: found, keep, log }: Options): ShelfContent {
  let kept = found.filter(({ reason }) => reason === null)
  let aside = found.find(({ reason }) => reason !== null) ?? null
  /** One change of the folder at a time. */
  const inTurn = createQueue()

  const remove = async (edition: KeptEdition) => {
    await folder.remove(edition).catch(() => {
      log('an old edition cannot be removed', { file: edition.fileName })
    })
  }
  /** The newest `keep`. Who is sending an older one goes on: its bytes stay until the file is closed. */
  const arrange = async (editions: KeptEdition[]) => {
    const sorted = [...editions].sort(newestFirst)
    kept = sorted.slice(0, keep)
    for (const old of sorted.slice(keep)) await remove(old)
  }
  const land = async (edition: KeptEdition) => {
    const before = aside
    if (edition.reason !== null) {
      aside = edition
      if (before && before.path !== edition.path) await remove(before)
      return
    }
    const others = kept.filter(({ path }) => path !== edition.path)
    // What came last is the newest: what seems to be newer came while the clock was ahead.
    const ahead = others.filter(({ fetched_at }) => fetched_at > edition.fetched_at)
    kept = [edition, ...others.filter((other) => !ahead.includes(other))]
    aside = null
    for (const other of ahead) await remove(other)
    const earlier = before && (await settle(folder, edition, before, remove))
    await arrange(earlier ? [...kept, earlier] : kept)
  }
  const replace = (edition: KeptEdition, changed: KeptEdition) => {
    kept = kept.map((other) => (other === edition ? changed : other))
    if (aside === edition) aside = changed
  }

  return {
    current: () => kept[0] ?? null,
    aside: () => aside,
    all: () => (aside ? [...kept, aside].sort(newestFirst) : kept),
    before: (edition) => kept.find((other) => other.fetched_at < edition.fetched_at) ?? null,
    land: (edition) => inTurn(async () => await land(edition)),
    setAside: (reason) =>
      inTurn(async () => {
        const [current] = kept
        if (!current) return
        const before = aside
        aside = await folder.change(current, { reason, confirms: false })
        kept = kept.filter((other) => other !== current)
        if (before && before.path !== aside.path) await remove(before)
      }),
    accept: () =>
      inTurn(async () => {
        if (!aside) return null
        const accepted = await folder.change(aside, { reason: null, confirms: true })
        aside = null
        await arrange([...kept.filter(({ path }) => path !== accepted.path), accepted])
        return accepted
      }),
    noteChanges: (edition, changes) =>
      inTurn(async () => {
        const isThere = aside === edition || kept.includes(edition)
        if (isThere) replace(edition, await folder.change(edition, { changes }))
      }),
    forget: (edition, options) =>
      inTurn(async () => {
        kept = kept.filter((other) => other !== edition)
        if (aside === edition) aside = null
        if (options.remove) await remove(edition)
      }),
  }
}

/** What waited aside goes to the earlier ones where it was confirmed, and away where it was not. */
async function settle(
  folder: EditionFolder,
  edition: KeptEdition,
  aside: KeptEdition,
  remove: (edition: KeptEdition) => Promise<void>,
): Promise<KeptEdition | null> {
  if (edition.confirms) return await folder.change(aside, { reason: null })
  await remove(aside)
  return null
}
