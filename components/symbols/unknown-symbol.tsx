'use client'

import { usePathname } from 'next/navigation'
import { useZonedHref } from '#components/address/outlook.tsx'
import { toPathText, toSymbolHref } from '#components/address/page-address.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { EmptyState } from '#components/ui/messages.tsx'
import type { NearSymbol } from '#lib/contract/answers/symbols.ts'

/** Says which symbol nobody has rated, and which ones may have been meant, the likeliest first. */
export function UnknownSymbol({ near }: { near: readonly NearSymbol[] }) {
  const asked = toPathText((usePathname() ?? '').split('/').at(-1) ?? '')
  const symbol = asked
    .replace(/\p{Cc}/gu, '')
    .trim()
    .toUpperCase()
  const title = symbol === '' ? 'No symbol is named' : `Nobody has rated ${symbol}`
  return (
    <div id="rows" tabIndex={-1} className="py-6">
      <h1 className="sr-only">{title}</h1>
      <EmptyState action={<ButtonLink href="/symbols">All symbols</ButtonLink>} title={title}>
        <p>The archive holds no rating of that symbol, active or expired.</p>
        <NearSymbols label="Did you mean" symbols={near.filter(({ close }) => close)} />
        <NearSymbols label="Begins alike" symbols={near.filter(({ close }) => !close)} />
      </EmptyState>
    </div>
  )
}

type NearSymbolsProps = { label: string; symbols: readonly NearSymbol[] }

function NearSymbols({ label, symbols }: NearSymbolsProps) {
  const { formatCounted } = useFormats()
  const zoned = useZonedHref()
  if (symbols.length === 0) return null
  return (
    <nav aria-label={label} className="flex flex-wrap items-center justify-center gap-2 pt-3">
      <span aria-hidden>{label}:</span>
      <ul className="contents">
        {symbols.map((row) => (
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
