import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { countTests, cruise, StepFailed, stepBeside, withReports } from './checks.mjs'
import { runNode } from './run.mjs'

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bellwether-rooms-'))
  for (const file of ['package.json', 'tsconfig.json']) cpSync(file, join(root, file))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function write(path: string, text: string) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

it('a forbidden room, for values and for types, a cycle and an import that leads nowhere are caught', async () => {
  write('lib/archive/open.ts', 'export const open = 1\nexport type Open = number')
  write('lib/contract/value.ts', "export { open } from '#lib/archive/open.ts'")
  write('components/ui/type.ts', "export type { Open } from '#lib/archive/open.ts'")
  write('lib/sync/a.ts', "import { b } from './b.ts'\nexport const a = () => b")
  write('lib/sync/b.ts', "import { a } from './a.ts'\nexport const b = () => a")
  write('lib/api/c.ts', "export { d } from '#lib/contract/nowhere.ts'")
  write('testing/faults.ts', 'export const fault = 1')
  write('lib/server/e.ts', "export { fault } from '#testing/faults.ts'")
  write('soak/round.ts', 'export const round = 1')
  write('lib/upstream/f.ts', "export { round } from '../../soak/round.ts'")
  write('components/status/g.ts', 'export const g = 1')
  write('components/users/h.ts', "export { g } from '#components/status/g.ts'")
  write('components/hooks/i.ts', 'export const i = 1')
  write('components/shell/j.ts', "export { i } from '#components/hooks/i.ts'")
  const { violations } = await cruise(root)
  expect(violations.map(({ rule }: { rule: string }) => rule).sort()).toEqual([
    'a room of components is in the list',
    'no circle of files',
    'primitives never heard of a rating',
    'resolvable',
    'room components',
    'room components/shell',
    'room components/users',
    'room lib/contract',
    'the product needs nothing of what stands beside it',
    'the product needs nothing of what stands beside it',
  ])
})

it('two folders that need each other are a circle, though none of their files is', async () => {
  write('soak/rounds/a.ts', "export { b } from '../report/b.ts'")
  write('soak/report/b.ts', 'export const b = 1')
  write('soak/report/c.ts', "export { d } from '../rounds/d.ts'")
  write('soak/rounds/d.ts', 'export const d = 1')
  const { violations } = await cruise(root)
  expect(new Set(violations.map(({ rule }: { rule: string }) => rule))).toEqual(
    new Set(['no circle of folders']),
  )
})

it('what the table allows passes, and every module is seen', async () => {
  write('lib/contract/a.ts', 'export const a = 1')
  write('lib/archive/b.ts', "import { a } from '#lib/contract/a.ts'\nexport const b = a")
  write('lib/server/c.ts', "import { b } from '#lib/archive/b.ts'\nexport const c = b")
  write('testing/faults.ts', 'export const fault = 1')
  write('lib/server/c.test.ts', "import { fault } from '#testing/faults.ts'\nfault")
  write('app/page.tsx', "import { c } from '#lib/server/c.ts'\nexport default () => <p>{c}</p>")
  expect(await cruise(root)).toEqual({ modules: 5, violations: [] })
})

it('a step that fails beside another ends that one, and is the one that is named', async () => {
  const hangs = (stop: AbortSignal) =>
    runNode(['-e', 'setInterval(() => {}, 1000)'], { stop, print: () => {} })
  const failing = stepBeside(
    [
      ['fails', () => Promise.resolve(1)],
      ['never begins', () => expect.unreachable()],
    ],
    ['hangs', hangs],
  )
  await expect(failing).rejects.toThrow(new StepFailed('fails'))
})

type Reports = { unit: string; journeys: string }

it('unit tests and journeys are summed; what was skipped is no pass, nor is what needed a second try', async () => {
  await withReports((reports: Reports) => {
    const unit = {
      numPassedTests: 3,
      numFailedTests: 1,
      numPendingTests: 5,
      numTodoTests: 0,
      testResults: [],
    }
    writeFileSync(reports.unit, JSON.stringify(unit))
    const stats = { expected: 10, unexpected: 2, flaky: 1, skipped: 7 }
    writeFileSync(reports.journeys, JSON.stringify({ stats }))
    expect(countTests(reports)).toEqual({ passed: 13, failed: 4, skipped: 12 })
  })
})

it('a test file that does not load is a failure', async () => {
  await withReports((reports: Reports) => {
    const testResults = [
      { status: 'failed', assertionResults: [] },
      { status: 'passed', assertionResults: [{}] },
    ]
    const counts = { numPassedTests: 1, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0 }
    const unit = { ...counts, testResults }
    writeFileSync(reports.unit, JSON.stringify(unit))
    expect(countTests(reports)).toEqual({ passed: 1, failed: 1, skipped: 0 })
  })
})
