import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import ts from 'typescript'

/** A text that a reader or an operator may see, as it is written in the source. */
export type Text = { path: string; line: number; text: string }

const NO_TEXT = /^(className|key|href|id|d|path|rel|type|role|sizes|viewBox|transform|style)$/
const SQL =
  /^\s*(SELECT|FROM|WHERE|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|WITH|ATTACH|COPY|SET|AND|OR|ON|ORDER|GROUP|CAST|CASE|PRAGMA|BEGIN|NOTIFY)\b/

/** Folders with code. */
export const ROOMS = [
  'app',
  'bench',
  'components',
  'e2e',
  'lib',
  'pages',
  'scripts',
  'soak',
  'testing',
]

/** Sources of the rooms without tests, sorted by path. */
export function listSources(rooms: readonly string[]): string[] {
  return rooms
    .flatMap((room) =>
      readdirSync(room, { recursive: true, encoding: 'utf8' }).map((name) => join(room, name)),
    )
    .filter((path) => /(?<!\.test)\.(tsx?|mjs)$/.test(path))
    .sort()
}

/** The texts of a source: what is between tags, and literals of several words. SQL is left out. */
export function selectTexts(path: string): Text[] {
  const texts: Text[] = []
  const source = ts.createSourceFile(
    path,
    readFileSync(path, 'utf8'),
    ts.ScriptTarget.Latest,
    true,
    path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  )
  const add = (node: ts.Node, text: string) => {
    const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1
    texts.push({ path, line, text: text.replace(/\s+/g, ' ').trim() })
  }
  const visit = (node: ts.Node) => {
    if (ts.isImportDeclaration(node)) return
    if (ts.isJsxAttribute(node) && NO_TEXT.test(node.name.getText(source))) return
    if (ts.isTemplateExpression(node)) {
      add(node, toPattern(node))
      for (const { expression } of node.templateSpans) visit(expression)
      return
    }
    if (ts.isJsxText(node) || ts.isStringLiteralLike(node)) add(node, node.text)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return texts.filter(({ text }) => /\s/.test(text) && /[a-z]{2}/i.test(text) && !isCode(text))
}

/** SQL, or names of classes. */
function isCode(text: string): boolean {
  const words = text.split(' ')
  const classes = words.filter((word) =>
    /^[a-z\d[\]!&>*-]+[-:[][^ ]*$|^(flex|grid|block|sr-only|use|client|relative|absolute|sticky|truncate|border|hidden|number|link)$/.test(
      word,
    ),
  )
  return SQL.test(text) || classes.length > words.length / 2
}

const toPattern = ({ head, templateSpans }: ts.TemplateExpression) =>
  [head.text, ...templateSpans.map(({ literal }) => literal.text)].join('{}')

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const path of listSources(['app', 'components', 'lib', 'pages'])) {
    const texts = selectTexts(path)
    if (texts.length > 0) console.log(`\n${path}`)
    for (const { line, text } of texts) console.log(`${line}: ${text}`)
  }
}
