import fc from 'fast-check'
import type { Archive } from '#lib/archive/archive.ts'
import type { IncomingRating } from '#lib/contract/rating.ts'
import { draws, SEED } from '#testing/draws.ts'
import { aCommunity, anInstant, importRows, openMemory, START } from './arbitrary.ts'
import { deriveRows, type OracleRow, type Vanished } from './oracle.ts'

export type Question<Q> = { archive: Archive; rows: OracleRow[]; asked: Q; at: number }

/** A test that draws more than once needs a different `seed` each time. */
type Effort = {
  communities: number
  questions: number
  of?: fc.Arbitrary<IncomingRating[]>
  seed?: number
}

const LOST_AT = START + 20 * 86_400

async function loseSome(archive: Archive, community: readonly IncomingRating[]): Promise<Vanished> {
  const last = new Map(community.map((row) => [row.rating.id, row]))
  const kept = [...last.values()].filter(({ rating }) => rating.id % 3 !== 0)
  const newest = Math.max(...kept.map(({ rating }) => rating.created_at))
  const lost = [...last.values()]
    .filter(({ rating }) => rating.id % 3 === 0)
    .filter(({ rating }) => rating.created_at <= Math.min(newest, LOST_AT))
  await importRows(archive, kept, null, { at: LOST_AT })
  return new Map(lost.map(({ rating }) => [rating.id, LOST_AT]))
}

export async function holdAgainstCounting<Q>(
  anAsked: fc.Arbitrary<Q>,
  { communities, questions, of = aCommunity, seed = SEED }: Effort,
  check: (question: Question<Q>) => Promise<void>,
): Promise<void> {
  const aQuestion = fc.tuple(anAsked, anInstant)
  const several = fc.array(aQuestion, { minLength: questions, maxLength: questions })
  const property = fc.asyncProperty(of, several, async (community, all) => {
    const archive = await openMemory()
    await importRows(archive, community)
    const rows = deriveRows(community, await loseSome(archive, community))
    for (const [asked, at] of all) {
      await check({ archive, rows, asked, at })
    }
    await archive.close()
  })
  await fc.assert(property, { numRuns: draws(communities), seed })
}
