import { createHash, type Hash } from 'node:crypto'
import type { StepProgress } from '#lib/contract/answers/status.ts'
import { AppError, toAppError } from '#lib/contract/faults.ts'
import { type DumpKind, editionName } from '#lib/contract/weekly-clock.ts'
import { type Disk, type DiskFile, hashFile, onDisk, refuseFullDisk } from '#lib/sync/disk.ts'
import type { KeptEdition } from '#lib/sync/sync.ts'
import { hasValidator, NO_VALIDATORS } from '#lib/upstream/answer-headers.ts'
import type { DumpDownload, Purpose, Upstream, Validators } from '#lib/upstream/upstream.ts'
import { createDumpCheck, cutShort, type DumpCheck, type DumpContents } from './dump-csv.ts'
import {
  type EditionFolder,
  isResumable,
  type PartialFile,
  type PartStore,
} from './edition-folder.ts'
import { confirmsHeldBack, selectImplausibility } from './kept-editions.ts'
import { type RefusedDump, selectRefusal } from './refused-dump.ts'

type FetchEditionOptions = Pick<Receiving, 'kind' | 'signal' | 'onProgress'> & {
  upstream: Upstream
  folder: EditionFolder
  previous: KeptEdition | null
  heldBack: KeptEdition | null
  now: () => number
  purpose: Purpose
}

/**
 * Sends one request; resumes a download that broke off in the same week. On AppError the editions
 * are unchanged. The edition is named after the time of the request.
 */
export async function fetchEdition(options: FetchEditionOptions): Promise<KeptEdition> {
  const { kind, folder, previous, heldBack, now } = options
  const receiving = { ...options, disk: folder.disk, parts: folder.parts }
  const held = await loadHeld(receiving, now())
  if (held?.part.complete) {
    const { startedAt, validators } = held.part
    const received = await finish(options, held.intake, { validators, hasKnownEnd: true })
    return await keep(options, received, { fetched_at: startedAt, validators })
  }
  options.onProgress({ step: 'fetching', done: held?.part.bytes ?? 0, total: null, unit: 'bytes' })
  const space = { disk: folder.disk, dir: folder.dir, kind, held: held?.part.bytes ?? 0 }
  await refuseFullDisk({ ...space, bytes: held?.part.totalBytes ?? previous?.bytes ?? null })
  const askedAt = now()
  const newest = heldBack ?? previous
  const answer = await askForDump(options, held?.part ?? null, newest)
  if (!answer && newest) return await keepSame(options, newest, askedAt)
  if (!answer)
    throw new AppError('internal', 'The service answered 304 for a dump that was never fetched.')
  const joined = await orDrop(options, async () => await joinHeld(answer, held))
  const download = joined?.download ?? answer
  const startedAt = joined?.startedAt ?? askedAt
  const intake = joined?.intake ?? beginIntake(kind, startedAt)
  await refuseOrClose(download, { ...space, bytes: download.totalBytes })
  try {
    await receiveDump(receiving, download, { intake, startedAt })
  } catch (error) {
    throw isInvalid(error) ? await refuse(options, error, toVersion(download)) : error
  }
  const received = await finish(options, intake, download)
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

async function finish(
  options: FetchEditionOptions,
  intake: Intake,
  download: Pick<DumpDownload, 'validators' | 'hasKnownEnd'>,
): Promise<DownloadedDump> {
  const { folder, kind, now } = options
  const sha256 = toDigest(intake)
  // Without a known end, two identical downloads count as complete.
  const isWhole = download.hasKnownEnd || folder.refused[kind].read(now())?.mark === sha256
  return await orDrop(options, async () => {
    try {
      return { bytes: intake.done, sha256, contents: endCheck(intake, isWhole) }
    } catch (error) {
      throw await refuse(options, toAppError(error), { ...download, mark: sha256 })
    }
  })
}

const toVersion = ({ validators, totalBytes }: DumpDownload): Version => ({
  mark: JSON.stringify([validators, totalBytes]),
  validators,
})

type Version = Pick<RefusedDump, 'mark' | 'validators'>

async function refuse(
  { folder, kind, upstream, now }: FetchEditionOptions,
  error: AppError,
  version: Version,
): Promise<AppError> {
  const at = now()
  const { message: reason } = error
  // A dump that may be truncated must be downloaded again even if unchanged.
  const validators = isInvalid(error) ? version.validators : NO_VALIDATORS
  const { mark } = version
  const refused = await folder.refused[kind].note({ mark, reason, validators }, at)
  const isMetered = upstream.budget().month.limit !== null
  return selectRefusal(refused, { at, isMetered }) ?? error
}

const isInvalid = (error: unknown): error is AppError =>
  error instanceof AppError && error.fault === 'upstream_contract'

function endCheck(intake: Intake, isWhole: boolean): DumpContents {
  const contents = endReading(intake, isWhole)
  // A known end does not make it whole: it may have been cut before it was sent.
  if (contents.endsWithinRow) throw cutShort('within a row')
  if (!contents.ended && !isWhole) throw cutShort('without a line break')
  return contents
}

function endReading({ check }: Intake, isWhole: boolean): DumpContents {
  try {
    return check.end()
  } catch (error) {
    if (!isWhole || isInvalid(error)) throw error
    const message = 'The dump ends inside quotes or inside a character.'
    throw new AppError('upstream_contract', message, { cause: error })
  }
}

type Origin = { fetched_at: number; validators: Validators }

async function keep(
  options: FetchEditionOptions,
  { bytes, sha256, contents }: DownloadedDump,
  origin: Origin,
): Promise<KeptEdition> {
  const { ended: _, endsWithinRow: __, ...found } = contents
  return await keepFound(options, { ...found, ...origin, bytes, sha256 })
}

async function keepSame(
  options: FetchEditionOptions,
  newest: KeptEdition,
  fetched_at: number,
): Promise<KeptEdition> {
  return await keepFound(options, { ...newest, fetched_at })
}

type FetchedEdition = Origin &
  Omit<DownloadedDump['contents'], 'ended' | 'endsWithinRow'> &
  Pick<DownloadedDump, 'bytes' | 'sha256'>

/** Held back if it shrank, unless it confirms the edition held back. */
async function keepFound(
  options: FetchEditionOptions,
  found: FetchedEdition,
): Promise<KeptEdition> {
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
    heldBack !== null &&
    heldBack.edition !== edition &&
    confirmsHeldBack(judged, heldBack, previous)
  const reason = previous && !confirms ? selectImplausibility(judged, previous) : null
  if (reason && previous?.edition === edition) {
    await folder.parts.drop(kind)
    throw new AppError('upstream_contract', reason)
  }
  const described = {
    ...judged,
    columns,
    firstRows,
    bytes,
    sha256,
    confirms,
    reason,
    fetched_at: origin.fetched_at,
    validators: origin.validators,
    unchanged: same !== null,
  }
  return await orDrop(options, () => onDisk(() => folder.keep(described, same)))
}

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

type ResumedIntake = { part: PartialFile; intake: Intake }

async function loadHeld(receiving: Receiving, at: number): Promise<ResumedIntake | null> {
  const { kind, parts } = receiving
  const part = await onDisk(() => parts.load(kind, at))
  if (!part) return null
  try {
    const intake = await rereadPart(receiving, part)
    if (intake) return { part, intake }
  } catch (error) {
    if (receiving.signal.aborted) throw error
  }
  await onDisk(() => parts.drop(kind))
  return null
}

async function askForDump(
  options: FetchEditionOptions,
  part: PartialFile | null,
  newest: KeptEdition | null,
): Promise<DumpDownload | null> {
  const { upstream, kind, signal, purpose } = options
  signal.throwIfAborted()
  if (part) return await fetchRemainder(options, part)
  const refused = options.folder.refused[kind].read(options.now())
  if (refused && hasValidator(refused.validators)) {
    const { validators, reason } = refused
    const changed = await upstream.fetchDumpIfChanged(kind, validators, { signal, purpose })
    if (changed) return changed
    throw await refuse(options, new AppError('upstream_contract', reason), refused)
  }
  if (!newest || !hasValidator(newest.validators)) {
    return await upstream.fetchDump(kind, { signal, purpose })
  }
  // Corrupted bytes must not be reused for the next week.
  const isSound = (await hashFile(newest.path, signal).catch(() => null)) === newest.sha256
  return isSound
    ? await upstream.fetchDumpIfChanged(kind, newest.validators, { signal, purpose })
    : await upstream.fetchDump(kind, { signal, purpose })
}

async function fetchRemainder(
  { upstream, folder, kind, signal, purpose }: FetchEditionOptions,
  { validators, bytes }: PartialFile,
): Promise<DumpDownload> {
  try {
    return await upstream.fetchDump(kind, { signal, purpose, part: { ...validators, bytes } })
  } catch (error) {
    const isRefused = error instanceof AppError && error.fault === 'upstream_contract'
    if (isRefused) await folder.parts.drop(kind).catch(() => undefined)
    throw error
  }
}

/** Null if the download starts over. Throws if it continues a different dump. */
async function joinHeld(download: DumpDownload, held: ResumedIntake | null) {
  if (download.from === 0) return null
  if (held && download.from === held.part.bytes && isOf(held.part, download)) {
    const { startedAt, validators, totalBytes } = held.part
    const whole = { ...download, validators, totalBytes: download.totalBytes ?? totalBytes }
    return { download: whole, startedAt, intake: held.intake }
  }
  await closeDownload(download)
  const message = 'The service sent the rest of a different dump.'
  throw new AppError('upstream_contract', message)
}

const isOf = (part: PartialFile, { validators, totalBytes }: DumpDownload) =>
  (validators.etag ?? part.validators.etag) === part.validators.etag &&
  (totalBytes ?? part.totalBytes) === (part.totalBytes ?? totalBytes)

const closeDownload = async ({ body }: DumpDownload) =>
  void (await body[Symbol.asyncIterator]().return?.())

const PIECE_BYTES = 131_072
/** The most that a power failure can lose. */
const NOTE_BYTES = 16 * 1024 * 1024

type Receiving = {
  kind: DumpKind
  disk: Disk
  parts: PartStore
  signal: AbortSignal
  onProgress: (progress: StepProgress) => void
}

type Intake = { hash: Hash; check: DumpCheck; done: number }

type DownloadedDump = { bytes: number; sha256: string; contents: DumpContents }

const beginIntake = (kind: DumpKind, at: number): Intake => ({
  hash: createHash('sha256'),
  check: createDumpCheck(kind, at),
  done: 0,
})

async function rereadPart(receiving: Receiving, part: PartialFile): Promise<Intake | null> {
  const { kind, disk, parts, signal, onProgress } = receiving
  const intake = beginIntake(kind, part.startedAt)
  const { bytes, totalBytes: total } = part
  for await (const piece of disk.read(parts.path(kind), { pieceBytes: PIECE_BYTES, bytes })) {
    signal.throwIfAborted()
    take(intake, piece)
    onProgress({ step: 'verifying', done: intake.done, total: total ?? bytes, unit: 'bytes' })
  }
  return intake.done === bytes && toDigest(intake) === part.sha256 ? intake : null
}

type IntakeStart = { intake: Intake; startedAt: number }

async function receiveDump(
  receiving: Receiving,
  download: DumpDownload,
  { intake, startedAt }: IntakeStart,
): Promise<void> {
  const { kind, disk, parts } = receiving
  const path = parts.path(kind)
  const file = await onDisk(() =>
    intake.done > 0 ? disk.goOn(path, intake.done) : disk.create(path),
  )
  const note = async () => {
    await file.sync()
    await parts.note(kind, toPart(intake, { download, startedAt, complete: false }))
  }
  try {
    await copyBody(receiving, download, { intake, startedAt, file, note })
  } catch (error) {
    const isOfUse = isBreak(error, receiving.signal) && isPartOf(intake, download, startedAt)
    await (isOfUse ? note() : parts.drop(kind)).catch(() => parts.drop(kind).catch(() => undefined))
    throw error
  } finally {
    await file.close()
  }
}

const toPart = (
  intake: Intake,
  about: { download: DumpDownload; startedAt: number; complete: boolean },
): PartialFile => ({
  startedAt: about.startedAt,
  validators: about.download.validators,
  totalBytes: about.download.totalBytes,
  bytes: intake.done,
  sha256: toDigest(intake),
  complete: about.complete,
})

const toDigest = ({ hash }: Intake): string => hash.copy().digest('hex')

type Copying = IntakeStart & { file: DiskFile; note: () => Promise<void> }

async function copyBody(
  { signal, onProgress }: Receiving,
  { body, totalBytes: total, validators }: DumpDownload,
  { intake, startedAt, file, note }: Copying,
): Promise<void> {
  let noted = intake.done
  for await (const block of toBlocks(body)) {
    take(intake, block)
    await onDisk(() => file.write(block))
    onProgress({ step: 'fetching', done: intake.done, total, unit: 'bytes' })
    signal.throwIfAborted()
    if (intake.done - noted < NOTE_BYTES || !isResumable({ validators, startedAt })) continue
    await onDisk(note)
    noted = intake.done
  }
  if (total !== null && intake.done !== total) {
    throw cutShort('before its announced length')
  }
  await onDisk(() => file.sync())
}

async function* toBlocks(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let chunks: Uint8Array[] = []
  let length = 0
  const flush = () => {
    const block = Buffer.concat(chunks)
    chunks = []
    length = 0
    return block
  }
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      length += chunk.length
      if (length >= PIECE_BYTES) yield flush()
    }
  } catch (error) {
    if (length > 0) yield flush()
    throw error
  }
  if (length > 0) yield flush()
}

function take(intake: Intake, bytes: Uint8Array): void {
  intake.hash.update(bytes)
  intake.check.push(bytes)
  intake.done += bytes.length
}

const isBreak = (error: unknown, signal: AbortSignal) =>
  signal.aborted ||
  (error instanceof AppError &&
    (error.fault === 'upstream_unavailable' || error.fault === 'upstream_timeout'))

const isPartOf = ({ done }: Intake, { validators, totalBytes }: DumpDownload, startedAt: number) =>
  done > 0 &&
  done <= (totalBytes ?? Number.POSITIVE_INFINITY) &&
  isResumable({ validators, startedAt })
