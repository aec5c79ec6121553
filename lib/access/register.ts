import * as z from 'zod/mini'
import type { SharedFile } from '#lib/files/json-file.ts'

/** A session or API token. Instants are seconds since 1970. */
export const held = z.object({
  id: z.string(),
  hash: z.string(),
  name: z.string(),
  created_at: z.int(),
  /** Up to a minute old on disk. Null: never used. */
  used_at: z.nullable(z.int()),
})
export type RegisterRecord = z.infer<typeof held>

type RegisterOptions<T extends RegisterRecord> = {
  file: SharedFile<{ records: T[] }>
  isLive: (record: T) => boolean
  now: () => number
}

export const toRegisterSchema = <S extends z.ZodMiniType<RegisterRecord>>(record: S) =>
  z.object({ records: z.array(record) })

export type Register<T extends RegisterRecord> = {
  /** If `make` throws, nothing changes. */
  add(make: (others: readonly T[]) => T): Promise<T>
  find(hash: string): T | null
  list(): readonly T[]
  end(isEnded: (record: T) => boolean): Promise<number>
  /** Writes nothing if `next` returns every record as it is. */
  change(next: (record: T) => T): Promise<void>
  refresh(): Promise<void>
}

const NOTED_SECONDS = 60

export function createRegister<T extends RegisterRecord>(options: RegisterOptions<T>): Register<T> {
  const { file, isLive, now } = options
  let byHash = new Map<string, T>()
  const used = new Map<string, number>()

  const withUse = (record: T): T => {
    const at = used.get(record.id)
    return at === undefined || at <= (record.used_at ?? 0) ? record : { ...record, used_at: at }
  }
  const current = (records: readonly T[]) => records.map(withUse).filter(isLive)
  let asked = 0
  let taken = 0
  const take = async () => {
    asked += 1
    const turn = asked
    const records = (await file.load())?.records ?? []
    // A slow read that finishes after a later one could restore ended records.
    if (turn < taken) return
    taken = turn
    byHash = new Map(records.map((record) => [record.hash, record]))
    const ids = new Set(records.map(({ id }) => id))
    for (const id of used.keys()) if (!ids.has(id)) used.delete(id)
  }
  const update = async (change: (records: readonly T[]) => readonly T[]) => {
    await file.update((kept) => ({ records: [...change(current(kept?.records ?? []))] }))
    await take()
  }
  const isBehind = (record: T) =>
    (used.get(record.id) ?? 0) - (record.used_at ?? 0) >= NOTED_SECONDS

  return {
    async add(make) {
      let made: T | undefined
      await update((others) => {
        made = make(others)
        return [...others, made]
      })
      if (!made) throw new Error('nothing was added')
      return made
    },
    find(hash) {
      const found = byHash.get(hash)
      if (!found) return null
      const record = withUse(found)
      if (!isLive(record)) return null
      used.set(record.id, Math.floor(now()))
      return record
    },
    list: () => current([...byHash.values()]),
    async end(isEnded) {
      let ended = 0
      await update((records) => {
        const left = records.filter((record) => !isEnded(record))
        ended = records.length - left.length
        return left
      })
      return ended
    },
    async change(next) {
      if ([...byHash.values()].every((record) => next(record) === record)) return
      await update((records) => records.map(next))
    },
    async refresh() {
      await take()
      if ([...byHash.values()].some(isBehind)) await update((records) => records)
    },
  }
}
