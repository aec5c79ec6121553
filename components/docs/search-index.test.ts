import { expect, it } from 'vitest'
import { docsIndex } from '#lib/contract/answers/described.ts'
import { readDoc } from './read-docs.ts'
import { readDocsIndex } from './search-index.ts'

it('the index holds every word of the glossary, every document and the headings that people look for', async () => {
  const entries = docsIndex.parse(await readDocsIndex())
  const find = (kind: string, label: string) =>
    entries.find((entry) => entry.kind === kind && entry.label === label)
  expect(find('word', 'consensus')).toMatchObject({
    href: '/docs/glossary#consensus',
    detail: 'the mean of the active ratings of a symbol, from 1 to 5',
  })
  expect(find('word', 'vanished')?.href).toBe('/docs/glossary#vanished')
  expect(find('word', 'symbol')?.also).toBe('ticker, tickers')
  expect(find('docs', 'The ratings table')?.href).toBe('/docs/table')
  expect(find('docs', 'Search and actions')).toMatchObject({
    detail: 'The ratings table',
    href: '/docs/table#search-and-actions',
  })
  expect(find('docs', 'GET /api/ratings')?.href).toBe('/docs/api/listRatings')
  expect(new Set(entries.map(({ href }) => href)).size).toBe(entries.length)
})

it('a word of the glossary has an anchor on its page, and rows of other tables have none', async () => {
  const idsOf = async (path: string) =>
    (await readDoc(path))?.blocks.flatMap((block) =>
      block.kind === 'table' ? (block.ids ?? []) : [],
    )
  expect(await idsOf('glossary')).toContain('consensus')
  expect(await idsOf('table')).toEqual([])
})
