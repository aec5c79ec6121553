'use client'

import { useQuery } from '@tanstack/react-query'
import { usePathname } from 'next/navigation'
import { useZonedHref } from '#components/address/outlook.tsx'
import { toPathText, toSymbolHref } from '#components/address/page-address.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { EmptyState } from '#components/ui/messages.tsx'
import { symbolsOptions } from '#lib/client/query-options.ts'

const BEGINNING = 2
const SIMILAR_MAX = 8

/** Says which symbol nobody has rated, and offers those that begin alike. */
export function UnknownSymbol() {
  const asked = toPathText((usePathname() ?? '').split('/').at(-1) ?? '')
  const symbol = asked
    .replace(/\p{Cc}/gu, '')
    .trim()
    .toUpperCase()
  const title = symbol === '' ? 'No symbol is named' : `Nobody has rated ${symbol}`
  return (
    <div className="py-6">
      <h1 className="sr-only">{title}</h1>
      <EmptyState action={<ButtonLink href="/symbols">All symbols</ButtonLink>} title={title}>
        <p>The archive holds no rating of that symbol, active or expired.</p>
        <SimilarSymbols symbol={symbol} />
      </EmptyState>
    </div>
  )
}

function SimilarSymbols({ symbol }: { symbol: string }) {
  const { formatCounted } = useFormats()
  const zoned = useZonedHref()
  const q = symbol.slice(0, BEGINNING)
  const params = new URLSearchParams({ q, per_page: String(SIMILAR_MAX) })
  const { data } = useQuery({ ...symbolsOptions(params), enabled: q !== '' })
  // Its line is kept for it: what stands below does not move when it comes.
  if (!data || data.data.length === 0) return <div className="h-[38px]" />
  return (
    <nav aria-label="Similar symbols" className="pt-3">
      <ul className="flex flex-wrap justify-center gap-2">
        {data.data.map((row) => (
          <li key={row.symbol}>
            <ButtonLink href={zoned(toSymbolHref(row.symbol))} size="small">
              {row.symbol}
              <span className="text-ink-3">{formatCounted(row.ratings, 'rating')}</span>
            </ButtonLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
