import { toKeptName } from '#lib/contract/base-path.ts'
import { parseJson } from '#lib/contract/json-text.ts'
import { isRecord } from './stored-state.ts'

const PREFIX = 'bellwether.'
const COLUMNS = toKeptName('.table')

const NAMES = {
  stars: toKeptName(`${PREFIX}watching`),
  views: toKeptName(`${PREFIX}views`),
  zone: toKeptName(`${PREFIX}time-zone`),
  queries: toKeptName(`${PREFIX}sql`),
  singleKeys: toKeptName(`${PREFIX}single-keys`),
}

/** Storage keys of earlier releases, one for each part. */
export const findEarlierKeys = (storage: Storage): string[] =>
  Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '').filter(
    (key) => Object.values(NAMES).includes(key) || isColumnsKey(key),
  )

const isColumnsKey = (key: string) => key.startsWith(PREFIX) && key.endsWith(COLUMNS)

/** Not validated: `parseStoredState` does that. */
export function readEarlierState(storage: Storage, keys: readonly string[]) {
  const readJson = (key: string) => toRecord(parseJson(storage.getItem(key) ?? ''))
  const { stars } = readJson(NAMES.stars)
  const columns = keys
    .filter(isColumnsKey)
    .map((key) => [key.slice(PREFIX.length, -COLUMNS.length), storage.getItem(key)])
  return {
    stars: Array.isArray(stars) ? stars.map(toStar) : [],
    views: readJson(NAMES.views).views,
    queries: readJson(NAMES.queries).queries,
    zone: storage.getItem(NAMES.zone),
    singleKeys: storage.getItem(NAMES.singleKeys) !== 'off',
    columns: Object.fromEntries(columns),
  }
}

const toRecord = (value: unknown) => (isRecord(value) ? value : {})

function toStar(value: unknown) {
  const { revision: _, seen, before, ...star } = toRecord(value)
  return { ...star, seen: toLastSeen(seen), before: toLastSeen(before) }
}

function toLastSeen(value: unknown) {
  if (!isRecord(value)) return null
  const { newest_at: newestAt, ...lastSeen } = value
  return { ...lastSeen, newestAt }
}
