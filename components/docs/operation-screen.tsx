import { AsOfLink } from '#components/address/as-of.tsx'
import type { Doc } from '#lib/contract/document.ts'
import {
  type DescribedParameter,
  describeParameters,
} from '#lib/contract/openapi/described-parameters.ts'
import type { Operation } from '#lib/contract/operations/operation.ts'
import { ApiForm } from './api-form.tsx'
import { DocBlocks } from './doc-blocks.tsx'
import { DocScreen, selectLead, selectSection } from './doc-screens.tsx'

export type ApiExamples = Readonly<Record<'symbol' | 'user' | 'rating' | 'file', string | null>>

type OperationScreenProps = {
  doc: Doc
  operation: Operation
  examples: ApiExamples
}

export function OperationScreen({ doc, operation, examples }: OperationScreenProps) {
  const { method, address, id } = operation
  const title = `${method} ${address}`
  const { anchor, blocks } = selectSection(doc, operation)
  const { lead, rest } = selectLead(blocks)
  return (
    <DocScreen doc={{ path: `${doc.path}/${id}`, title, blocks }}>
      <p>
        <AsOfLink className="link" href={`/docs/api${anchor === null ? '' : `#${anchor}`}`}>
          All API routes
        </AsOfLink>
      </p>
      <DocBlocks blocks={lead} name={title} />
      <h2>Try it</h2>
      <ApiForm
        address={address}
        fields={toFields(operation, examples)}
        id={id}
        names={namesOf(operation)}
      />
      <DocBlocks blocks={rest} name={title} />
    </DocScreen>
  )
}

export const namesOf = ({ query }: Operation): string[] => Object.keys(query.parameters)

export const partsOf = (operation: Operation, examples: ApiExamples): Record<string, string> =>
  Object.fromEntries(
    describeParameters(operation).flatMap((parameter) =>
      parameter.in === 'path' ? [[parameter.name, toExample(operation, parameter, examples)]] : [],
    ),
  )

const toFields = (operation: Operation, examples: ApiExamples) =>
  describeParameters(operation).map((parameter) => {
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

function toExample(
  { address }: Operation,
  { name, example }: DescribedParameter,
  examples: ApiExamples,
) {
  const { symbol, user, rating, file } = examples
  const of = name === 'id' ? (address.startsWith('/api/users/') ? user : rating) : null
  return (name === 'symbol' ? symbol : name === 'file' ? file : of) ?? example
}
