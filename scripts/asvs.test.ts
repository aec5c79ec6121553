import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { createTestFinder, selectNamedTests } from '#testing/named-tests.ts'

const text = readFileSync('docs/asvs.md', 'utf8')

const ANSWERS = ['met', 'not applicable', 'not met'] as const
type Answer = (typeof ANSWERS)[number]

const ROW =
  /^\| (\d+)\.(\d+)\.(\d+)(?:–(\d+))? +\| ([12](?:, 2)?) +\| (.+?) +\| (met|not applicable|not met) +\| (.+?) *\|$/gm

type Row = {
  chapter: number
  section: string
  first: number
  last: number
  answer: Answer
  why: string
}

const rows: Row[] = Array.from(
  text.matchAll(ROW),
  ([, chapter, section, first, last, , , answer, why = '']) => ({
    chapter: Number(chapter),
    section: `${chapter}.${section}`,
    first: Number(first),
    last: Number(last ?? first),
    answer: answer as Answer,
    why,
  }),
)

const countOf = ({ first, last }: Row) => last - first + 1

const count = (of: readonly Row[]) =>
  ANSWERS.map((answer) =>
    of.reduce((sum, row) => sum + (row.answer === answer ? countOf(row) : 0), 0),
  )

const SUMMARY = /^\| (?:V(\d+) · .+?|(all)) +\| +(\d+) +\| +(\d+) +\| +(\d+) +\|$/gm

it('the summary counts what the rows of each chapter say, and all of them', () => {
  const said = Array.from(text.matchAll(SUMMARY), ([, chapter, all, ...counts]) => ({
    chapter: all ?? Number(chapter),
    counts: counts.map(Number),
  }))
  const chapters = Array.from({ length: 17 }, (_, index) => index + 1)
  expect(said).toEqual([
    ...chapters.map((chapter) => ({
      chapter,
      counts: count(rows.filter((row) => row.chapter === chapter)),
    })),
    { chapter: 'all', counts: count(rows) },
  ])
})

it('no requirement of the first two levels is left out or answered twice', () => {
  const expected = new Map<string, number>()
  const gaps = rows.filter(({ section, first, last }) => {
    const isNext = first === (expected.get(section) ?? 1) && last >= first
    expected.set(section, last + 1)
    return !isNext
  })
  expect(gaps).toEqual([])
  // ASVS 5.0.0: 70 requirements of level 1 and 183 of level 2.
  expect(rows.reduce((sum, row) => sum + countOf(row), 0)).toBe(253)
})

it('each table has rows of nothing but requirements', () => {
  const lines = text.split('\n').filter((line) => /^\| \d/.test(line))
  expect(lines.length).toBe(rows.length)
})

const FILE = /`([^`\s]+\.\w+|Dockerfile)`/
const LINK = /\]\([^)]+\)/

it('what is met has a test, or a document or file that settles it; each test that is named exists', () => {
  const isThere = createTestFinder()
  const problems = rows.flatMap(({ section, first, answer, why }) => {
    const tests = selectNamedTests(why)
    const file = FILE.exec(why)?.[1]
    const isSettled = tests.length > 0 || LINK.test(why) || (file !== undefined && existsSync(file))
    return [
      ...(answer === 'met' && !isSettled ? [`${section}.${first} is met by nothing`] : []),
      ...tests
        .filter((test) => !isThere(test))
        .map(({ file: path, name }) => `${section}.${first}: ${path} › ${name}`),
    ]
  })
  expect(problems).toEqual([])
})
