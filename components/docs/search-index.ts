import 'server-only'
import type { DocsEntry } from '#lib/contract/answers/described.ts'
import { type Doc, type DocBlock, toDocHref, toPlainText } from '#lib/contract/document.ts'
import { OPERATIONS } from '#lib/contract/operations/operations.ts'
import { listDocs, readDoc } from './read-docs.ts'

let known: Promise<DocsEntry[]> | undefined

export function readDocsIndex(): Promise<DocsEntry[]> {
  known ??= load().catch((error: unknown) => {
    known = undefined
    throw error
  })
  return known
}

async function load(): Promise<DocsEntry[]> {
  const paths = [...(await listDocs())].sort()
  const docs = (await Promise.all(paths.map(readDoc))).filter((doc) => doc !== null)
  return [...docs.flatMap(selectWords), ...docs.flatMap(selectHeadings), ...OPERATIONS.map(toEntry)]
}

const toEntry = ({ method, address, id, summary }: (typeof OPERATIONS)[number]): DocsEntry => ({
  kind: 'docs',
  label: `${method} ${address}`,
  detail: summary,
  also: '',
  href: `/docs/api/${id}`,
})

const isTable = (block: DocBlock) => block.kind === 'table'

const selectWords = ({ path, blocks }: Doc): DocsEntry[] =>
  blocks.filter(isTable).flatMap(({ rows, ids = [] }) =>
    ids.map((id, index): DocsEntry => {
      const [label = '', detail = '', also = ''] = (rows[index] ?? []).map(toPlainText)
      return { kind: 'word', label, detail, also, href: `${toDocHref(path)}#${id}` }
    }),
  )

function selectHeadings({ path, title, blocks }: Doc): DocsEntry[] {
  const entry = { kind: 'docs', also: '', href: toDocHref(path) } as const
  return [
    { ...entry, label: title, detail: '' },
    ...blocks.flatMap((block): DocsEntry[] =>
      block.kind === 'heading' && block.level <= 3
        ? [{ ...entry, label: block.text, detail: title, href: `${entry.href}#${block.id}` }]
        : [],
    ),
  ]
}
