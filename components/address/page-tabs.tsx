import { ZonedLink } from './outlook.tsx'

type PageTabsProps = {
  label: string
  /** The `href` of the current page; null if it is none of the tabs. */
  current: string | null
  tabs: readonly { href: string; name: string }[]
}

/** Links to the pages of one subject. */
export const PageTabs = ({ label, current, tabs }: PageTabsProps) => (
  <nav
    aria-label={label}
    className="flex gap-5 overflow-x-auto border-b [scrollbar-width:none] print:hidden"
  >
    {tabs.map(({ href, name }) => (
      <ZonedLink
        key={href}
        aria-current={href === current ? 'page' : undefined}
        className="inline-flex h-9 shrink-0 items-center border-b-2 border-transparent font-medium text-ink-2 -outline-offset-2 hover:text-ink aria-[current]:border-ink aria-[current]:text-ink pointer-coarse:h-11"
        href={href}
      >
        {name}
      </ZonedLink>
    ))}
  </nav>
)

const HELP = [
  { href: '/help', name: 'Help' },
  { href: '/about', name: 'About' },
  { href: '/docs/glossary', name: 'Glossary' },
  { href: '/docs', name: 'Docs' },
  { href: '/docs/api', name: 'API' },
] as const

type HelpPath = (typeof HELP)[number]['href']

export const HelpTabs = ({ current }: { current: HelpPath | null }) => (
  <PageTabs label="Help" current={current} tabs={HELP} />
)

export const toHelpPath = (path: string): HelpPath | null =>
  HELP.find(({ href }) => href === path)?.href ?? null
