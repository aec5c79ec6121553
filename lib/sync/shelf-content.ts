import { createQueue } from '#lib/archive/queue.ts'
import type { EditionChanges } from '#lib/contract/answers/state.ts'
import { type EditionFolder, newestFirst } from './edition-folder.ts'
import type { KeptEdition, Log } from './sync.ts'

/** The editions of one kind as they lie on disk: those that are served, and one that waits aside. */
export type ShelfContent = {
  current(): KeptEdition | null
  heldBack(): KeptEdition | null
  /** All of them, newest first, the one aside among them. */
  all(): KeptEdition[]
  /** The one that came before it and is served. */
  before(edition: KeptEdition): KeptEdition | null
  /** Takes in what was fetched; what waited aside is confirmed by it, replaced, or refuted and removed. */
  add(edition: KeptEdition): Promise<void>
  holdBack(reason: string): Promise<void>
  accept(): Promise<KeptEdition | null>
  noteChanges(edition: KeptEdition, changes: EditionChanges): Promise<void>
  /** Forgets an edition, whose file is gone or is to go. */
  forget(edition: KeptEdition, options: { remove: boolean }): Promise<void>
}

type Options = { folder: EditionFolder; kept: KeptEdition[]; keep: number; log: Log }

export function createShelfContent({ folder, kept: found, keep, log }: Options): ShelfContent {
  let kept = found.filter(({ reason }) => reason === null)
  let heldBack = found.find(({ reason }) => reason !== null) ?? null
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
  const add = async (edition: KeptEdition) => {
    const before = heldBack
    if (edition.reason !== null) {
      heldBack = edition
      if (before && before.path !== edition.path) await remove(before)
      return
    }
    const others = kept.filter(({ path }) => path !== edition.path)
    // What came last is the newest: what seems to be newer came while the clock was ahead.
    const ahead = others.filter(({ fetched_at }) => fetched_at > edition.fetched_at)
    kept = [edition, ...others.filter((other) => !ahead.includes(other))]
    heldBack = null
    for (const other of ahead) await remove(other)
    const earlier = before && (await settle(folder, edition, before, remove))
    await arrange(earlier ? [...kept, earlier] : kept)
  }
  const replace = (edition: KeptEdition, changed: KeptEdition) => {
    kept = kept.map((other) => (other === edition ? changed : other))
    if (heldBack === edition) heldBack = changed
  }

  return {
    current: () => kept[0] ?? null,
    heldBack: () => heldBack,
    all: () => (heldBack ? [...kept, heldBack].sort(newestFirst) : kept),
    before: (edition) => kept.find((other) => other.fetched_at < edition.fetched_at) ?? null,
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
    noteChanges: (edition, changes) =>
      inTurn(async () => {
        const isThere = heldBack === edition || kept.includes(edition)
        if (isThere) replace(edition, await folder.change(edition, { changes }))
      }),
    forget: (edition, options) =>
      inTurn(async () => {
        kept = kept.filter((other) => other !== edition)
        if (heldBack === edition) heldBack = null
        if (options.remove) await remove(edition)
      }),
  }
}

/** What waited aside goes to the earlier ones where it was confirmed, and away where it was not. */
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
