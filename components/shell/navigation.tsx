'use client'

import { usePathname } from 'next/navigation'
import { ZonedLink } from '#components/time/zoned-link.tsx'

const PLACES = [
  { href: '/', name: 'Ratings' },
  { href: '/symbols', name: 'Symbols' },
  { href: '/users', name: 'Users' },
  { href: '/downloads', name: 'Downloads' },
] as const

const isWithin = (path: string, href: string) =>
  path === href || (href !== '/' && path.startsWith(`${href}/`))

/** The four places. On a narrow screen they are a row of their own. */
export function Navigation() {
  const path = usePathname() ?? ''
  return (
    <nav aria-label="Main" className="-mx-1 flex min-w-0 overflow-x-auto px-1 py-1 max-md:w-full">
      <ul className="flex gap-0.5">
        {PLACES.map(({ href, name }) => (
          <li key={href}>
            <ZonedLink
              href={href}
              aria-current={isWithin(path, href) ? 'page' : undefined}
              className="inline-flex h-[29px] items-center rounded-md px-2.5 font-medium text-ink-2 transition-colors hover:text-ink aria-[current=page]:bg-sunk aria-[current=page]:font-semibold aria-[current=page]:text-ink"
            >
              {name}
            </ZonedLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
