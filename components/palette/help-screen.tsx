'use client'

import { ZonedLink } from '#components/address/outlook.tsx'
import { PageBody, PageHeader } from '#components/ui/page-layout.tsx'
import { Panel } from '#components/ui/panels.tsx'
import { KeyGroups, SingleKeysSwitch } from './key-help.tsx'

const WAYS = [
  { href: '/about', name: 'About these ratings', detail: 'what the words mean' },
  { href: '/docs/filter-text', name: 'Filter text', detail: 'what the search understands' },
  { href: '/docs/opinion', name: 'Figures of opinion', detail: 'how each figure is worked out' },
  { href: '/docs/api', name: 'The API', detail: 'the same data for scripts, to try here' },
  { href: '/docs', name: 'All documents', detail: 'to use, run and change the dashboard' },
] as const

/** Where help is, and every key: what the key `?` lists, as a page. */
export const HelpScreen = () => (
  <PageBody className="max-w-[90rem]">
    <PageHeader title="Help" />
    <ul className="grid gap-x-8 gap-y-1.5 sm:grid-cols-2 xl:grid-cols-3">
      {WAYS.map(({ href, name, detail }) => (
        <li key={href}>
          <ZonedLink href={href} className="link">
            {name}
          </ZonedLink>
          <span className="text-ink-3">: {detail}</span>
        </li>
      ))}
    </ul>
    <Panel title="Keys">
      <SingleKeysSwitch />
      <div className="pt-2 sm:columns-2 sm:gap-x-10 xl:columns-3">
        <KeyGroups heading={(name) => <h3 className="text-base">{name}</h3>} />
      </div>
    </Panel>
  </PageBody>
)
