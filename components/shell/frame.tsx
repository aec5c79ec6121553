'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { usePathname } from 'next/navigation'
import { type MouseEvent, useEffect } from 'react'
import { toZonedText, toZoneName, UTC } from '#components/format/instants.ts'
import { DEMO_NOTE } from '#components/format/texts.ts'
import { useHasStars } from '#components/saved/stars.ts'
import { SearchButton } from '#components/search/search-button.tsx'
import { Freshness } from '#components/status/freshness.tsx'
import { setCookie } from '#components/store/cookie.ts'
import { AsOfLink } from '#components/time/as-of.tsx'
import { ZoneSelect } from '#components/time/zone-select.tsx'
import { Button } from '#components/ui/button.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { Bell } from '#components/ui/icons.tsx'
import { useZone } from '#components/ui/time-zone.ts'
import { usePrinting } from '#components/ui/use-browser.ts'
import { signedOut } from '#lib/client/fetch-api.ts'
import { statusSummaryOptions } from '#lib/client/query-options.ts'
import { watchSignedOut } from '#lib/client/signed-out.ts'
import { VISITED_COOKIE } from './first-frame.ts'
import { AccountLink, MORE_PLACES, Navigation, ThemeToggle, WatchingLink } from './navigation.tsx'

export function Header() {
  return (
    <header className="edges when-whole flex h-[52px] items-center gap-1.5 border-b bg-surface lg:gap-3">
      <Brand />
      <DemoBadge />
      <Navigation />
      <WatchingLink />
      <SearchButton />
      <Freshness />
      <ZoneSelect className="zone-select max-md:hidden" short />
      <ThemeToggle className="icon-button max-md:hidden" />
      <AccountLink className="icon-button max-md:hidden" />
      <span data-last hidden />
    </header>
  )
}

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

function SkipLink({ id, name, className }: { id: string; name: string; className?: string }) {
  const go = (event: MouseEvent) => {
    event.preventDefault()
    if (!focusPart(id)) focusPart('main')
  }
  return (
    <a href={`#${id}`} onClick={go} className={classNames('skip-link', className)}>
      {name}
    </a>
  )
}

/** False if the page has no such part. */
function focusPart(id: string): boolean {
  const part = document.getElementById(id)
  part?.focus()
  return part !== null
}

function Brand() {
  return (
    <AsOfLink
      href="/"
      className="inline-flex shrink-0 items-center gap-2 text-[0.9375rem] font-semibold tracking-tight"
    >
      <Bell className="size-4" strokeWidth="1.4" />
      Bellwether
    </AsOfLink>
  )
}

function DemoBadge() {
  const { data } = useQuery(statusSummaryOptions())
  if (!data?.service.invented) return null
  return (
    <AsOfLink
      href="/about"
      aria-label="Demo data, invented"
      title={DEMO_NOTE}
      className="demo-badge max-md:hidden"
    >
      Demo<span className="max-lg:hidden"> data</span>
    </AsOfLink>
  )
}

export const DemoLine = ({ text }: { text: string }) => (
  <aside
    aria-label="Demo data"
    className="edges border-b bg-sunk text-sm text-ink-2 md:hidden print:hidden"
  >
    <AsOfLink href="/about" className="block py-1 leading-4">
      {text}
    </AsOfLink>
  </aside>
)

export function Footer({ version }: { version: string }) {
  const isRatings = usePathname() === '/'
  return (
    <footer
      className={classNames(
        'edges flex flex-wrap items-center gap-x-4 gap-y-2 border-t py-3 text-sm text-ink-3',
        isRatings && 'lg:hidden',
      )}
    >
      {MORE_PLACES.map(({ href, name }) => (
        <AsOfLink key={href} href={href} className="hover:text-ink">
          {name}
        </AsOfLink>
      ))}
      <Printed />
      <span className="ml-auto">Bellwether {version}, MIT license</span>
    </footer>
  )
}

function Printed() {
  const zone = useZone()
  if (!usePrinting()) return null
  const { origin, pathname, search } = window.location
  return (
    <span className="min-w-0 wrap-anywhere">
      Printed {toZonedText(Math.floor(Date.now() / 1000), 'UTC')} UTC from{' '}
      {origin + pathname + search}
      {zone !== UTC && `, times in ${toZoneName(zone)}`}
    </span>
  )
}

const AFTER_MS = 1000

export function LiveUpdates() {
  const client = useQueryClient()
  useEffect(() => {
    let end = () => {}
    let isOver = false
    const begin = async () => {
      const { keepLive } = await import('#lib/client/event-stream.ts')
      if (!isOver) end = keepLive(client)
    }
    const timer = setTimeout(() => void begin().catch(() => undefined), AFTER_MS)
    return () => {
      isOver = true
      clearTimeout(timer)
      end()
    }
  }, [client])
  return null
}

/** Where people sign in here: a page that stands open does not outlive the session. */
export function SignedOutUpdates() {
  useEffect(() => {
    const watch = watchSignedOut()
    signedOut.leave = watch.leave
    return () => {
      signedOut.leave = null
      watch.end()
    }
  }, [])
  return null
}

const KeepWatching = dynamic(
  () => import('#components/saved/keep-watching.tsx').then((m) => m.KeepWatching),
  { ssr: false },
)

export const WatchingUpdates = () => useHasStars() && <KeepWatching />

type FirstVisitLineProps = {
  text: string
  className?: string | undefined
}

export function FirstVisitLine({ text, className }: FirstVisitLineProps) {
  const putAway = () => {
    setCookie(VISITED_COOKIE, '1')
    document.documentElement.dataset.visited = ''
    focusPart('main')
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
        <AsOfLink href="/about" className="link whitespace-nowrap">
          About Bellwether
        </AsOfLink>
      </p>
      <Button size="small" variant="quiet" className="ml-auto" onClick={putAway}>
        Hide<span className="sr-only"> this line</span>
      </Button>
    </aside>
  )
}
