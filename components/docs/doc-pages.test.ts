import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import type { Doc, DocBlock } from '#lib/contract/document.ts'
import { loadAnswerFields } from '#lib/contract/openapi/answer-fields.ts'
import { OPERATIONS } from '#lib/contract/operations/operations.ts'
import { ApiScreen, namesOf, OperationScreen, partsOf } from './api-screens.tsx'
import { DocScreen } from './doc-screens.tsx'

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

const EXAMPLES = { symbol: 'BRK.B', user: '12', rating: '7', file: null }

describe('the pages of the API', () => {
  const drawOperation = async (address: string) => {
    const operation = OPERATIONS.find((one) => one.address === address)
    if (!operation) throw new Error(address)
    const fields = await loadAnswerFields(operation)
    return renderToStaticMarkup(
      createElement(OperationScreen, { operation, fields, examples: EXAMPLES }),
    )
  }

  it('the guide leads to every operation', () => {
    const doc = toDoc({ kind: 'paragraph', content: text('How to ask.') })
    const html = renderToStaticMarkup(createElement(ApiScreen, { doc }))
    const links = [...html.matchAll(/href="\/docs\/api\/(\w+)"/g)].map(([, id]) => id)
    expect(links.toSorted()).toEqual(OPERATIONS.map(({ id }) => id).toSorted())
    expect(html).toContain('How to ask.')
  })

  it('an operation has its parameters, the fields of its answer and a form with examples', async () => {
    const html = await drawOperation('/api/symbols/{symbol}/series')
    expect(html).toContain('href="/docs/api"')
    expect(html).toMatch(/<form[^>]* action="\/docs\/api\/try"/)
    expect(html).toContain('<input type="hidden" name="operation" value="getSeries"/>')
    expect(html).toMatch(/name="symbol"[^>]*value="BRK.B"/)
    for (const name of ['bucket', 'from', 'to', 'asof']) {
      expect(html).toContain(`name="${name}"`)
      expect(html).toContain(`<td><code>${name}</code></td>`)
    }
    expect(html).toContain('<td><code>data.points[].consensus</code></td><td>decimal or null</td>')
  })

  it('an operation that changes something has no form', async () => {
    expect(await drawOperation('/api/sync')).not.toContain('<form')
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
