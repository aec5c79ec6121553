import { queryOptions } from '@tanstack/react-query'
import { type DocsEntry, docsIndex } from '#lib/contract/answers/docs-index.ts'
import { withAsOf } from '#lib/contract/as-of.ts'
import { withBase } from '#lib/contract/base-path.ts'
import type { FilterText } from './filter-text/parse-filter-text.ts'
import type { Row, Section } from './suggestions.ts'

export const docsIndexOptions = queryOptions({
  queryKey: ['docs-index'],
  queryFn: async ({ signal }) => {
    const answer = await fetch(withBase('/docs/search.json'), { signal })
    return docsIndex.parse(await answer.json())
  },
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
})

const SHORTEST = 3
const MOST_WORDS = 3
const MOST_DOCS = 5

export function selectDocs(
  text: string,
  { words }: FilterText,
  { index, asof }: { index: readonly DocsEntry[]; asof: number | null },
): Section[] {
  const sought = text.trim().toLowerCase()
  const isPlain = words.every(({ name, isNot }) => name === null && !isNot)
  if (sought.length < SHORTEST || !isPlain) return []
  const begun = toWords(sought)
  const found = index
    .filter((entry) =>
      begun.every((word) => toWords(toSought(entry)).some((it) => it.startsWith(word))),
    )
    .sort((a, b) => toRank(a, sought) - toRank(b, sought))
  const rowsOf = (kind: DocsEntry['kind'], most: number) =>
    found
      .filter((entry) => entry.kind === kind)
      .slice(0, most)
      .map((entry) => toRow(entry, asof))
  return [
    { name: 'Glossary', rows: rowsOf('word', MOST_WORDS) },
    { name: 'Docs', rows: rowsOf('docs', MOST_DOCS) },
  ]
}

const toWords = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

const toSought = ({ kind, label, detail, also }: DocsEntry) =>
  kind === 'word' ? `${label} ${also}` : `${label} ${detail}`

function toRank({ label }: DocsEntry, sought: string): number {
  const name = label.toLowerCase()
  if (name === sought) return 0
  return name.startsWith(sought) ? 1 : name.includes(sought) ? 2 : 3
}

function toRow({ kind, label, detail, href }: DocsEntry, asof: number | null): Row {
  const place = { kind: kind === 'word' ? 'Word' : 'Docs', label, path: href }
  return {
    id: `docs ${href}`,
    kind: place.kind,
    label,
    detail: detail === '' ? undefined : detail,
    action: { do: 'open', href: withAsOf(href, asof), remember: place },
  }
}
