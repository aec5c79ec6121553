import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { createQueue } from '#lib/async/serial-queue.ts'
import { kindCounts } from '#lib/contract/answers/edition-differences.ts'
import type { EditionChanges, StepProgress } from '#lib/contract/answers/status.ts'
import type { KindCounts } from '#lib/contract/lists/edition-differences.ts'
import { type Disk, hashFile, onDisk, writeAtomically } from '#lib/sync/disk.ts'
import type { KeptDifference, KeptEdition, Log } from '#lib/sync/sync.ts'
import { writeEditionDifference } from './compare-editions.ts'

/** Increment to recompute every difference. */
const VERSION = 1
const KEPT_MAX = 10
const DIFFERENCES_FOLDER = 'differences'

const side = z.object({ edition: z.string(), sha256: z.string() })
const names = z.array(z.string())

const sidecar = z.object({
  version: z.literal(VERSION),
  from: side,
  to: side,
  bytes: z.int(),
  sha256: z.string(),
  kinds: kindCounts,
  only_from: names,
  only_to: names,
})
type Sidecar = z.output<typeof sidecar>

/** Returns the ids that were marked as vanished before `before` (Unix seconds). */
export type SelectMarked = (ids: readonly number[], before: number) => Promise<ReadonlySet<number>>

type KeptDifferencesOptions = {
  dir: string
  disk: Disk
  log: Log
  editions: () => readonly KeptEdition[]
  selectMarked: SelectMarked
}

type MakeOptions = { signal: AbortSignal; onProgress?: (progress: StepProgress) => void }

type KeptDifferences = {
  make(from: KeptEdition, to: KeptEdition, options: MakeOptions): Promise<KeptDifference>
  tidy(): Promise<void>
  settled(): Promise<void>
}

export function createKeptDifferences(options: KeptDifferencesOptions): KeptDifferences {
  const { disk, log } = options
  const folder = join(options.dir, DIFFERENCES_FOLDER)
  const inTurn = createQueue()
  const sound = new Set<string>()

  const find = async (from: KeptEdition, to: KeptEdition): Promise<KeptDifference | null> => {
    const path = toPath(folder, from, to)
    const found = await loadSidecar(disk, path)
    if (!found || !isOf(found, from, to)) return null
    if ((await disk.size(path).catch(() => -1)) !== found.bytes) return null
    if (!sound.has(path)) {
      if ((await hashFile(path).catch(() => null)) !== found.sha256) {
        log('a stored comparison no longer matches its checksum', {
          from: from.edition,
          to: to.edition,
        })
        return null
      }
      sound.add(path)
    }
    return toKept(path, found, { from, to })
  }
  const write = async (from: KeptEdition, to: KeptEdition, make: MakeOptions) => {
    const path = toPath(folder, from, to)
    sound.delete(path)
    await disk.makeFolder(folder)
    await disk.remove(toSidecarPath(path))
    const made = await writeDifference(options, { from, to, path, ...make })
    await disk.remove(path)
    await disk.rename(made.beside, path)
    await disk.syncFolder(folder)
    await writeAtomically(toSidecarPath(path), JSON.stringify(made.sidecar), disk)
    sound.add(path)
    log('two editions were compared in full', {
      from: from.edition,
      to: to.edition,
    })
    return toKept(path, made.sidecar, { from, to })
  }
  const tidy = async () => {
    const names = await disk.names(folder).catch(() => [])
    const kept = await selectKept(options, folder, names)
    await Promise.all(
      names
        .filter((name) => !kept.has(name))
        .map(async (name) => {
          sound.delete(join(folder, name))
          await disk.remove(join(folder, name))
        }),
    )
  }
  return {
    make: async (from, to, make) =>
      (await find(from, to)) ??
      (await inTurn(
        async () =>
          (await find(from, to)) ??
          (await onDisk(async () => {
            const made = await write(from, to, make)
            await tidy().catch(() => log('an old difference cannot be removed'))
            return made
          })),
      )),
    tidy: () => inTurn(tidy),
    settled: () => inTurn(async () => undefined),
  }
}

const toPath = (folder: string, from: KeptEdition, to: KeptEdition) =>
  join(folder, `${from.edition}_${to.edition}.parquet`)

const toSidecarPath = (path: string) => path.replace(/parquet$/, 'json')

const isOf = (found: Pick<Sidecar, 'from' | 'to'>, from: KeptEdition, to: KeptEdition): boolean =>
  found.from.edition === from.edition &&
  found.from.sha256 === from.sha256 &&
  found.to.edition === to.edition &&
  found.to.sha256 === to.sha256

async function loadSidecar(disk: Disk, path: string): Promise<Sidecar | null> {
  try {
    const parsed = sidecar.safeParse(JSON.parse(await disk.readText(toSidecarPath(path))))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

async function selectKept(
  { disk, editions }: KeptDifferencesOptions,
  folder: string,
  files: readonly string[],
): Promise<Set<string>> {
  const pairs: { name: string; found: Sidecar }[] = []
  for (const name of files.filter((file) => file.endsWith('.parquet'))) {
    const found = await loadSidecar(disk, join(folder, name))
    const has = (one: Sidecar['from']) =>
      editions().some((kept) => kept.edition === one.edition && kept.sha256 === one.sha256)
    if (found && has(found.from) && has(found.to)) pairs.push({ name, found })
  }
  const newest = pairs
    .sort(
      ({ found: a }, { found: b }) =>
        b.to.edition.localeCompare(a.to.edition) || b.from.edition.localeCompare(a.from.edition),
    )
    .slice(0, KEPT_MAX)
  return new Set(newest.flatMap(({ name }) => [name, toSidecarPath(name)]))
}

const toKept = (
  path: string,
  { kinds, only_from, only_to }: Sidecar,
  { from, to }: Pick<KeptDifference, 'from' | 'to'>,
): KeptDifference => ({ path, from, to, kinds, onlyFrom: only_from, onlyTo: only_to })

type Writing = MakeOptions & { from: KeptEdition; to: KeptEdition; path: string }

async function writeDifference(
  { dir, disk, editions, selectMarked }: KeptDifferencesOptions,
  { from, to, path, signal, onProgress }: Writing,
): Promise<{ beside: string; sidecar: Sidecar }> {
  const beside = `${path}.${randomUUID()}.part`
  try {
    const kinds = await writeEditionDifference({
      before: from,
      after: to,
      spillPath: join(dir, 'posts.comparing'),
      signal,
      ...(onProgress && { onProgress }),
      path: beside,
      earlier: editions().filter((one) => one.edition < from.edition),
      fetchedAt: from.fetched_at,
      selectMarked: async (ids) => await selectMarked(ids, to.fetched_at),
    })
    const [bytes, sha256] = [await disk.size(beside), await hashFile(beside, signal)]
    return { beside, sidecar: { ...toSidecar(from, to), bytes, sha256, kinds } }
  } catch (error) {
    await disk.remove(beside).catch(() => undefined)
    throw error
  }
}

function toSidecar(from: KeptEdition, to: KeptEdition) {
  const only = (one: KeptEdition, other: KeptEdition) =>
    one.columns
      .map(({ name }) => name)
      .filter((name) => other.columns.every((column) => column.name !== name))
  const toSide = ({ edition, sha256 }: KeptEdition) => ({ edition, sha256 })
  return {
    version: VERSION,
    from: toSide(from),
    to: toSide(to),
    only_from: only(from, to),
    only_to: only(to, from),
  } as const
}

export const toCounts = (kinds: KindCounts): Omit<EditionChanges, 'against'> => ({
  added: kinds.new + kinds.returned,
  changed: kinds.edited + kinds.ended_early + kinds.votes,
  gone: kinds.vanished,
})
