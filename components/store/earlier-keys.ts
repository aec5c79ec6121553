import * as z from 'zod/mini'
import { toKeptName } from '#lib/contract/base-path.ts'
import { parseJson } from '#lib/contract/json-text.ts'

const PREFIX = 'bellwether.'
const COLUMNS = toKeptName('.table')

const NAMES = {
  stars: toKeptName(`${PREFIX}watching`),
  views: toKeptName(`${PREFIX}views`),
  zone: toKeptName(`${PREFIX}time-zone`),
  queries: toKeptName(`${PREFIX}sql`),
  singleKeys: toKeptName(`${PREFIX}single-keys`),
}

const look = z.catch(
  z.nullable(
    z.pipe(
      z.looseObject({ newest_at: z.unknown() }),
      z.transform(({ newest_at, ...rest }) => ({ ...rest, newestAt: newest_at })),
    ),
  ),
  null,
)
const star = z.catch(z.nullable(z.looseObject({ seen: look, before: look })), null)
const starsDocument = z.object({ stars: z.array(star) })
const viewsDocument = z.object({ views: z.unknown() })
const queriesDocument = z.object({ queries: z.unknown() })

/** The keys of releases that stored each part under its own. */
export const findEarlierKeys = (storage: Storage): string[] =>
  Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '').filter(
    (key) => Object.values(NAMES).includes(key) || isColumnsKey(key),
  )

const isColumnsKey = (key: string) => key.startsWith(PREFIX) && key.endsWith(COLUMNS)

/** Unchecked: the store parses it like its own text. */
export function readEarlierState(storage: Storage, keys: readonly string[]) {
  const readJson = (key: string) => parseJson(storage.getItem(key) ?? '')
  return {
    ...starsDocument.safeParse(readJson(NAMES.stars)).data,
    ...viewsDocument.safeParse(readJson(NAMES.views)).data,
    ...queriesDocument.safeParse(readJson(NAMES.queries)).data,
    zone: storage.getItem(NAMES.zone),
    singleKeys: storage.getItem(NAMES.singleKeys) !== 'off',
    columns: Object.fromEntries(
      keys
        .filter(isColumnsKey)
        .map((key) => [key.slice(PREFIX.length, -COLUMNS.length), storage.getItem(key) ?? '']),
    ),
  }
}
