import { existsSync, readFileSync } from 'node:fs'
import ts from 'typescript'
import { expect, it } from 'vitest'

const TABLE_ROW = /^\| (\d+) +\| (.+?) *\| (.+?) *\| (.+?) *\|$/gm
const REFERENCE = /`([^`›]+\.ts) › ([^`]+)`/g

type Row = { number: number; fault: string; rule: string; tests: { file: string; name: string }[] }

/** The rows of docs/faults.md; the last column names tests as `file › name`. */
const rows: Row[] = Array.from(
  readFileSync('docs/faults.md', 'utf8').matchAll(TABLE_ROW),
  ([, number, fault = '', rule = '', cell = '']) => ({
    number: Number(number),
    fault,
    rule,
    tests: Array.from(cell.matchAll(REFERENCE), ([, file = '', name = '']) => ({ file, name })),
  }),
)

/** The names of the tests that a file runs, those within a `describe` with its name in front, as a report has them. */
function selectTestNames(file: string): string[] {
  const names: string[] = []
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
  const visit = (node: ts.Node, groups: readonly string[]) => {
    const call = ts.isCallExpression(node) ? toTestCall(node) : null
    if (call?.kind === 'test') names.push([...groups, call.name].join(' › '))
    const within = call?.kind === 'group' ? [...groups, call.name] : groups
    ts.forEachChild(node, (child) => visit(child, within))
  }
  visit(source, [])
  return names
}

const KINDS = { test: 'test', it: 'test', describe: 'group', 'test.describe': 'group' } as const

/** `test('name', …)`, `test.each(rows)('name', …)` and their like; not one that is skipped. */
function toTestCall({ expression, arguments: given }: ts.CallExpression) {
  const [name, ...rest] = given
  const callee = ts.isCallExpression(expression) ? expression.expression : expression
  const called = callee.getText().replace(/\.each$/, '')
  const isKnown = called in KINDS
  if (!isKnown || rest.length === 0 || !name) return null
  const isText = ts.isStringLiteralLike(name) || ts.isTemplateExpression(name)
  if (!isText) return null
  const text = ts.isStringLiteralLike(name) ? name.text : name.getText().slice(1, -1)
  return { kind: KINDS[called as keyof typeof KINDS], name: text }
}

it('the table of faults is numbered without a gap, and each row says its fault and its rule', () => {
  expect(rows.length).toBeGreaterThanOrEqual(40)
  expect(rows.map(({ number }) => number)).toEqual(rows.map((_, index) => index + 1))
})

it('each fault has a test, and each test that is named is in its file, under that name', () => {
  const namesOf = new Map<string, string[]>()
  const problems: string[] = []
  for (const { number, tests } of rows) {
    if (tests.length === 0) problems.push(`${number} has no test`)
    for (const { file, name } of tests) {
      if (!namesOf.has(file)) namesOf.set(file, existsSync(file) ? selectTestNames(file) : [])
      if (!namesOf.get(file)?.includes(name)) problems.push(`${number}: ${file} › ${name}`)
    }
  }
  expect(problems).toEqual([])
})

it('what is no test, or is skipped, is not taken for one', () => {
  const names = selectTestNames('scripts/faults.test.ts')
  expect(names).toContain('what is no test, or is skipped, is not taken for one')
  expect(names).not.toContain('docs/faults.md')
  expect(selectTestNames('lib/contract/rating.test.ts').join()).toMatch(/ › /)
})
