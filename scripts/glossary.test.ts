import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'

/** The words that the glossary's last column rules out. */
const retired = Array.from(
  readFileSync('docs/glossary.md', 'utf8').matchAll(
    /^\| (?!word)[a-z]+ +\| [^|]+ +\| ([^|]+?) +\|$/gm,
  ),
  ([, words = '']) => words.split(', '),
).flat()

/** What somebody types into the search may be any word that people have for a thing. */
const TYPED = 'components/palette/filter-text/'

const sources = ['components', 'app'].flatMap((room) =>
  readdirSync(room, { recursive: true, encoding: 'utf8' })
    .map((name) => join(room, name))
    .filter((path) => /(?<!\.test)\.tsx?$/.test(path) && !path.startsWith(TYPED)),
)

/** The texts of a source that a reader may see: what stands between tags, and literals of several words. */
function selectTexts(path: string): string[] {
  const texts: string[] = []
  const source = ts.createSourceFile(
    path,
    readFileSync(path, 'utf8'),
    ts.ScriptTarget.Latest,
    true,
    path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  )
  const visit = (node: ts.Node) => {
    if (ts.isImportDeclaration(node)) return
    if (ts.isJsxAttribute(node) && /^(className|key|href|id)$/.test(node.name.getText())) return
    const isLiteral = ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node)
    if (ts.isJsxText(node) || (isLiteral && /\s/.test(node.text))) texts.push(node.text)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return texts
}

it('no text of the dashboard has a word that the glossary rules out', () => {
  expect(retired.length).toBeGreaterThan(15)
  const word = new RegExp(`\\b(${retired.join('|')})\\b`, 'i')
  const found = sources.flatMap((path) =>
    selectTexts(path).flatMap((text) => (word.test(text) ? [`${path}: ${text.trim()}`] : [])),
  )
  expect(sources.length).toBeGreaterThan(150)
  expect(found).toEqual([])
})
