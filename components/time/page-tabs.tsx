import { AsOfLink } from './as-of.tsx'

export type NavigationLink = { href: string; name: string }

export const HELP_PAGES: readonly NavigationLink[] = [
  { href: '/help', name: 'Help' },
  { href: '/about', name: 'About' },
  { href: '/docs/glossary', name: 'Glossary' },
  { href: '/docs', name: 'Docs' },
  { href: '/docs/api', name: 'API' },
]

type PageTabsProps = {
  label: string
  /** The path of the page, which may be none of the tabs. */
  current: string
  tabs: readonly NavigationLink[]
}

/** Links to the pages of one subject. */
export const PageTabs = ({ label, current, tabs }: PageTabsProps) => (
  <nav
    aria-label={label}
    className="flex gap-5 overflow-x-auto border-b [scrollbar-width:none] print:hidden"
  >
    {tabs.map(({ href, name }) => (
      <AsOfLink
        key={href}
        aria-current={href === current ? 'page' : undefined}
        className="inline-flex h-9 shrink-0 items-center border-b-2 border-transparent font-medium text-ink-2 -outline-offset-2 hover:text-ink aria-[current]:border-ink aria-[current]:text-ink pointer-coarse:h-11"
        href={href}
      >
        {name}
      </AsOfLink>
    ))}
  </nav>
)

export const HelpTabs = ({ path }: { path: string }) => (
  <PageTabs label="Help" current={path} tabs={HELP_PAGES} />
)
