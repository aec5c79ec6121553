import { type Outlook, toOutlookHref } from '#lib/contract/outlook.ts'
import type { Row } from './row.ts'

const PAGES = [
  { label: 'Ratings', href: '/', detail: 'the table' },
  { label: 'Symbols', href: '/symbols', detail: 'the league of symbols' },
  { label: 'Users', href: '/users', detail: 'the members' },
  { label: 'Downloads', href: '/downloads', detail: 'the weekly dumps' },
  { label: 'Status', href: '/status', detail: 'what the sync did and will do' },
]

/** The pages whose name begins with what is typed, looked at as it is here. */
export const selectPageRows = (typed: string, outlook: Outlook): Row[] =>
  PAGES.filter(({ label }) => label.toLowerCase().startsWith(typed.toLowerCase())).map(
    ({ label, href, detail }) => ({
      id: `page ${href}`,
      kind: 'Page',
      label,
      detail,
      action: { do: 'open', href: toOutlookHref(href, outlook) },
    }),
  )
