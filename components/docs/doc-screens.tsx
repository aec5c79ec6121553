import type { ReactNode } from 'react'
import { AsOfLink } from '#components/time/as-of.tsx'
import { HelpTabs } from '#components/time/page-tabs.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { PageBody, PageHeader } from '#components/ui/page-layout.tsx'
import { Panel } from '#components/ui/panels.tsx'
import { type Doc, type DocHeading, toDocHref } from '#lib/contract/document.ts'
import { Contents } from './contents.tsx'
import { DOC_CLASSES, DocBlocks } from './doc-blocks.tsx'

export function DocScreen({ doc, children }: { doc: Doc; children?: ReactNode }) {
  const headings = doc.blocks.filter(isListed).map(({ id, level, text }) => ({ id, level, text }))
  return (
    <PageBody className="max-w-[84rem]">
      <PageHeader title={doc.title} />
      <HelpTabs path={toDocHref(doc.path)} />
      <div className="grid min-w-0 gap-x-10 gap-y-4 lg:grid-cols-[14rem_minmax(0,1fr)]">
        <div className="min-w-0 text-sm lg:sticky lg:top-4 lg:max-h-[calc(100dvh-2rem)] lg:self-start lg:overflow-y-auto lg:[scrollbar-width:thin]">
          {headings.length > 1 && <Contents headings={headings} />}
        </div>
        <article
          className={classNames(
            'flex min-w-0 flex-col gap-3 text-[0.875rem] leading-6 [&>:first-child]:pt-0',
            DOC_CLASSES,
          )}
        >
          {children ?? <DocBlocks blocks={doc.blocks} name={doc.title} />}
        </article>
      </div>
    </PageBody>
  )
}

const isListed = (block: Doc['blocks'][number]): block is DocHeading =>
  block.kind === 'heading' && block.level <= 3

type DocsIndexProps = {
  groups: readonly {
    name: string
    entries: readonly { path: string; title: string; lead: string }[]
  }[]
}

export const DocsIndex = ({ groups }: DocsIndexProps) => (
  <PageBody className="max-w-[90rem]">
    <PageHeader title="Docs" />
    <HelpTabs path="/docs" />
    {groups.map(({ name, entries }) => (
      <Panel key={name} title={name}>
        <ul className="grid gap-3 md:grid-cols-2 xl:grid-cols-3">
          {entries.map(({ path, title, lead }) => (
            <li key={path} className="flex flex-col gap-1 rounded-lg border bg-surface p-4">
              <AsOfLink href={toDocHref(path)} className="link self-start font-semibold">
                {title}
              </AsOfLink>
              <p className="text-ink-2">{lead}</p>
            </li>
          ))}
        </ul>
      </Panel>
    ))}
  </PageBody>
)
