import type { Doc, DocBlock } from '#lib/contract/document.ts'
import { OPERATIONS, type Operation } from '#lib/contract/openapi/operations.ts'
import { ApiForm } from './api-form.tsx'
import { DocBlocks } from './doc-blocks.tsx'
import { DocScreen } from './doc-screen.tsx'

/** Values that this archive has, by the part of a path or the parameter that they fill. */
export type ApiExamples = Readonly<Record<'symbol' | 'user' | 'rating' | 'file', string | null>>

/** The document of the API; below the text of each route stands a form that asks it. */
export const ApiScreen = ({ doc, examples }: { doc: Doc; examples: ApiExamples }) => (
  <DocScreen doc={doc}>
    {toSections(doc.blocks).map(({ operation, blocks }, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a document does not change while it is read
      <div key={index} className="flex min-w-0 flex-col gap-3">
        <DocBlocks blocks={blocks} name={doc.title} />
        {operation?.method === 'GET' && (
          <ApiForm
            id={operation.id}
            address={operation.address}
            names={namesOf(operation)}
            fields={toFields(operation, examples)}
          />
        )}
      </div>
    ))}
  </DocScreen>
)

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

/** The names that an operation takes in its query. */
export const namesOf = ({ parameters }: Operation): string[] =>
  parameters.flatMap((parameter) => (parameter.in === 'query' ? [parameter.name] : []))

/** What stands in the path where a form does not say: something that this archive has. */
export const partsOf = (operation: Operation, examples: ApiExamples): Record<string, string> =>
  Object.fromEntries(
    operation.parameters.flatMap((parameter) =>
      parameter.in === 'path' ? [[parameter.name, toExample(operation, parameter, examples)]] : [],
    ),
  )

type Parameter = Operation['parameters'][number]

const toFields = (operation: Operation, examples: ApiExamples) =>
  operation.parameters.map((parameter) => {
    const { name, schema, example } = parameter
    const isRequired = parameter.required ?? false
    return {
      name,
      value: isRequired ? toExample(operation, parameter, examples) : '',
      placeholder: example,
      options: schema.enum ?? null,
      isRequired,
    }
  })

function toExample({ address }: Operation, { name, example }: Parameter, examples: ApiExamples) {
  const { symbol, user, rating, file } = examples
  const of = name === 'id' ? (address.startsWith('/api/users/') ? user : rating) : null
  return (name === 'symbol' ? symbol : name === 'file' ? file : of) ?? example
}
