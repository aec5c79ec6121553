import type { Operation } from '#lib/contract/operations/operation.ts'
import type { Kind, Parameter } from '#lib/contract/query-parameters.ts'

export type ValueSchema = {
  type: 'string' | 'integer' | 'array'
  enum?: readonly string[]
  items?: ValueSchema
  minimum?: number
  maximum?: number
  maxLength?: number
  maxItems?: number
  default?: string | number
}

/** `example` must be valid for any archive. */
export type DescribedParameter = {
  name: string
  in: 'query' | 'path'
  description: string
  required?: true
  explode?: true
  schema: ValueSchema
  example: string
}

type Description = Omit<DescribedParameter, 'name' | 'in'>

const EXCLUDES = 'A minus before a value excludes it.'

const toInstant = (of: 'beginning' | 'last second') =>
  `A day, a month or a year (its ${of}), a UTC date-time, or seconds since 1970 (10 digits or more).`

const FORMS: Partial<Record<Kind['type'], string>> = {
  instant: toInstant('beginning'),
  asof: toInstant('last second'),
  decimal: 'A decimal number, in percent.',
}

function describeParameter(parameter: Parameter<unknown>): Description {
  const { meaning, example, kind, unset, isRequired } = parameter
  const { list } = kind
  const form = list ? list.excludes && EXCLUDES : FORMS[kind.type]
  return {
    description: [meaning, form, unset && `Default: ${unset}`].filter(Boolean).join(' '),
    ...(list && { explode: true }),
    schema: list ? toListSchema(kind, list.most) : toValueSchema(parameter),
    example,
    ...(isRequired && { required: isRequired }),
  }
}

const toListSchema = ({ values }: Kind, maxItems: number): ValueSchema => ({
  type: 'array',
  items: { type: 'string', ...(values && { enum: values }) },
  maxItems,
})

function toValueSchema({ kind, default: value, write }: Parameter<unknown>): ValueSchema {
  const { type, values = [], minimum, maximum, maxLength } = kind
  const [text] = write(value)
  switch (type) {
    case 'whole':
      return {
        type: 'integer',
        minimum,
        maximum,
        default: text === undefined ? undefined : Number(text),
      }
    case 'choice':
      return { type: 'string', enum: values, default: text }
    case 'sort':
      return {
        type: 'string',
        enum: [...values, ...values.map((column) => `-${column}`)],
        default: text,
      }
    default:
      return { type: 'string', maxLength, default: text }
  }
}

export function describeParameters({
  parts,
  query,
}: Pick<Operation, 'parts' | 'query'>): DescribedParameter[] {
  const path = Object.entries(parts).map(([name, { meaning, example, type, maxLength }]) => ({
    name,
    in: 'path' as const,
    required: true as const,
    description: meaning,
    schema: { type, ...(maxLength !== undefined && { maxLength }) },
    example,
  }))
  const named = Object.entries(query.parameters).map(([name, parameter]) => ({
    name,
    in: 'query' as const,
    ...describeParameter(parameter),
  }))
  return [...path, ...named]
}
