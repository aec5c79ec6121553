import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { Doc, DocBlock, DocInline } from '#lib/contract/document.ts'
import { readDoc, readDocGroups } from './read-docs.ts'

const docs = new Map<string, Doc>()
for (const file of readdirSync('docs', { recursive: true, encoding: 'utf8' })) {
  if (!file.endsWith('.md')) continue
  const path = file.slice(0, -'.md'.length).replace(/\/README$/, '')
  const doc = await readDoc(path)
  if (doc) docs.set(path, doc)
}

const anchorsOf = (doc: Doc) =>
  new Set(doc.blocks.flatMap((block) => (block.kind === 'heading' ? [block.id] : [])))

const linesOf = (block: DocBlock): readonly (readonly DocInline[])[] => {
  if (block.kind === 'list') return block.items.flat().flatMap(linesOf)
  if (block.kind === 'table') return [...block.head, ...block.rows.flat()]
  if (block.kind === 'quote') return block.blocks.flatMap(linesOf)
  if (block.kind === 'code' || block.kind === 'rule') return []
  return [block.content]
}

const linksOf = (content: readonly DocInline[]): string[] =>
  content.flatMap((inline) => [
    ...(inline.kind === 'link' ? [inline.href] : []),
    ...('content' in inline ? linksOf(inline.content) : []),
  ])

it('every document can be read, and has a title', () => {
  expect(docs.size).toBeGreaterThan(60)
  for (const [path, { title, blocks }] of docs) {
    expect(title, path).not.toBe(path)
    expect(blocks.length, path).toBeGreaterThan(1)
  }
})

it('every link within the documents leads to a page that is there, and to a heading of it', () => {
  const broken: string[] = []
  let count = 0
  for (const [path, doc] of docs) {
    for (const href of doc.blocks.flatMap(linesOf).flatMap(linksOf)) {
      if (/^https?:/.test(href)) continue
      count += 1
      const [page = '', anchor] = href.split('#')
      const target = page === '' ? doc : docs.get(page.replace(/^\/docs\//, ''))
      const isThere = target && (anchor === undefined || anchorsOf(target).has(anchor))
      if (!isThere) broken.push(`${path}: ${href}`)
    }
  }
  expect(count).toBeGreaterThan(100)
  expect(broken).toEqual([])
})

it('the index has every document once, but for single decisions', async () => {
  const listed = (await readDocGroups()).flatMap(({ entries }) => entries)
  const paths = listed.map(({ path }) => path).sort()
  expect(paths).toEqual([...docs.keys()].filter((path) => !path.includes('/')).sort())
  for (const { path, lead } of listed) expect(lead.length, path).toBeGreaterThan(40)
})

it('what is no document is none, wherever it lies', async () => {
  for (const path of ['../README', 'nope', '', '../package.json', 'screenshots', '/etc/passwd']) {
    expect(await readDoc(path), path).toBeNull()
  }
})
