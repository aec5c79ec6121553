import { ZonedLink } from '#components/address/outlook.tsx'
import type { Doc, DocBlock } from '#lib/contract/document.ts'
import { OPERATIONS, type Operation } from '#lib/contract/openapi/operations.ts'
import { DocBlocks } from './doc-blocks.tsx'
import { DocScreen } from './doc-screen.tsx'

/**
 * The document of the API. A route that can be tried has its tables, its sample and a form on a page of its own: all of
 * them on one would be several times what a phone should have to take in.
 */
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
  const { lead, isCut } = selectLead(blocks)
  return (
    <>
      <DocBlocks blocks={lead} name={operation.address} />
      <p>
        <ZonedLink className="link" href={toOperationHref(operation)} prefetch={false}>
          {isCut ? 'Read on and try it' : 'Try it'}
          <span className="sr-only"> {operation.address}</span>
        </ZonedLink>
      </p>
    </>
  )
}

type Section = { operation: Operation | null; blocks: readonly DocBlock[] }

/** The blocks from each heading to the next, with the operation that the heading names. */
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

/** What a document says of an operation, without its heading, and the anchor of that; nothing where it is silent. */
export function selectSection({ blocks }: Doc, { id }: Operation) {
  const section = toSections(blocks).find(({ operation }) => operation?.id === id)
  const [heading, ...rest] = section?.blocks ?? []
  return { anchor: heading?.kind === 'heading' ? heading.id : null, blocks: rest }
}

/** What is said of a section before its first table or sample, and whether that is less than all. */
function selectLead(blocks: Section['blocks']) {
  const end = blocks.findIndex(({ kind }) => kind === 'table' || kind === 'code')
  return end === -1 ? { lead: blocks, isCut: false } : { lead: blocks.slice(0, end), isCut: true }
}

/** The operations that can be tried, each on a page of its own. */
export const TRIED_OPERATIONS: readonly Operation[] = OPERATIONS.filter(
  ({ method }) => method === 'GET',
)

const toOperationHref = ({ id }: Operation): string => `/docs/api/${id}`
