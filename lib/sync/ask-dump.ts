import { AppError } from '#lib/contract/faults.ts'
import type { DumpKind } from '#lib/contract/weekly-clock.ts'
import type { DumpDownload, Purpose, Upstream } from '#lib/upstream/upstream.ts'
import { hasValidator } from '#lib/upstream/validators.ts'
import { onDisk } from './disk.ts'
import type { HeldPart } from './dump-part.ts'
import type { EditionFolder } from './edition-folder.ts'
import { hashFile } from './hash-file.ts'
import { type Intake, type Receiving, rereadPart } from './receive-dump.ts'
import type { KeptEdition } from './sync.ts'

export type Asking = {
  kind: DumpKind
  upstream: Upstream
  folder: EditionFolder
  signal: AbortSignal
  purpose: Purpose
}

export type HeldIntake = { part: HeldPart; intake: Intake }

/** What is on disk of this week's dump, and what was read of it; null where it is nothing that can be relied on. */
export async function loadHeld(receiving: Receiving, at: number): Promise<HeldIntake | null> {
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

/** null where the service says that its dump is still the one that is held. */
export async function askForDump(
  options: Asking,
  part: HeldPart | null,
  newest: KeptEdition | null,
): Promise<DumpDownload | null> {
  const { upstream, kind, signal, purpose } = options
  signal.throwIfAborted()
  if (part) return await askForRest(options, part)
  if (!newest || !hasValidator(newest.validators)) {
    return await upstream.fetchDump(kind, { signal, purpose })
  }
  // Held bytes that have rotted must not be taken over into the next week.
  const isSound = (await hashFile(newest.path, signal).catch(() => null)) === newest.sha256
  return isSound
    ? await upstream.fetchDumpIfChanged(kind, newest.validators, { signal, purpose })
    : await upstream.fetchDump(kind, { signal, purpose })
}

/** A part that the service does not go on with is not asked for a second time. */
async function askForRest(
  { upstream, folder, kind, signal, purpose }: Asking,
  { validators, bytes }: HeldPart,
): Promise<DumpDownload> {
  try {
    return await upstream.fetchDump(kind, { signal, purpose, part: { ...validators, bytes } })
  } catch (error) {
    const isRefused = error instanceof AppError && error.fault === 'upstream_contract'
    if (isRefused) await folder.parts.drop(kind).catch(() => undefined)
    throw error
  }
}

/** What a download goes on with; null where it begins anew. Throws where it is the rest of something else. */
export async function joinHeld(download: DumpDownload, held: HeldIntake | null) {
  if (download.from === 0) return null
  if (held && download.from === held.part.bytes && isOf(held.part, download)) {
    const { startedAt, validators, totalBytes } = held.part
    const whole = { ...download, validators, totalBytes: download.totalBytes ?? totalBytes }
    return { download: whole, startedAt, intake: held.intake }
  }
  await closeDownload(download)
  const message = 'The service sent the rest of another dump than was asked for.'
  throw new AppError('upstream_contract', message)
}

const isOf = (part: HeldPart, { validators, totalBytes }: DumpDownload) =>
  (validators.etag ?? part.validators.etag) === part.validators.etag &&
  (totalBytes ?? part.totalBytes) === (part.totalBytes ?? totalBytes)

/** Ends a download that nobody reads. */
export const closeDownload = async ({ body }: DumpDownload) =>
  void (await body[Symbol.asyncIterator]().return?.())
