import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { listSources, ROOMS, selectTexts } from './texts.ts'

/** British spelling, and words that hide the subject of a sentence. */
const AVOIDED =
  /\b(whoever|somebody|such as it is|what is asked|is told of|colours?|behaviours?|licences?|labelled|cancelled|neighbours?|favourites?)\b/i

/** This file names the words. */
const OWN = 'scripts/english.test.ts'

/** Comments of a source with their lines. Text in JSX is no comment. */
function selectComments(path: string) {
  const text = readFileSync(path, 'utf8')
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const found = new Map<number, string>()
  const add = (ranges: readonly ts.CommentRange[] | undefined) => {
    for (const { pos, end } of ranges ?? []) found.set(pos, text.slice(pos, end))
  }
  const visit = (node: ts.Node) => {
    const children = node.getChildren(source)
    if (children.length > 0) {
      children.forEach(visit)
    } else if (!ts.isJsxText(node)) {
      add(ts.getLeadingCommentRanges(text, node.pos))
      add(ts.getTrailingCommentRanges(text, node.end))
    }
  }
  visit(source)
  return Array.from(found, ([pos, comment]) => ({
    comment,
    line: source.getLineAndCharacterOfPosition(pos).line + 1,
  }))
}

it('comments have none of the words to avoid, and fit into 100 columns', {
  timeout: 60_000,
}, () => {
  const sources = listSources(ROOMS).filter((path) => path !== OWN)
  const problems = sources.flatMap((path) =>
    selectComments(path).flatMap(({ line, comment }) => {
      if (/biome-ignore/.test(comment)) return []
      const word = AVOIDED.exec(comment)?.[0]
      const isLong = comment
        .split('\n')
        .some((text) => text.length > 100 && !text.includes('import('))
      return [
        ...(word === undefined ? [] : [`${path}:${line}: ${word}`]),
        ...(isLong ? [`${path}:${line}: more than 100 columns`] : []),
      ]
    }),
  )
  expect(sources.length).toBeGreaterThan(1000)
  expect(problems).toEqual([])
})

it('texts of the interface and messages have none of the words to avoid', () => {
  const texts = listSources(['app', 'components', 'lib', 'pages']).flatMap(selectTexts)
  const found = texts.filter(({ text }) => AVOIDED.test(text))
  expect(texts.length).toBeGreaterThan(2000)
  expect(found.map(({ path, line, text }) => `${path}:${line}: ${text}`)).toEqual([])
})

it('documents have none of the words to avoid', () => {
  const names = readdirSync('docs', { recursive: true, encoding: 'utf8' })
  const paths = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'AGENTS.md', 'SECURITY.md']
  const documents = names.filter((name) => name.endsWith('.md')).map((name) => join('docs', name))
  // Names of files and of code stay as they are.
  const withoutCode = (path: string) =>
    readFileSync(path, 'utf8').replace(/```[\s\S]*?```|`[^`]*`|\]\([^)]*\)/g, '')
  const found = [...paths, ...documents].flatMap((path) => {
    const word = AVOIDED.exec(withoutCode(path))?.[0]
    return word === undefined ? [] : [`${path}: ${word}`]
  })
  expect(documents.length).toBeGreaterThan(100)
  expect(found).toEqual([])
})

it('no object spreads an object that is written in place', () => {
  const found = listSources(ROOMS).filter((path) => {
    if (path === OWN) return false
    return /\.\.\.\{ /.test(readFileSync(path, 'utf8'))
  })
  expect(found).toEqual([])
})
