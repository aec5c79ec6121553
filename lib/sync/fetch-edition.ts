import { AppError } from '#lib/contract/faults.ts'
import { editionName } from '#lib/contract/weekly-clock.ts'
import type { DumpDownload, Purpose, Upstream, Validators } from '#lib/upstream/upstream.ts'
import { askForDump, closeDownload, joinHeld, loadHeld } from './ask-dump.ts'
import { cutShort } from './csv-reader.ts'
import { onDisk } from './disk.ts'
import type { EditionFolder } from './edition-folder.ts'
import { bearsOut, selectDoubt } from './judge-edition.ts'
import {
  beginIntake,
  type Intake,
  type Received,
  type Receiving,
  receiveDump,
  toDigest,
  toPart,
} from './receive-dump.ts'
import { refuseFullDisk } from './room-on-disk.ts'
import type { KeptEdition } from './sync.ts'

export type FetchEditionOptions = Pick<Receiving, 'kind' | 'signal' | 'onProgress'> & {
  upstream: Upstream
  folder: EditionFolder
  /** The edition that is served until now, and the one that waits to be confirmed. */
  previous: KeptEdition | null
  heldBack: KeptEdition | null
  /** SHA-256 of what came last and ended without a line break: coming twice, it is whole. */
  openEnded: { sha256: string | null }
  now: () => number
  purpose: Purpose
}

/**
 * Fetches a dump by one request, verifies it while it is written, and keeps it: aside where it shrank. A dump of this
 * week that broke off before is gone on with; one whose bytes are known to be those held costs no download. Throws
 * AppError and leaves the editions as they were where it does not come whole or is no CSV. Its edition is that of the
 * instant of asking.
 */
export async function fetchEdition(options: FetchEditionOptions): Promise<KeptEdition> {
  const { kind, folder, previous, heldBack, now } = options
  const receiving = { ...options, disk: folder.disk, parts: folder.parts }
  const held = await loadHeld(receiving, now())
  if (held?.part.complete) {
    const { startedAt, validators, totalBytes } = held.part
    const received = await finish(options, held.intake, totalBytes ?? held.intake.done)
    return await keep(options, received, { fetched_at: startedAt, validators })
  }
  options.onProgress({ step: 'fetching', done: held?.part.bytes ?? 0, total: null, unit: 'bytes' })
  const space = { disk: folder.disk, dir: folder.dir, kind, held: held?.part.bytes ?? 0 }
  await refuseFullDisk({ ...space, bytes: held?.part.totalBytes ?? previous?.bytes ?? null })
  const askedAt = now()
  const newest = heldBack ?? previous
  const answer = await askForDump(options, held?.part ?? null, newest)
  if (!answer && newest) return await keepSame(options, newest, askedAt)
  if (!answer) throw new AppError('internal', 'A dump that was never had cannot be unchanged.')
  const joined = await orDrop(options, async () => await joinHeld(answer, held))
  const download = joined?.download ?? answer
  const startedAt = joined?.startedAt ?? askedAt
  const intake = joined?.intake ?? beginIntake(kind, startedAt)
  await refuseOrClose(download, { ...space, bytes: download.totalBytes })
  await receiveDump(receiving, download, { intake, startedAt })
  const received = await finish(options, intake, download.totalBytes)
  const complete = toPart(intake, { download, startedAt, complete: true })
  await orDrop(options, () => onDisk(() => folder.parts.note(kind, complete)))
  return await keep(options, received, { fetched_at: startedAt, validators: download.validators })
}

async function refuseOrClose(
  download: DumpDownload,
  space: Parameters<typeof refuseFullDisk>[0],
): Promise<void> {
  try {
    await refuseFullDisk(space)
  } catch (error) {
    await closeDownload(download)
    throw error
  }
}

/** The end of what was read. Throws AppError where it is not the end of a dump; then nothing of it is left. */
async function finish(
  options: FetchEditionOptions,
  intake: Intake,
  totalBytes: number | null,
): Promise<Received> {
  return await orDrop(options, async () => {
    const contents = intake.check.end()
    const received = { bytes: intake.done, sha256: toDigest(intake), contents }
    refuseOpenEnd(received, totalBytes, options.openEnded)
    return received
  })
}

/** Without a line break at its end only a length, or a second copy of the same bytes, says that a dump is whole. */
function refuseOpenEnd(
  { sha256, contents }: Received,
  totalBytes: number | null,
  openEnded: { sha256: string | null },
): void {
  if (contents.ended || totalBytes !== null || openEnded.sha256 === sha256) return
  openEnded.sha256 = sha256
  throw cutShort('without a line break')
}

type Origin = { fetched_at: number; validators: Validators }

async function keep(
  options: FetchEditionOptions,
  { bytes, sha256, contents }: Received,
  origin: Origin,
): Promise<KeptEdition> {
  const { ended: _, ...found } = contents
  return await keepFound(options, { ...found, ...origin, bytes, sha256 })
}

async function keepSame(
  options: FetchEditionOptions,
  newest: KeptEdition,
  fetched_at: number,
): Promise<KeptEdition> {
  return await keepFound(options, { ...newest, fetched_at })
}

type Found = Origin & Omit<Received['contents'], 'ended'> & Pick<Received, 'bytes' | 'sha256'>

/** Aside where it shrank, unless it bears out what waits there. */
async function keepFound(options: FetchEditionOptions, found: Found): Promise<KeptEdition> {
  const { kind, folder, previous, heldBack } = options
  const { rows, columns, firstRows, newestCreatedAt, ids, bytes, sha256, ...origin } = found
  const edition = editionName(found.fetched_at)
  const judged = { kind, edition, rows, newestCreatedAt, ids }
  const same = [heldBack, previous].find((held) => held?.sha256 === sha256) ?? null
  if (same?.edition === edition) {
    await folder.parts.drop(kind)
    return same
  }
  const confirms =
    heldBack !== null && heldBack.edition !== edition && bearsOut(judged, heldBack, previous)
  const reason = previous && !confirms ? selectDoubt(judged, previous) : null
  if (reason && previous?.edition === edition) {
    await folder.parts.drop(kind)
    throw new AppError('upstream_contract', reason)
  }
  const described = {
    ...{ ...judged, columns, firstRows, bytes, sha256, confirms, reason },
    ...{ fetched_at: origin.fetched_at, validators: origin.validators },
    unchanged: same !== null,
    changes: same === previous && same ? toNoChanges(same) : null,
  }
  return await orDrop(options, () => onDisk(() => folder.keep(described, same)))
}

const toNoChanges = ({ edition }: KeptEdition) => ({
  against: edition,
  added: 0,
  changed: 0,
  gone: 0,
})

async function orDrop<T>(
  { folder, kind }: FetchEditionOptions,
  work: () => T | Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await folder.parts.drop(kind).catch(() => undefined)
    throw error
  }
}
