import { mkdir, rm } from 'node:fs/promises'
import type { Archive } from '#lib/archive/archive.ts'
import {
  type Checksums,
  type RangeChecksum,
  selectChecksums,
} from '#lib/archive/share/checksums.ts'
import { createQueue } from '#lib/async/serial-queue.ts'
import { toWithdrawn } from '#lib/contract/faults.ts'
import type { Database } from '#lib/store/connection.ts'
import {
  readChanges,
  type StoreChecksums,
  selectShared,
  selectStoreChecksums,
} from '#lib/store/generations.ts'

type ReplicaOptions = {
  sql: Database
  archive: Archive
  /** Emptied before use. */
  folder: string
  /** Ids are inclusive. */
  onDifference?: (differences: readonly IdRange[]) => void
}

export type IdRange = { from: number; to: number }

export type Replica = {
  /** Throws AppError `not_ready` or `busy`; the archive is then unchanged. */
  catchUp(signal?: AbortSignal): Promise<boolean>
  /** Refills the archive if it differs. Null if commits came too fast to compare. */
  verify(signal?: AbortSignal): Promise<readonly IdRange[] | null>
}

const ATTEMPTS = 5

export function createReplica({ sql, archive, folder, onDifference }: ReplicaOptions): Replica {
  const inTurn = createQueue()

  const catchUp = async (signal: AbortSignal | undefined): Promise<boolean> => {
    if (await leaveEmpty()) return false
    let isApplied = false
    for (;;) {
      const next = await follow(signal, false)
      if (next === 'current') return isApplied
      isApplied ||= next === 'applied'
    }
  }

  /** A recreated database has no history. */
  const leaveEmpty = async (): Promise<boolean> => {
    const { revision } = await selectShared(sql)
    if (revision > 0) return false
    if (archive.applied()) await archive.leave()
    return true
  }

  const follow = async (signal: AbortSignal | undefined, isWhole: boolean) => {
    refuse(signal)
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true, mode: 0o700 })
    try {
      const over = archive.applied()
      const change = await readChanges(sql, isWhole ? null : over, { folder, signal })
      refuse(signal)
      if (!change) return 'current'
      return (await archive.apply({ ...change, over })) ? 'applied' : 'overtaken'
    } catch (error) {
      refuse(signal)
      throw error
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  const verify = async (signal: AbortSignal | undefined): Promise<readonly IdRange[] | null> => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      await catchUp(signal)
      const theirs = await selectStoreChecksums(sql, signal)
      if (theirs.revision === 0) return []
      const ours = await selectChecksums(archive.reader, theirs, { signal })
      if (!isSameCommit(ours, theirs)) continue
      const differences = findDifferences(ours.ranges, theirs)
      if (differences.length > 0) {
        onDifference?.(differences)
        await follow(signal, true)
      }
      return differences
    }
    return null
  }

  return {
    catchUp: (signal) => inTurn(async () => await catchUp(signal)),
    verify: (signal) => inTurn(async () => await verify(signal)),
  }
}

function refuse(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw toWithdrawn(signal.reason)
}

const isSameCommit = ({ applied }: Checksums, { mark, revision }: StoreChecksums): boolean =>
  applied?.revision === revision && applied.mark === mark

function findDifferences(
  ours: readonly RangeChecksum[],
  { from, width, ranges }: StoreChecksums,
): IdRange[] {
  const toText = ({ ratings, sum }: RangeChecksum) => `${ratings} ${sum}`
  const [left, right] = [ours, ranges].map(
    (side) => new Map(side.map((each) => [each.range, toText(each)])),
  )
  const all = new Set([...ours, ...ranges].map(({ range }) => range))
  return [...all]
    .filter((range) => left?.get(range) !== right?.get(range))
    .sort((a, b) => a - b)
    .map((range) => toIds(range, { from, width }))
}

const toIds = (range: number, { from, width }: { from: number; width: number }): IdRange =>
  range < 0
    ? { from: Number.MIN_SAFE_INTEGER, to: from - 1 }
    : { from: from + range * width, to: from + (range + 1) * width - 1 }
