import { AppError } from '#lib/contract/faults.ts'
import type { DumpKind } from '#lib/contract/weekly-clock.ts'
import type { Disk } from './disk.ts'

/** How often a dump's size is needed on the disk: that of posts is imported as well, which stages and writes its rows. */
const ROOM: Record<DumpKind, number> = { posts: 3, lookups: 1.1 }

export type RoomWanted = {
  disk: Disk
  dir: string
  kind: DumpKind
  /** How large the dump is, as far as anybody knows; null where nobody does. */
  bytes: number | null
  /** What of it is on the disk already. */
  held: number
}

/** Throws AppError `not_ready` where the disk has no room for a dump. Where it cannot be asked there is room. */
export async function refuseFullDisk({ disk, dir, kind, bytes, held }: RoomWanted): Promise<void> {
  if (bytes === null) return
  const wanted = Math.max(0, Math.ceil(bytes * ROOM[kind]) - held)
  const free = await disk.freeBytes(dir).catch(() => null)
  if (free === null || free >= wanted) return
  throw new AppError(
    'not_ready',
    `The disk has ${toMegabytes(free)} MB left where the ${kind} dump needs ${toMegabytes(wanted)} MB: free some space.`,
  )
}

const toMegabytes = (bytes: number) => (bytes / 1_000_000).toFixed(1)
