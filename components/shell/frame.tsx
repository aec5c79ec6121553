'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { usePathname } from 'next/navigation'
import {
  type ComponentType,
  type MouseEvent,
  useEffect,
  useState,
  useSyncExternalStore,
} from 'react'
import { ZonedLink } from '#components/address/outlook.tsx'
import { toZonedText } from '#components/format/instants.ts'
import { SearchButton } from '#components/palette/search-button.tsx'
import { useSignsIn } from '#components/permissions/use-may.tsx'
import { Freshness } from '#components/status/freshness.tsx'
import { Bell } from '#components/ui/bell.tsx'
import { Button } from '#components/ui/button.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { DEMO_NOTE } from '#components/ui/demo-note.ts'
import { keepCookie } from '#components/ui/kept-cookie.ts'
import {
  applyTheme,
  nextTheme,
  readTheme,
  subscribeToTheme,
  THEMES,
  type Theme,
} from '#components/ui/theme.ts'
import { usePrinting } from '#components/ui/use-browser.ts'
import { toCountText, useNewCount } from '#components/watch/new-count.ts'
import { Star } from '#components/watch/star.tsx'
import { useHasStars } from '#components/watch/use-stars.ts'
import { statusSummaryOptions } from '#lib/client/query-options.ts'

/** What stands above every page: where one is, how fresh the data are. */
export function Header() {
  return (
    <header className="when-whole flex min-h-[51px] flex-wrap items-center gap-x-1.5 border-b sm:gap-x-5 bg-surface px-4 sm:px-5">
      <div className="flex h-[51px] items-center">
        <Brand />
        <Demo className="ml-2.5 max-md:hidden" />
      </div>
      <div className="order-last flex w-full min-w-0 items-center gap-2 pb-1.5 md:order-none md:w-auto md:pb-0">
        <Navigation />
        <Demo className="ml-auto md:hidden" />
      </div>
      <SearchButton />
      <div className="flex min-w-0 items-center gap-1.5 max-sm:flex-1 max-sm:basis-0 max-sm:justify-end sm:gap-4">
        <Freshness />
        <ThemeToggle />
        <AccountLink />
      </div>
      <span data-last hidden />
    </header>
  )
}

/** Where a page has them: the first row of its table, its filters, which a narrow screen has in a drawer, its export. */
const LANDINGS = [
  {
    id: 'rows',
    name: 'Skip to the table',
    at: /^\/((symbols|users)(\/[^/]+)?|lookups|changes\/editions)?$/,
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

/** Said on every page: nobody shall take a program's ratings for somebody's. */
function Demo({ className }: { className: string }) {
  const { data } = useQuery(statusSummaryOptions())
  if (!data?.service.invented) return null
  return (
    <ZonedLink
      href="/about"
      aria-label="Demo data, invented"
      title={DEMO_NOTE}
      className={classNames('demo-badge', className)}
    >
      Demo<span className="max-md:hidden"> data</span>
      <span className="max-xl:hidden">, invented</span>
    </ZonedLink>
  )
}

type Place = { href: string; name: string; className?: string }

const PLACES: readonly Place[] = [
  { href: '/', name: 'Ratings' },
  { href: '/symbols', name: 'Symbols' },
  { href: '/users', name: 'Users' },
  { href: '/lookups', name: 'Look-ups' },
  // A phone has no room for a sixth place: there it stands in the footer.
  { href: '/changes', name: 'Changes', className: 'max-sm:hidden' },
  { href: '/downloads', name: 'Downloads' },
]

const isWithin = (path: string, href: string) =>
  path === href || (href !== '/' && path.startsWith(`${href}/`))

/** The places. On a narrow screen they are a row of their own. */
function Navigation() {
  const path = usePathname() ?? ''
  return (
    <nav aria-label="Main" className="-mx-1 flex min-w-0 overflow-x-auto px-1 py-1">
      <ul className="flex gap-0.5">
        {PLACES.map(({ href, name, className }) => (
          <li key={href} className={className}>
            <ZonedLink
              href={href}
              aria-current={isWithin(path, href) ? 'page' : undefined}
              className="nav-link"
            >
              {name}
            </ZonedLink>
          </li>
        ))}
        <li className="watching-place">
          <WatchingLink isHere={path === '/watching'} />
        </li>
      </ul>
    </nav>
  )
}

/** To what is watched, and how much of it is new; the style sheet shows it where anything is. */
function WatchingLink({ isHere }: { isHere: boolean }) {
  const count = useNewCount()
  return (
    <ZonedLink
      href="/watching"
      aria-current={isHere ? 'page' : undefined}
      aria-label={count === 0 ? 'Watching' : `Watching, ${toCountText(count)} new`}
      className="nav-link relative"
    >
      <span className="max-sm:sr-only">Watching</span>
      <span className="watching-star">
        <Star />
      </span>
      <span className="new-count">{count === 0 ? '' : toCountText(count)}</span>
    </ZonedLink>
  )
}

/** To what is one's own here, where people sign in. It says no name: a page is the same for all who may do the same. */
function AccountLink() {
  if (!useSignsIn()) return null
  return (
    <ZonedLink
      href="/account"
      aria-label="Your account"
      title="Your account"
      className="icon-button"
    >
      <svg viewBox="0 0 16 16" className="size-4" fill="none" stroke="currentColor" aria-hidden>
        <circle cx="8" cy="5.4" r="2.6" strokeWidth="1.4" />
        <path d="M2.9 13.6a5.2 5.2 0 0 1 10.2 0" strokeWidth="1.4" strokeLinecap="round" />
      </svg>
    </ZonedLink>
  )
}

const NAMES = { system: 'as the system', light: 'light', dark: 'dark' }

/** Goes round system, light and dark. The sheet of styles shows the icon of the one chosen, so nothing flashes. */
function ThemeToggle() {
  const theme = useSyncExternalStore(subscribeToTheme, readTheme, (): Theme => 'system')
  const next = nextTheme(theme)
  return (
    <button
      type="button"
      onClick={() => applyTheme(next)}
      aria-label={`Theme: ${NAMES[theme]}`}
      title={`Theme: ${NAMES[theme]}. Click for ${NAMES[next]}.`}
      className="icon-button"
    >
      {THEMES.map((one) => (
        <ThemeIcon key={one} theme={one} />
      ))}
    </button>
  )
}

function ThemeIcon({ theme }: { theme: Theme }) {
  return (
    <svg viewBox="0 0 16 16" className={`theme-icon theme-${theme}`} aria-hidden>
      {theme === 'system' && (
        <>
          <circle cx="8" cy="8" r="5.5" strokeWidth="1.4" />
          <path d="M8 2.5a5.5 5.5 0 0 0 0 11z" fill="currentColor" stroke="none" />
        </>
      )}
      {theme === 'light' && (
        <>
          <circle cx="8" cy="8" r="3" strokeWidth="1.4" />
          <path
            strokeWidth="1.4"
            strokeLinecap="round"
            d="M8 1v1.2M8 13.8V15M1 8h1.2M13.8 8H15M3.05 3.05l.85.85M12.1 12.1l.85.85M3.05 12.95l.85-.85M12.1 3.9l.85-.85"
          />
        </>
      )}
      {theme === 'dark' && (
        <path d="M13.2 9.9A5.8 5.8 0 0 1 6.1 2.8a5.8 5.8 0 1 0 7.1 7.1z" strokeWidth="1.4" />
      )}
    </svg>
  )
}

const WAYS: readonly Place[] = [
  { href: '/changes', name: 'Changes', className: 'sm:hidden' },
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
        'flex flex-wrap items-center gap-x-4 gap-y-1 border-t px-4 py-3 text-sm text-ink-3 sm:px-7',
        isRatings && 'lg:hidden',
      )}
    >
      {WAYS.map(({ href, name, className }) => (
        <ZonedLink key={href} href={href} className={classNames('hover:text-ink', className)}>
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
}

/** One line for a newcomer, above every page until it is put away; `data-visited` hides it from then on. */
export function FirstVisitLine({ text, cookie }: FirstVisitLineProps) {
  const putAway = () => {
    keepCookie(cookie)
    document.documentElement.dataset.visited = ''
    document.getElementById('main')?.focus()
  }
  return (
    <aside
      aria-label="For newcomers"
      data-first-visit
      className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b bg-surface px-4 py-1.5 text-sm sm:px-5 lg:h-[40px] lg:flex-nowrap lg:py-0"
    >
      <p className="min-w-0 text-ink-2 max-lg:w-full lg:line-clamp-2">{text}</p>
      <ZonedLink href="/about" className="link shrink-0">
        What is this?
      </ZonedLink>
      <Button size="small" variant="quiet" className="ml-auto" onClick={putAway}>
        Hide
      </Button>
    </aside>
  )
}
