import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import {
  createTestFinder,
  type NamedTest,
  selectNamedTests,
  selectTestNames,
} from '#testing/named-tests.ts'

const TABLE_ROW = /^\| (\d+) +\| (.+?) *\| (.+?) *\| (.+?) *\|$/gm

type Row = { number: number; fault: string; rule: string; tests: NamedTest[] }

const rows: Row[] = Array.from(
  readFileSync('docs/faults.md', 'utf8').matchAll(TABLE_ROW),
  ([, number, fault = '', rule = '', cell = '']) => ({
    number: Number(number),
    fault,
    rule,
    tests: selectNamedTests(cell),
  }),
)

it('the table of faults is numbered without a gap, and each row says its fault and its rule', () => {
  expect(rows.length).toBeGreaterThanOrEqual(40)
  expect(rows.map(({ number }) => number)).toEqual(rows.map((_, index) => index + 1))
})

it('each fault has a test, and each test that is named is in its file, under that name', () => {
  const isThere = createTestFinder()
  const problems = rows.flatMap(({ number, tests }) => [
    ...(tests.length === 0 ? [`${number} has no test`] : []),
    ...tests
      .filter((test) => !isThere(test))
      .map(({ file, name }) => `${number}: ${file} › ${name}`),
  ])
  expect(problems).toEqual([])
})

it('what is no test, or is skipped, is not taken for one', () => {
  const names = selectTestNames('scripts/faults.test.ts')
  expect(names).toContain('what is no test, or is skipped, is not taken for one')
  expect(names).not.toContain('docs/faults.md')
  expect(selectTestNames('lib/contract/rating.test.ts').join()).toMatch(/ › /)
})
