import type { Kysely } from 'kysely'
import type { Facets } from '#lib/contract/answers/ratings.ts'
import { QUALITIES, qualityLabel } from '#lib/contract/quality.ts'
import { hasQuality, qualityAt, toQualities } from './quality-bits.ts'
import { type Asked, toConditions } from './rating-conditions.ts'
import type { Tables } from './tables.ts'

/** How many of the rows that pass the other filters fall under each lens; one row may fall under several. */
export async function selectQualityFacet(
  db: Kysely<Tables>,
  asked: Asked,
): Promise<Facets['quality']> {
  const at = asked.query.asof ?? asked.at
  const lines = await db
    .selectFrom('rating')
    .select((eb) => [qualityAt(at).as('lenses'), eb.fn.countAll<number>().as('count')])
    .where(toConditions(asked, 'quality'))
    .where(hasQuality(QUALITIES, at))
    .groupBy('lenses')
    .execute()
  return QUALITIES.map((value) => {
    const under = lines.filter(({ lenses }) => toQualities(lenses).includes(value))
    const count = under.reduce((sum, line) => sum + line.count, 0)
    return { value, label: qualityLabel(value), count }
  })
}
