import { ZonedLink } from '#components/address/outlook.tsx'
import type { Doc } from '#lib/contract/document.ts'
import type { Operation } from '#lib/contract/openapi/operations.ts'
import {
  type Section,
  selectLead,
  TRIED_OPERATIONS,
  toOperationHref,
  toSections,
} from './api-sections.ts'
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
