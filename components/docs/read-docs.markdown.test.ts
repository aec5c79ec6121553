import { expect, it } from 'vitest'
import type { DocBlock } from '#lib/contract/document.ts'
import { parseMarkdown } from './read-docs.ts'

const others = new Set(['api', 'definitions'])
const parse = (markdown: string, path = 'api') => parseMarkdown(markdown, { path, others })

const linksOf = (blocks: readonly DocBlock[]) =>
  blocks.flatMap((block) =>
    block.kind === 'paragraph'
      ? block.content.flatMap((inline) => (inline.kind === 'link' ? [inline.href] : []))
      : [],
  )

it('HTML in a document is text, whatever it says', () => {
  const { blocks } = parse('# A\n\n<script>alert(1)</script>\n\nA <b onclick="x()">word</b>.\n')
  expect(blocks[0]).toEqual({
    kind: 'paragraph',
    content: [{ kind: 'text', text: '<script>alert(1)</script>' }],
  })
  expect(JSON.stringify(blocks[1])).toContain('<b onclick=')
  expect(JSON.stringify(blocks)).not.toContain('"html"')
})

it('a line break is read as one', () => {
  const { blocks } = parse('a<br>b')
  expect(blocks[0]).toMatchObject({ content: [{}, { kind: 'break' }, {}] })
  expect(JSON.stringify(parse('a<br onload=x>b').blocks)).toContain('<br onload=x>')
})

it('a key is read as one, and a tag that is open or has attributes stays text', () => {
  const { blocks } = parse('Press <kbd>Ctrl</kbd> <kbd>?</kbd> now')
  expect(blocks[0]).toMatchObject({
    content: [
      { text: 'Press ' },
      { kind: 'key', text: 'Ctrl' },
      { text: ' ' },
      { kind: 'key', text: '?' },
      { text: ' now' },
    ],
  })
  const odd = JSON.stringify(parse('<kbd onclick=x>E</kbd> and <kbd>F').blocks)
  expect(odd).toContain('<kbd onclick=x>')
  expect(odd).not.toContain('"key"')
})

it('a comment is left out, and what follows it is not', () => {
  const { blocks } = parse('<!-- a -->\n\nb\n\n<!-- c -->\n')
  expect(blocks).toEqual([{ kind: 'paragraph', content: [{ kind: 'text', text: 'b' }] }])
  expect(JSON.stringify(parse('<!-- a --> <b>b</b> <!-- c -->').blocks)).toContain('<b>b</b>')
})

it('a link that could run a script is its text', () => {
  expect(
    linksOf(parse('[a](javascript:alert(1)) [b](data:text/html,x) [c](//evil)').blocks),
  ).toEqual([])
})

it('links between documents lead to their pages, those to files of the sources nowhere', () => {
  const { blocks } = parse(
    '[a](definitions.md#users) [b](contributing/tour.md) [d](../README.md) [e](gone.md) [f](#here) [g](https://example.org)',
  )
  expect(linksOf(blocks)).toEqual(['/docs/definitions#users', '#here', 'https://example.org'])
})

it('headings have the anchors that code hosts give them, each its own', () => {
  const { title, blocks } = parse(
    '# T\n\n### GET /api/symbols/{symbol}\n\n## `n` & more\n\n## A\n\n## A',
  )
  const headings = blocks.flatMap((block) => (block.kind === 'heading' ? [block.id] : []))
  expect(title).toBe('T')
  expect(headings).toEqual(['get-apisymbolssymbol', 'n--more', 'a', 'a-1'])
})

it('tables, lists and code keep what stands in them', () => {
  const { blocks } = parse(
    '| a | b |\n| - | - |\n| `x\\|y` | 2 |\n\n3. one\n4. two\n\n```sh\nls <a>\n```',
  )
  expect(blocks).toEqual([
    {
      kind: 'table',
      head: [[{ kind: 'text', text: 'a' }], [{ kind: 'text', text: 'b' }]],
      rows: [[[{ kind: 'code', text: 'x|y' }], [{ kind: 'text', text: '2' }]]],
    },
    {
      kind: 'list',
      isOrdered: true,
      start: 3,
      items: [
        [{ kind: 'line', content: [{ kind: 'text', text: 'one' }] }],
        [{ kind: 'line', content: [{ kind: 'text', text: 'two' }] }],
      ],
    },
    { kind: 'code', language: 'sh', text: 'ls <a>' },
  ])
})
