import fc from 'fast-check'
import type { IncomingRating } from '#lib/contract/incoming-rating.ts'
import { aCommunity, anInstant, importRows, openMemory } from './arbitrary.test-support.ts'
import type { Archive } from './archive.ts'
import { deriveRows, type OracleRow } from './oracle.test-support.ts'

/** One question: what is asked, and the instant that *active* is judged at. */
export type Question<Q> = { archive: Archive; rows: OracleRow[]; asked: Q; at: number }

/** `of` are the communities, any by default. */
type Effort = {
  communities: number
  questions: number
  of?: fc.Arbitrary<IncomingRating[]>
}

/** Asks random questions of archives of random communities; `check` compares each answer with plain counting. */
export async function holdAgainstCounting<Q>(
  anAsked: fc.Arbitrary<Q>,
  { communities, questions, of = aCommunity }: Effort,
  check: (question: Question<Q>) => Promise<void>,
): Promise<void> {
  const aQuestion = fc.tuple(anAsked, anInstant)
  const several = fc.array(aQuestion, { minLength: questions, maxLength: questions })
  const property = fc.asyncProperty(of, several, async (community, all) => {
    const archive = await openMemory()
    await importRows(archive, community)
    const rows = deriveRows(community)
    for (const [asked, at] of all) await check({ archive, rows, asked, at })
    await archive.close()
  })
  await fc.assert(property, { numRuns: communities, endOnFailure: true })
}
