import * as z from 'zod/mini'
import type { ReadText } from '#components/ui/kept-store.ts'
import { parseJson } from '#lib/contract/json-text.ts'
import { isProblem, readSymbol } from '#lib/contract/query-parameters.ts'
import { parseRatingId } from '#lib/contract/rating-fields.ts'
import { NEWEST_MAX } from '#lib/contract/watching-query.ts'
import type { Star, Stars } from './stars.ts'
import { toStarId, type Watched } from './watched.ts'

const FORMAT = 'bellwether.watching'
const VERSION = 1
const TEXT_MAX_LENGTH = 2_000_000

const revision = z.int().check(z.gte(0), z.lte(1e12))
const kind = z.enum(['symbol', 'user', 'view'])
const key = z.string().check(z.minLength(1), z.maxLength(64))

const held = z.object({
  ratings: z.int(),
  newest: z.array(z.int()).check(z.maxLength(NEWEST_MAX)),
  newest_at: z.nullable(z.int()),
  consensus: z.nullable(z.string().check(z.regex(/^\d\.\d{4}$/))),
  active: z.int(),
  at: z.int(),
  generation: z.int(),
  of: z.string(),
})
type StoredLastSeen = z.output<typeof held>

const star = z.object({
  kind,
  key,
  name: z.string().check(z.maxLength(100)),
  revision,
  seen: z.nullable(held),
  before: z.nullable(held),
})

const current = z.object({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  stars: z.array(z.unknown()),
  removed: z.array(z.object({ kind, key, revision })),
})
const header = z.object({ format: z.literal(FORMAT), version: z.int() })

/** Never throws; skips unreadable stars. */
export function readStarsText(text: string): ReadText<Stars> {
  const json = text.length > TEXT_MAX_LENGTH ? undefined : parseJson(text)
  const head = header.safeParse(json)
  const read = current.safeParse(json)
  if (!read.success) return { ok: false, isNewer: (head.data?.version ?? 0) > VERSION }
  const stars = new Map<string, Star>()
  for (const item of read.data.stars) {
    const one = star.safeParse(item)
    if (!one.success || !isKey(one.data)) continue
    const { seen, before, ...rest } = one.data
    stars.set(toStarId(rest), { ...rest, seen: fromWritten(seen), before: fromWritten(before) })
  }
  const value = { stars: [...stars.values()], removed: read.data.removed }
  return { ok: true, value, isWhole: stars.size === read.data.stars.length }
}

const VIEW_ID = /^[a-z0-9-]{1,40}$/

export function isKey({ kind, key }: Pick<Watched, 'kind' | 'key'>): boolean {
  if (kind === 'view') return VIEW_ID.test(key)
  if (kind === 'user') return parseRatingId(key) !== null
  const symbol = readSymbol(key)
  return !isProblem(symbol) && symbol === key
}

function fromWritten(written: StoredLastSeen | null) {
  if (written === null) return null
  const { newest_at: newestAt, ...rest } = written
  return { ...rest, newestAt }
}

const toWritten = (look: Star['seen']): StoredLastSeen | null =>
  look === null
    ? null
    : {
        ratings: look.ratings,
        newest: [...look.newest],
        newest_at: look.newestAt,
        consensus: look.consensus,
        active: look.active,
        at: look.at,
        generation: look.generation,
        of: look.of,
      }

const inFile = z.object({
  symbols: z._default(z.array(z.unknown()), []),
  users: z._default(z.array(z.unknown()), []),
  views: z._default(z.array(z.unknown()), []),
})

export function readWatchedInFile(json: unknown): Watched[] {
  const read = inFile.safeParse(json)
  if (!read.success) return []
  const { symbols, users, views } = read.data
  const all: Watched[] = [
    ...symbols.map((one) => ({ kind: 'symbol' as const, key: toKey(one), name: '' })),
    ...users.map((one) => ({ kind: 'user' as const, key: toKey(one), name: '' })),
    ...views.map((one) => ({ kind: 'view' as const, key: toKey(one), name: '' })),
  ]
  const known = new Map(all.filter(isKey).map((one) => [toStarId(one), one]))
  return [...known.values()]
}

const toKey = (value: unknown): string =>
  typeof value === 'string' ? value : Number.isSafeInteger(value) ? String(value) : ''

export function toWatchedInFile({ stars }: Stars) {
  const keysOf = (kind: Watched['kind']) =>
    stars.filter((star) => star.kind === kind).map(({ key }) => key)
  if (stars.length === 0) return undefined
  return { symbols: keysOf('symbol'), users: keysOf('user').map(Number), views: keysOf('view') }
}

export const toStarsText = ({ stars, removed }: Stars): string =>
  JSON.stringify({
    format: FORMAT,
    version: VERSION,
    stars: stars.map(({ kind, key, name, revision, seen, before }) => ({
      kind,
      key,
      name,
      revision,
      seen: toWritten(seen),
      before: toWritten(before),
    })),
    removed: removed.map(({ kind, key, revision }) => ({ kind, key, revision })),
  })
