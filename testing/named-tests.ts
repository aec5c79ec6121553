import { existsSync, readFileSync } from 'node:fs'
import ts from 'typescript'

export type NamedTest = { file: string; name: string }

const REFERENCE = /`([^`›]+\.ts) › ([^`]+)`/g

export const selectNamedTests = (text: string): NamedTest[] =>
  Array.from(text.matchAll(REFERENCE), ([, file = '', name = '']) => ({ file, name }))

export function selectTestNames(file: string): string[] {
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

export function createTestFinder(): (test: NamedTest) => boolean {
  const namesOf = new Map<string, readonly string[]>()
  return ({ file, name }) => {
    const names = namesOf.get(file) ?? (existsSync(file) ? selectTestNames(file) : [])
    namesOf.set(file, names)
    return names.includes(name)
  }
}
