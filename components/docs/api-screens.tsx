import { AsOfLink } from '#components/time/as-of.tsx'
import type { Doc, DocBlock, DocCell, DocInline } from '#lib/contract/document.ts'
import type { AnswerField } from '#lib/contract/openapi/answer-fields.ts'
import {
  type DescribedParameter,
  describeParameters,
  type ValueSchema,
} from '#lib/contract/openapi/described-parameters.ts'
import type { Operation } from '#lib/contract/operations/operation.ts'
import { OPERATIONS } from '#lib/contract/operations/operations.ts'
import { TAGS } from '#lib/contract/tags.ts'
import { ApiForm } from './api-form.tsx'
import { DocBlocks } from './doc-blocks.tsx'
import { DocScreen } from './doc-screens.tsx'

/** The guide, then every operation by subject. */
export const ApiScreen = ({ doc }: { doc: Doc }) => (
  <DocScreen doc={{ ...doc, blocks: [...doc.blocks, ...Object.keys(TAGS).flatMap(toIndex)] }} />
)

const toIndex = (tag: string): DocBlock[] => [
  toHeading(`Operations: ${tag.toLowerCase()}`),
  {
    kind: 'table',
    head: [toCell('operation'), toCell('does')],
    rows: OPERATIONS.filter((operation) => operation.tag === tag).map((operation) => [
      [{ kind: 'link', href: `/docs/api/${operation.id}`, content: toCell(toTitle(operation)) }],
      toCell(operation.summary),
    ]),
  },
]

export type ApiExamples = Readonly<Record<'symbol' | 'user' | 'rating' | 'file', string | null>>

type OperationScreenProps = {
  operation: Operation
  fields: readonly AnswerField[]
  examples: ApiExamples
}

export function OperationScreen({ operation, fields, examples }: OperationScreenProps) {
  const { method, address, id, summary } = operation
  const title = toTitle(operation)
  const blocks = [...toParameterBlocks(operation), ...toAnswerBlocks(operation, fields)]
  return (
    <DocScreen doc={{ path: `api/${id}`, title, blocks }}>
      <p>
        <AsOfLink className="link" href="/docs/api">
          All operations
        </AsOfLink>
      </p>
      <p>{summary}.</p>
      {method === 'GET' && (
        <ApiForm
          address={address}
          fields={toFields(operation, examples)}
          id={id}
          names={namesOf(operation)}
        />
      )}
      <DocBlocks blocks={blocks} name={title} />
    </DocScreen>
  )
}

function toParameterBlocks(operation: Operation): DocBlock[] {
  const parameters = describeParameters(operation)
  if (parameters.length === 0) return []
  return [
    toHeading('Parameters'),
    {
      kind: 'table',
      head: [toCell('parameter'), toCell('takes'), toCell('meaning'), toCell('default')],
      rows: parameters.map(({ name, schema, description, required }) => [
        toCode(name),
        toCell(toTakes(schema)),
        toCell(description),
        required ? toCell('required') : toCode(String(schema.default ?? '')),
      ]),
    },
  ]
}

function toTakes({ type, items, enum: values, minimum, maximum }: ValueSchema): string {
  if (items) return `${toTakes(items)}, several`
  if (values) return values.filter((value) => !value.startsWith('-')).join(', ')
  if (minimum !== undefined && maximum !== undefined) return `${type}, ${minimum} to ${maximum}`
  return type === 'string' ? 'text' : type
}

const toAnswerBlocks = (
  { answer, status, permission }: Operation,
  fields: readonly AnswerField[],
): DocBlock[] => [
  toHeading('Answer'),
  {
    kind: 'paragraph',
    content: toCell(`${status}, ${answer.type}. Needs ${toPermissionWords(permission)}.`),
  },
  ...(fields.length === 0
    ? []
    : [
        {
          kind: 'table' as const,
          head: [toCell('field'), toCell('type')],
          rows: fields.map(({ name, type }) => [toCode(name), toCell(type)]),
        },
      ]),
]

const toPermissionWords = (permission: Operation['permission']) =>
  permission === 'public' ? 'no permission' : `the permission ${permission}`

const toTitle = ({ method, address }: Operation) => `${method} ${address}`

const toCell = (text: string): DocCell => [{ kind: 'text', text }]

const toCode = (text: string): DocInline[] => (text === '' ? [] : [{ kind: 'code', text }])

const toHeading = (text: string): DocBlock => ({
  kind: 'heading',
  level: 2,
  id: text.toLowerCase().replace(/\W+/g, '-'),
  text,
  content: toCell(text),
})

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
