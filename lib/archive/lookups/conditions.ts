import { type RawBuilder, sql } from 'kysely'
import type { LookupList, LookupsQuery } from '#lib/contract/lookups-query.ts'
import type { Chosen } from '#lib/contract/value-list.ts'

/** A filter of the look-ups; `created` is their time. */
export type LookupFilter = LookupList | 'created'

/** What a query leaves of `lookups.lookup`, but for the filters named. */
export function toLookupConditions(
  query: LookupsQuery,
  ...without: readonly LookupFilter[]
): RawBuilder<boolean> {
  const conditions: RawBuilder<unknown>[] = [sql`true`]
  const isAsked = (name: LookupFilter) => !without.includes(name)
  if (isAsked('symbol')) conditions.push(...toListed(query.symbol, 'symbol'))
  if (isAsked('source')) conditions.push(...toListed(query.source, 'source'))
  if (isAsked('room')) conditions.push(...toListed(query.room, 'room'))
  if (isAsked('created') && query.from !== null) {
    conditions.push(sql`created_at >= ${sql.lit(query.from)}`)
  }
  if (isAsked('created') && query.to !== null) {
    conditions.push(sql`created_at < ${sql.lit(query.to)}`)
  }
  if (query.asof !== null) conditions.push(sql`created_at <= ${sql.lit(query.asof)}`)
  return sql<boolean>`(${sql.join(conditions, sql` and `)})`
}

/** Rows hold the numbers of their names. What has no name is among those that are left where some are taken out. */
function toListed({ only, not }: Chosen<string>, name: LookupList): RawBuilder<unknown>[] {
  const number = sql.ref(`${name}_no`)
  const numbered = (values: readonly string[]) => sql`(
    select ${number} from ${sql.table(`lookups.${name}`)}
    where ${sql.ref(name)} in (${sql.join(values)}))`
  return [
    ...(only.length > 0 ? [sql`${number} in ${numbered(only)}`] : []),
    ...(not.length > 0 ? [sql`(${number} is null or ${number} not in ${numbered(not)})`] : []),
  ]
}
