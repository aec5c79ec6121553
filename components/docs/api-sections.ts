import type { Doc, DocBlock } from '#lib/contract/document.ts'
import { OPERATIONS, type Operation } from '#lib/contract/openapi/operations.ts'

export type Section = { operation: Operation | null; blocks: readonly DocBlock[] }

/** The blocks from each heading to the next, with the operation that the heading names. */
export function toSections(blocks: readonly DocBlock[]): Section[] {
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
export function selectLead(blocks: Section['blocks']) {
  const end = blocks.findIndex(({ kind }) => kind === 'table' || kind === 'code')
  return end === -1 ? { lead: blocks, isCut: false } : { lead: blocks.slice(0, end), isCut: true }
}

/** The operations that can be tried, each on a page of its own. */
export const TRIED_OPERATIONS: readonly Operation[] = OPERATIONS.filter(
  ({ method }) => method === 'GET',
)

export const toOperationHref = ({ id }: Operation): string => `/docs/api/${id}`
