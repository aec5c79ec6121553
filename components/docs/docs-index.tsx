import { ZonedLink } from '#components/address/outlook.tsx'
import { PageBody, PageHeader } from '#components/ui/page-layout.tsx'
import { Panel } from '#components/ui/panels.tsx'
import { toDocHref } from '#lib/contract/document.ts'

type DocsIndexProps = {
  groups: readonly {
    name: string
    entries: readonly { path: string; title: string; lead: string }[]
  }[]
}

/** Every document of the project, by what it is read for. */
export const DocsIndex = ({ groups }: DocsIndexProps) => (
  <PageBody className="max-w-[90rem]">
    <PageHeader title="Docs" />
    <p className="max-w-text text-ink-2">
      What this dashboard does, how it is run and how it is made. New here?{' '}
      <ZonedLink href="/about" className="link">
        About these ratings
      </ZonedLink>{' '}
      says what the words mean, and{' '}
      <ZonedLink href="/help" className="link">
        Help
      </ZonedLink>{' '}
      has the keys.
    </p>
    {groups.map(({ name, entries }) => (
      <Panel key={name} title={name}>
        <ul className="grid gap-3 md:grid-cols-2 xl:grid-cols-3">
          {entries.map(({ path, title, lead }) => (
            <li key={path} className="flex flex-col gap-1 rounded-lg border bg-surface p-4">
              <ZonedLink href={toDocHref(path)} className="link self-start font-semibold">
                {title}
              </ZonedLink>
              <p className="text-ink-2">{lead}</p>
            </li>
          ))}
        </ul>
      </Panel>
    ))}
  </PageBody>
)
