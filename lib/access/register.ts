import * as z from 'zod/mini'
import type { SharedFile } from '#lib/files/json-file.ts'

/** Somebody's secret, by its hash: a session of a browser, or a token of a script. Instants are seconds since 1970. */
export const held = z.object({
  /** Names it to people; it opens nothing. */
  id: z.string(),
  hash: z.string(),
  /** The account that it acts for. */
  name: z.string(),
  created_at: z.int(),
  /** Up to a minute behind on disk; null where it was never used. */
  used_at: z.nullable(z.int()),
})
export type Held = z.infer<typeof held>

export type RegisterOptions<T extends Held> = {
  file: SharedFile<{ records: T[] }>
  /** Whether it has not ended by itself. */
  isLive: (record: T) => boolean
  now: () => number
}

/** The content of the file that a register of such records is kept in. */
export const toRegisterSchema = <S extends z.ZodMiniType<Held>>(record: S) =>
  z.object({ records: z.array(record) })

/** Records of secrets in a file that others change, too; found without reading the file. */
export type Register<T extends Held> = {
  /** Adds what `make` gives, having seen the others. What it throws leaves all as it was. */
  add(make: (others: readonly T[]) => T): Promise<T>
  /** The record of a hash, noting that it was used; null where there is none, or it has ended. */
  find(hash: string): T | null
  /** Those that have not ended. */
  list(): readonly T[]
  /** Ends those that `isEnded` says so of; gives how many. */
  end(isEnded: (record: T) => boolean): Promise<number>
  /** Reads what another process has changed, and writes down what was used since. */
  refresh(): Promise<void>
}

/** What was used is written down this often. */
const NOTED_SECONDS = 60

export function createRegister<T extends Held>(options: RegisterOptions<T>): Register<T> {
  const { file, isLive, now } = options
  let byHash = new Map<string, T>()
  /** When each was used last, as far as the file does not say it yet. */
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
    // A look that was overtaken by a later one could bring back what has ended.
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
    async refresh() {
      await take()
      if ([...byHash.values()].some(isBehind)) await update((records) => records)
    },
  }
}
