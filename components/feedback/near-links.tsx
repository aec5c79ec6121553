'use client'

import { formatCounted } from '#components/format/numbers.ts'
import { useAsOfHref } from '#components/time/as-of.tsx'
import { ButtonLink } from '#components/ui/button.tsx'

export type NearLink = { name: string; href: string; ratings: number }

export function NearLinks({ label, links }: { label: string; links: readonly NearLink[] }) {
  const withAsOf = useAsOfHref()
  if (links.length === 0) return null
  return (
    <nav aria-label={label} className="flex flex-wrap items-center justify-center gap-2 pt-3">
      <span aria-hidden>{label}:</span>
      <ul className="contents">
        {links.map(({ name, href, ratings }) => (
          <li key={href}>
            <ButtonLink href={withAsOf(href)} size="small">
              {name}
              <span className="text-ink-3">{formatCounted(ratings, 'rating')}</span>
            </ButtonLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
