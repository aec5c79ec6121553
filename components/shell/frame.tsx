'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { usePathname } from 'next/navigation'
import { type ComponentType, type MouseEvent, useEffect, useState } from 'react'
import { ZonedLink } from '#components/address/outlook.tsx'
import { toZonedText } from '#components/format/instants.ts'
import { SearchButton } from '#components/palette/search-button.tsx'
import { Freshness } from '#components/status/freshness.tsx'
import { Bell } from '#components/ui/bell.tsx'
import { Button } from '#components/ui/button.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { DEMO_NOTE } from '#components/ui/demo-note.ts'
import { keepCookie } from '#components/ui/kept-cookie.ts'
import { usePrinting } from '#components/ui/use-browser.ts'
import { useHasStars } from '#components/watch/use-stars.ts'
import { statusSummaryOptions } from '#lib/client/query-options.ts'
import { AccountLink, Navigation, type Place, ThemeToggle, WatchingLink } from './navigation.tsx'

/** One row at every width. On a phone the places are at the foot of the window, and More has what does not fit here. */
export function Header() {
  return (
    <header className="edges when-whole flex h-[52px] items-center gap-1.5 border-b bg-surface lg:gap-3">
      <Brand />
      <DemoBadge />
      <Navigation />
      <WatchingLink />
      <SearchButton />
      <Freshness />
      <ThemeToggle className="icon-button max-md:hidden" />
      <AccountLink className="icon-button max-md:hidden" />
      <span data-last hidden />
    </header>
  )
}

/** Where a page has them: the first row of its table, its filters, which a narrow screen has in a drawer, its export. */
const LANDINGS = [
  {
    id: 'rows',
    name: 'Skip to the table',
    at: /^\/(symbols(\/[^/]+)?|users(\/\d+)?|lookups|downloads\/changes)?$/,
    className: '',
  },
  { id: 'filters', name: 'Skip to the filters', at: /^\/$/, className: 'max-lg:hidden' },
  { id: 'export', name: 'Skip to the export', at: /^\/(symbols|users|lookups)?$/, className: '' },
]

/** The first stops of the Tab key: past the header, to what the page is about. */
export function SkipLinks() {
  const path = usePathname() ?? ''
  return (
    <>
      <SkipLink id="main" name="Skip to content" />
      {LANDINGS.filter(({ at }) => at.test(path)).map(({ at: _, ...landing }) => (
        <SkipLink key={landing.id} {...landing} />
      ))}
    </>
  )
}

/** The address keeps what it says: only without scripts the place is written into it. */
function SkipLink({ id, name, className }: { id: string; name: string; className?: string }) {
  const go = (event: MouseEvent) => {
    event.preventDefault()
    // A table without rows has none to go to.
    const there = document.getElementById(id) ?? document.getElementById('main')
    there?.focus()
  }
  return (
    <a href={`#${id}`} onClick={go} className={classNames('skip-link', className)}>
      {name}
    </a>
  )
}

/** The bell and the name; leads home. */
function Brand() {
  return (
    <ZonedLink
      href="/"
      className="inline-flex shrink-0 items-center gap-2 text-[0.9375rem] font-semibold tracking-tight"
    >
      <Bell className="size-4" strokeWidth="1.4" />
      Bellwether
    </ZonedLink>
  )
}

function DemoBadge() {
  const { data } = useQuery(statusSummaryOptions())
  if (!data?.service.invented) return null
  return (
    <ZonedLink
      href="/about"
      aria-label="Demo data, invented"
      title={DEMO_NOTE}
      className="demo-badge max-md:hidden"
    >
      Demo<span className="max-lg:hidden"> data</span>
    </ZonedLink>
  )
}

/** The same on a phone, in a line of its own. */
export const DemoLine = ({ text }: { text: string }) => (
  <aside
    aria-label="Demo data"
    className="edges border-b bg-sunk text-sm text-ink-2 md:hidden print:hidden"
  >
    <ZonedLink href="/about" className="block py-1 leading-4">
      {text}
    </ZonedLink>
  </aside>
)

const WAYS: readonly Place[] = [
  { href: '/about', name: 'About' },
  { href: '/status', name: 'Status' },
  { href: '/docs', name: 'Docs' },
  { href: '/docs/api', name: 'API' },
  { href: '/help', name: 'Help' },
]

/**
 * What stands below every page. The page of ratings fills a wide window with its table: nothing may lie below it there,
 * and `About` is in the header's badge or in the search.
 */
export function Footer({ version }: { version: string }) {
  const isRatings = usePathname() === '/'
  return (
    <footer
      className={classNames(
        'edges flex flex-wrap items-center gap-x-4 gap-y-1 border-t py-3 text-sm text-ink-3',
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

/** What came with the page is fresh; what keeps it so may wait until the page is ready. */
const AFTER_MS = 1000

/** Keeps the state of archive and sync current on every page of the dashboard; shows nothing. */
export function LiveUpdates() {
  const client = useQueryClient()
  useEffect(() => {
    let end = () => {}
    let isOver = false
    const begin = () =>
      import('#lib/client/event-stream.ts').then(
        ({ keepLive }) => {
          if (!isOver) end = keepLive(client)
        },
        // Without it the status is asked for, as ever.
        () => undefined,
      )
    const timer = setTimeout(begin, AFTER_MS)
    return () => {
      isOver = true
      clearTimeout(timer)
      end()
    }
  }, [client])
  return null
}

/** Counts what is new in what is watched; loaded where anything is, and shows nothing. */
export function WatchingUpdates() {
  const hasStars = useHasStars()
  const [Loaded, setLoaded] = useState<ComponentType | null>(null)
  useEffect(() => {
    if (!hasStars) return
    const begin = () =>
      import('#components/watching/keep-watching.tsx').then(
        ({ KeepWatching }) => setLoaded(() => KeepWatching),
        // Then nothing is counted until the next page.
        () => undefined,
      )
    const timer = setTimeout(begin, AFTER_MS)
    return () => clearTimeout(timer)
  }, [hasStars])
  return hasStars && Loaded !== null ? <Loaded /> : null
}

type FirstVisitLineProps = {
  text: string
  /** Set as soon as the line is put away. */
  cookie: string
  className?: string | undefined
}

/** One line for a newcomer, above every page until it is put away; `data-visited` hides it from then on. */
export function FirstVisitLine({ text, cookie, className }: FirstVisitLineProps) {
  const putAway = () => {
    keepCookie(cookie)
    document.documentElement.dataset.visited = ''
    document.getElementById('main')?.focus()
  }
  return (
    <aside
      aria-label="For newcomers"
      data-first-visit
      className={classNames(
        'edges flex items-center gap-x-3 border-b bg-surface py-1 text-sm md:h-[40px]',
        className,
      )}
    >
      <p className="min-w-0 text-ink-2">
        {text}{' '}
        <ZonedLink href="/about" className="link whitespace-nowrap">
          What is this?
        </ZonedLink>
      </p>
      <Button size="small" variant="quiet" className="ml-auto" onClick={putAway}>
        Hide
      </Button>
    </aside>
  )
}
