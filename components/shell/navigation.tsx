'use client'

import { usePathname } from 'next/navigation'
import { useTheme } from 'next-themes'
import { useState } from 'react'
import { useSignsIn } from '#components/permissions/use-may.tsx'
import { StarIcon } from '#components/saved/star-button.tsx'
import { toCountText, useNewCount } from '#components/saved/stars.ts'
import { AsOfLink, useAsOfHref } from '#components/time/as-of.tsx'
import { HELP_PAGES, type NavigationLink } from '#components/time/page-tabs.tsx'
import { ZoneSelect } from '#components/time/zone-select.tsx'
import { PreparedLink } from '#components/ui/link.tsx'
import { Popover } from '#components/ui/popover.tsx'
import { useInBrowser } from '#components/ui/use-browser.ts'
import { THEMES } from './first-frame.ts'

/** `glyph`: an SVG path in a box of 16 by 16, drawn on phones. */
const PLACES: readonly (NavigationLink & { glyph: string })[] = [
  { href: '/', name: 'Ratings', glyph: 'M2 3.5h12M2 6.5h12M2 9.5h12M2 12.5h12' },
  {
    href: '/symbols',
    name: 'Symbols',
    glyph: 'M8 2a6 6 0 1 0 6 6H8zM10.5 1.8a6 6 0 0 1 3.7 3.7h-3.7z',
  },
  {
    href: '/users',
    name: 'Users',
    glyph: 'M8 2.6a2.7 2.7 0 1 0 0 5.4 2.7 2.7 0 0 0 0-5.4M2.9 13.8a5.2 5.2 0 0 1 10.2 0',
  },
  { href: '/changes', name: 'Changes', glyph: 'M8 2.8 14 13.2H2z' },
]
const MORE_GLYPH = 'M3 8h.5m4 0h.5m4 0h.5'

const DOWNLOADS: NavigationLink = { href: '/downloads', name: 'Downloads' }

export const MORE_PLACES: readonly NavigationLink[] = [
  DOWNLOADS,
  { href: '/lookups', name: 'Look-ups' },
  { href: '/status', name: 'Status' },
  ...HELP_PAGES,
]

const isWithin = (path: string, href: string) =>
  path === href || (href !== '/' && path.startsWith(`${href}/`))

export function Navigation() {
  const path = usePathname() ?? ''
  const withAsOf = useAsOfHref()
  const link = ({ href, name }: NavigationLink, glyph?: string) => (
    <PreparedLink
      href={withAsOf(href)}
      aria-current={isWithin(path, href) ? 'page' : undefined}
      className="nav-link"
    >
      {glyph && <Glyph path={glyph} />}
      {name}
    </PreparedLink>
  )
  return (
    <nav aria-label="Main" className="main-nav">
      <ul>
        {PLACES.map((place) => (
          <li key={place.href}>{link(place, place.glyph)}</li>
        ))}
        <li className="max-md:hidden">{link(DOWNLOADS)}</li>
        <li className="md:hidden">
          <More isHere={MORE_PLACES.some(({ href }) => isWithin(path, href))} />
        </li>
      </ul>
    </nav>
  )
}

/** Not an image of the style sheet: for each of those Chromium makes a document, 4 ms. */
const Glyph = ({ path }: { path: string }) => (
  <svg viewBox="0 0 16 16" className="nav-glyph" aria-hidden>
    <path d={path} />
  </svg>
)

function More({ isHere }: { isHere: boolean }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover
      label="More"
      open={isOpen}
      onOpenChange={setOpen}
      className="w-64 py-1 md:hidden"
      trigger={
        <button type="button" aria-current={isHere || undefined} className="nav-link">
          <Glyph path={MORE_GLYPH} />
          More
        </button>
      }
    >
      {MORE_PLACES.map(({ href, name }) => (
        <AsOfLink key={href} href={href} className="more-place" onClick={() => setOpen(false)}>
          {name}
        </AsOfLink>
      ))}
      <ThemeToggle className="more-place" named />
      <ZoneSelect className="more-place" />
      <AccountLink className="more-place" named onClick={() => setOpen(false)} />
    </Popover>
  )
}

export function WatchingLink() {
  const count = useNewCount()
  const text = count === 0 ? '' : toCountText(count)
  return (
    <AsOfLink
      href="/watching"
      aria-current={usePathname() === '/watching' ? 'page' : undefined}
      aria-label={count === 0 ? 'Watching' : `Watching, ${text} new`}
      title="Watching"
      className="watching-link"
    >
      <StarIcon />
      <span className="new-count">{text}</span>
    </AsOfLink>
  )
}

/** No name: pages are shared by readers with equal permissions. */
export function AccountLink({ className, named = false, onClick }: AccountLinkProps) {
  if (!useSignsIn()) return null
  return (
    <AsOfLink
      href="/account"
      aria-label="Your account"
      title="Your account"
      className={className}
      onClick={onClick}
    >
      <svg viewBox="0 0 16 16" className="size-4" fill="none" stroke="currentColor" aria-hidden>
        <circle cx="8" cy="5.4" r="2.6" strokeWidth="1.4" />
        <path d="M2.9 13.6a5.2 5.2 0 0 1 10.2 0" strokeWidth="1.4" strokeLinecap="round" />
      </svg>
      {named && 'Your account'}
    </AsOfLink>
  )
}

type LabelProps = {
  className: string
  named?: boolean
}

type AccountLinkProps = LabelProps & { onClick?: () => void }

type Theme = (typeof THEMES)[number]

export function ThemeToggle({ className, named = false }: LabelProps) {
  const { theme: chosen, setTheme } = useTheme()
  const isInBrowser = useInBrowser()
  const theme = THEMES.find((one) => isInBrowser && one === chosen) ?? 'system'
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system'
  const name = `Theme: ${theme}`
  return (
    <button
      type="button"
      onClick={() => setTheme(next)}
      aria-label={name}
      title={`${name}. Click for ${next}.`}
      className={className}
    >
      {named ? name : THEMES.map((one) => <ThemeIcon key={one} theme={one} />)}
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
          <circle cx="8" cy="8" r="6.4" strokeWidth="1.3" strokeDasharray="1.3 3.73" />
        </>
      )}
      {theme === 'dark' && (
        <path d="M13.2 9.9A5.8 5.8 0 0 1 6.1 2.8a5.8 5.8 0 1 0 7.1 7.1z" strokeWidth="1.4" />
      )}
    </svg>
  )
}
