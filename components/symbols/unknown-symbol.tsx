'use client'

import { usePathname } from 'next/navigation'
import { NearLinks } from '#components/feedback/near-links.tsx'
import { SymbolSearch } from '#components/feedback/symbol-search.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { EmptyState } from '#components/ui/messages.tsx'
import { toPathText } from '#lib/contract/path-part.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import { type NearSymbols, toNearLink } from './near-symbols.ts'

export function UnknownSymbol({ near }: { near: NearSymbols }) {
  const asked = toPathText((usePathname() ?? '').split('/').at(-1) ?? '')
  const title =
    asked.trim() === ''
      ? 'No symbol is named'
      : `${toVisibleText(toSymbolKey(asked))} has no ratings`
  return (
    <div id="rows" tabIndex={-1} className="py-6">
      <h1 className="sr-only">{title}</h1>
      <EmptyState action={<ButtonLink href="/symbols">All symbols</ButtonLink>} title={title}>
        <p>The archive holds no rating of that symbol, active or ended.</p>
        <NearLinks label="Did you mean" links={near.close.map(toNearLink)} />
        <NearLinks label="Begins alike" links={near.alike.map(toNearLink)} />
        <SymbolSearch />
      </EmptyState>
    </div>
  )
}
