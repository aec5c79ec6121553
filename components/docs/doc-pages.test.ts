import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import type { Doc, DocBlock } from '#lib/contract/document.ts'
import { OPERATIONS } from '#lib/contract/operations/operations.ts'
import { ApiScreen, DocScreen, TRIED_OPERATIONS } from './doc-screens.tsx'
import { namesOf, OperationScreen, partsOf } from './operation-screen.tsx'

const text = (words: string) => [{ kind: 'text' as const, text: words }]
const heading = (words: string, level: number, id: string): DocBlock => ({
  kind: 'heading',
  level,
  id,
  text: words,
  content: text(words),
})
const toDoc = (...blocks: DocBlock[]): Doc => ({ path: 'x', title: 'X', blocks })
const draw = (doc: Doc) => renderToStaticMarkup(createElement(DocScreen, { doc }))

describe('a document as a page', () => {
  it('says markup as text', () => {
    const html = draw(toDoc({ kind: 'paragraph', content: text('<script>alert(1)</script>') }))
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(html).not.toContain('<script')
  })

  it('lists its headings, each under its anchor', () => {
    const html = draw(toDoc(heading('One', 2, 'one'), heading('Two', 3, 'two')))
    expect(html).toContain('<h1 class="text-xl">X</h1>')
    expect(html).toMatch(/<h2 id="one"[^>]*><a href="#one"[^>]*>One<\/a><\/h2>/)
    expect(html).toMatch(/<h3 id="two"/)
    expect(html.match(/<nav aria-label="On this page"/g)).toHaveLength(2)
  })

  it('has its tables in frames of their own, called after the heading above', () => {
    const table: DocBlock = { kind: 'table', head: [text('a')], rows: [[text('b')]] }
    const html = draw(toDoc(heading('Sizes', 2, 'sizes'), table))
    expect(html).toMatch(
      /<section tabindex="0" aria-label="Table: Sizes, scrollable"[^>]*overflow-x-auto/i,
    )
  })
})

const SERIES = '/api/symbols/{symbol}/series'
const EXAMPLES = { symbol: 'BRK.B', user: '12', rating: '7', file: null }

describe('the page of the API', () => {
  const doc = toDoc(
    heading(`GET ${SERIES}`, 3, 'a'),
    { kind: 'paragraph', content: text('Over time.') },
    { kind: 'code', language: 'json', text: 'a sample' },
    heading('POST /api/sync', 3, 'b'),
    heading('Words', 2, 'c'),
  )
  const all = renderToStaticMarkup(createElement(ApiScreen, { doc }))
  const draw = (address: string) => {
    const operation = TRIED_OPERATIONS.find((one) => one.address === address)
    return operation
      ? renderToStaticMarkup(createElement(OperationScreen, { doc, operation, examples: EXAMPLES }))
      : ''
  }
  const html = draw(SERIES)

  it('leads from each route that is read to a form, below its text', () => {
    const links = [...all.matchAll(/href="\/docs\/api\/(\w+)"/g)].map(([, id]) => id)
    expect(links).toEqual(['getSeries'])
    expect(all.indexOf('Over time.')).toBeLessThan(all.indexOf('/docs/api/getSeries'))
    expect(all.indexOf('/docs/api/getSeries')).toBeLessThan(all.indexOf('id="b"'))
    expect(all).not.toContain('<form')
    expect(all).not.toContain('a sample')
    expect(all).toContain('Read on and try it')
  })

  it('the form of a route follows its first paragraph, and leads back to the list', () => {
    expect(html.match(/<form/g)).toHaveLength(1)
    expect(html.indexOf('Over time.')).toBeLessThan(html.indexOf('<form'))
    expect(html.indexOf('<form')).toBeLessThan(html.indexOf('a sample'))
    expect(html).toContain('href="/docs/api#a"')
    expect(draw('/api/health')).toMatch(/<form[^>]* aria-label="Try \/api\/health"/)
    expect(draw('/api/health')).toContain('href="/docs/api"')
  })

  it('has a plain form, with every parameter and an example that this archive has', () => {
    expect(html).toMatch(/<form[^>]* action="\/docs\/api\/try"/)
    expect(html).toContain('<input type="hidden" name="operation" value="getSeries"/>')
    expect(html).toMatch(/name="symbol"[^>]*value="BRK.B"/)
    for (const name of ['bucket', 'from', 'to', 'asof']) expect(html).toContain(`name="${name}"`)
  })

  it('no parameter is called as the field that names the operation', () => {
    const names = OPERATIONS.flatMap((operation) => [
      ...Object.keys(operation.parts),
      ...namesOf(operation),
    ])
    expect(names).not.toContain('operation')
  })

  it('knows users from ratings where both are an id', () => {
    const partsAt = (address: string) =>
      OPERATIONS.filter((one) => one.address === address).map((one) => partsOf(one, EXAMPLES))
    expect(partsAt('/api/users/{id}/calls')).toEqual([{ id: '12' }])
    expect(partsAt('/api/ratings/{id}')).toEqual([{ id: '7' }])
    expect(partsAt('/api/editions/{file}')).toEqual([{ file: 'posts-2026-11-15.csv' }])
  })
})
