import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aCommunityOrCrowd, anInstant } from '#testing/archive/arbitrary.ts'
import { LEAGUE, leagueTable, notableOf } from '#testing/archive/league-oracle.ts'
import { opinionOf } from '#testing/archive/opinion-oracle.ts'
import { deriveRows, groupBy, keyOf } from '#testing/archive/oracle.ts'

const SAMPLES = 60
const DAY = 86_400

function countReach(): Record<string, number> {
  const questions = fc.sample(fc.tuple(aCommunityOrCrowd, anInstant), { numRuns: SAMPLES, seed: 4 })
  const reach: Record<string, number> = {}
  const note = (what: string, isThere: boolean) => {
    reach[what] = (reach[what] ?? 0) + (isThere ? 1 : 0)
  }
  const isAbove0 = (decimal: string | null) => decimal !== null && /[1-9]/.test(decimal)
  for (const [community, at] of questions) {
    const rows = deriveRows(community)
    const range = { at, since: at - 7 * DAY, lapsingBy: at + 30 * DAY, lines: 5 }
    for (const [name, lines] of Object.entries(notableOf(rows, range)))
      note(`an order in ${name}`, lines.length > 1)
    const lines = leagueTable(rows, LEAGUE, at)
    note('several changes', lines.filter((line) => isAbove0(line.change_30d)).length > 1)
    note('a drawn spark', lines.filter((line) => line.spark.some((one) => one)).length > 1)
    note('a dispersion', lines.filter((line) => isAbove0(line.dispersion)).length > 1)
    const opinions = [...groupBy(rows, keyOf).values()].map((own) => opinionOf(own, at))
    note(
      'a cliff',
      opinions.some((one) => one?.cliff.some(({ lapsing }) => lapsing > 0)),
    )
    note(
      'three opinions',
      opinions.some((one) => (one?.active ?? 0) >= 3),
    )
  }
  return reach
}

test('the random questions about opinion have answers that could be wrong', () => {
  for (const [what, count] of Object.entries(countReach())) {
    expect(count, `${what}, of ${SAMPLES} questions`).toBeGreaterThanOrEqual(SAMPLES / 8)
  }
})
