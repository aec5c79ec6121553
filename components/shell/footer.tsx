'use client'

import { usePathname } from 'next/navigation'
import { ZonedLink } from '#components/address/outlook.tsx'
import { toZonedText } from '#components/format/instants.ts'
import { classNames } from '#components/ui/class-names.ts'
import { usePrinting } from '#components/ui/use-browser.ts'

const WAYS = [
  { href: '/about', name: 'About' },
  { href: '/status', name: 'Status' },
  { href: '/docs', name: 'Docs' },
  { href: '/docs/api', name: 'API' },
  { href: '/help', name: 'Help' },
] as const

/**
 * What stands below every page. The page of ratings fills a wide window with its table: nothing may lie below it there,
 * and `About` is in the header's badge or in the search.
 */
export function Footer({ version }: { version: string }) {
  const isRatings = usePathname() === '/'
  return (
    <footer
      className={classNames(
        'flex flex-wrap items-center gap-x-4 gap-y-1 border-t px-4 py-3 text-sm text-ink-3 sm:px-7',
        isRatings && 'lg:hidden',
      )}
    >
      {WAYS.map(({ href, name }) => (
        <ZonedLink key={href} href={href} className="hover:text-ink">
          {name}
        </ZonedLink>
      ))}
      <Printed />
      <span className="ml-auto">Bellwether {version}, MIT licence</span>
    </footer>
  )
}

/** What paper has to say for itself: when it was printed, and where the page is. */
function Printed() {
  if (!usePrinting()) return null
  const { origin, pathname, search } = window.location
  return (
    <span className="min-w-0 wrap-anywhere">
      Printed {toZonedText(Math.floor(Date.now() / 1000), 'UTC')} UTC from{' '}
      {origin + pathname + search}
    </span>
  )
}
