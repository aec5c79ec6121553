import { readFileSync } from 'node:fs'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { ALARM_KINDS } from '#lib/contract/answers/status.ts'
import { FAULT_STATUS } from '#lib/contract/faults.ts'
import { listSources } from './texts.ts'

const text = readFileSync('docs/troubleshooting.md', 'utf8')

/** Faults whose messages tell an operator what to do. */
const OPERATORS = /^'(not_ready|budget_spent|upstream_[a-z]+)'$/

/** Files whose constants are such messages. */
const CONSTANTS =
  /^lib\/(archive\/engine\/engine-errors|store\/connection|upstream\/failures|upstream\/ledger|upstream\/read-answer)\.ts$/

const toMessage = (node: ts.Node | undefined): string | null => {
  if (!node) return null
  if (ts.isStringLiteralLike(node)) return node.text
  if (!ts.isTemplateExpression(node)) return null
  return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('')
}

const isSentence = (message: string) => /^[A-Z].* .*\.$/.test(message)

function selectMessages(path: string): string[] {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
  const messages: string[] = []
  const visit = (node: ts.Node) => {
    const isError = ts.isNewExpression(node) && node.expression.getText(source) === 'AppError'
    if (isError && OPERATORS.test(node.arguments?.[0]?.getText(source) ?? '')) {
      const message = toMessage(node.arguments?.[1])
      if (message !== null && isSentence(message)) messages.push(message)
    }
    if (CONSTANTS.test(path)) {
      const message = toMessage(node)
      if (message !== null && isSentence(message)) messages.push(message)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return messages
}

/** Messages are in backticks: those within them are not repeated. */
const toWritten = (message: string) => message.replaceAll('`', '')

it('every message that asks an operator for something has an entry', () => {
  const messages = [...new Set(listSources(['lib']).flatMap(selectMessages))]
  expect(messages.length).toBeGreaterThan(70)
  expect(messages.filter((message) => !text.includes(toWritten(message)))).toEqual([])
})

it('every fault and every alarm has a row', () => {
  const rows = Array.from(text.matchAll(/^\| `([a-z_]+)` +\|/gm), ([, name]) => name)
  expect(rows.sort()).toEqual([...Object.keys(FAULT_STATUS), ...ALARM_KINDS].sort())
})

it('every fault has the status of its answer', () => {
  const said = Array.from(
    text.matchAll(/^\| `([a-z_]+)` +\| (\d{3}) +\|/gm),
    ([, name, status]) => [name, Number(status)],
  )
  expect(Object.fromEntries(said)).toEqual(FAULT_STATUS)
})
