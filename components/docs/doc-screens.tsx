import type { ReactNode } from 'react'
import { AsOfLink } from '#components/address/as-of.tsx'
import { HelpTabs } from '#components/address/page-tabs.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { PageBody, PageHeader } from '#components/ui/page-layout.tsx'
import { Panel } from '#components/ui/panels.tsx'
import { type Doc, type DocBlock, type DocHeading, toDocHref } from '#lib/contract/document.ts'
import type { Operation } from '#lib/contract/operations/operation.ts'
import { OPERATIONS } from '#lib/contract/operations/operations.ts'
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

export const ApiScreen = ({ doc }: { doc: Doc }) => (
  <DocScreen doc={doc}>
    {toSections(doc.blocks).map(({ operation, blocks }, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a document does not change while it is read
      <div key={index} className="flex min-w-0 flex-col gap-3">
        {operation && TRIED_OPERATIONS.includes(operation) ? (
          <RouteLead blocks={blocks} operation={operation} />
        ) : (
          <DocBlocks blocks={blocks} name={doc.title} />
        )}
      </div>
    ))}
  </DocScreen>
)

function RouteLead({ operation, blocks }: Pick<Section, 'blocks'> & { operation: Operation }) {
  const { lead, rest } = selectLead(blocks)
  return (
    <>
      <DocBlocks blocks={lead} name={operation.address} />
      <p>
        <AsOfLink className="link" href={toOperationHref(operation)}>
          {rest.length > 0 ? 'Read on and try it' : 'Try it'}
          <span className="sr-only"> {operation.address}</span>
        </AsOfLink>
      </p>
    </>
  )
}

type Section = { operation: Operation | null; blocks: readonly DocBlock[] }

function toSections(blocks: readonly DocBlock[]): Section[] {
  const sections: { operation: Operation | null; blocks: DocBlock[] }[] = []
  for (const block of blocks) {
    const isNew = block.kind === 'heading' || sections.length === 0
    if (isNew) sections.push({ operation: toOperation(block), blocks: [] })
    sections.at(-1)?.blocks.push(block)
  }
  return sections
}

function toOperation(block: DocBlock): Operation | null {
  if (block.kind !== 'heading') return null
  return OPERATIONS.find(({ method, address }) => block.text === `${method} ${address}`) ?? null
}

export function selectSection({ blocks }: Doc, { id }: Operation) {
  const section = toSections(blocks).find(({ operation }) => operation?.id === id)
  const [heading, ...rest] = section?.blocks ?? []
  return { anchor: heading?.kind === 'heading' ? heading.id : null, blocks: rest }
}

export function selectLead(blocks: Section['blocks']) {
  const first = blocks.findIndex(({ kind }) => kind !== 'heading')
  const isText = blocks[first]?.kind === 'paragraph'
  const end = first === -1 ? blocks.length : first + (isText ? 1 : 0)
  return { lead: blocks.slice(0, end), rest: blocks.slice(end) }
}

export const TRIED_OPERATIONS: readonly Operation[] = OPERATIONS.filter(
  ({ method }) => method === 'GET',
)

const toOperationHref = ({ id }: Operation): string => `/docs/api/${id}`
