'use client'

import { usePathname } from 'next/navigation'
import { toPathText, toSymbolHref } from '#components/address/page-address.ts'
import { type NearLink, NearLinks } from '#components/feedback/near-links.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { EmptyState } from '#components/ui/messages.tsx'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import type { NearSymbols } from './near-symbols.ts'

/** Says which symbol nobody has rated, and which ones may have been meant, the likeliest first. */
export function UnknownSymbol({ near }: { near: NearSymbols }) {
  const asked = toPathText((usePathname() ?? '').split('/').at(-1) ?? '')
  const title =
    asked.trim() === ''
      ? 'No symbol is named'
      : `Nobody has rated ${toVisibleText(asked.toUpperCase())}`
  return (
    <div id="rows" tabIndex={-1} className="py-6">
      <h1 className="sr-only">{title}</h1>
      <EmptyState action={<ButtonLink href="/symbols">All symbols</ButtonLink>} title={title}>
        <p>The archive holds no rating of that symbol, active or expired.</p>
        <NearLinks label="Did you mean" links={near.close.map(toLink)} />
        <NearLinks label="Begins alike" links={near.alike.map(toLink)} />
      </EmptyState>
    </div>
  )
}

const toLink = ({ symbol, ratings }: NearSymbols['close'][number]): NearLink => ({
  name: toVisibleText(symbol),
  href: toSymbolHref(symbol),
  ratings,
})
