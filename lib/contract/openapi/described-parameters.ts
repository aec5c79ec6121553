import type { Kind, Parameter } from '#lib/contract/query-parameters.ts'
import type { Parameters } from '#lib/contract/query-schema.ts'

/** A schema of JSON, as far as parameters need one. */
type ValueSchema = {
  type: 'string' | 'integer' | 'array'
  enum?: readonly string[]
  items?: ValueSchema
  minimum?: number
  maximum?: number
  maxLength?: number
  maxItems?: number
  default?: string | number
}

/** What a parameter takes. `example` is a value that every archive accepts. */
export type DescribedParameter = {
  name: string
  in: 'query' | 'path'
  description: string
  required?: true
  /** Set for lists: the name is repeated, or values are separated by commas. */
  explode?: true
  schema: ValueSchema
  example: string
}

type Description = Omit<DescribedParameter, 'name' | 'in'>

const EXCLUDES = 'A minus before a value takes it out.'

const toInstant = (of: 'beginning' | 'last second') =>
  `A day, a month or a year (its ${of}), a UTC date-time, or seconds since 1970 (10 digits or more).`

/** What values look like, by kind. */
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

const toPart = (
  description: string,
  example: string,
  schema: ValueSchema = { type: 'string' },
): Description => ({ description, schema, example })

/** The parameters of paths. */
const PATH_PARAMETERS: Readonly<Record<string, Description>> = {
  '/api/ratings/{id}': toPart('The id of the rating.', '1', { type: 'integer' }),
  '/api/users/{id}': toPart('The number of the user.', '1', { type: 'integer' }),
  '/api/symbols/{symbol}': toPart('The symbol, in any case.', 'AAPL', {
    type: 'string',
    maxLength: 64,
  }),
  '/api/previews/symbols/{file}': toPart('The symbol, in any case, and `.png`.', 'AAPL.png'),
  '/api/previews/users/{file}': toPart('The number of the user and `.png`.', '1.png'),
  '/api/prices/{file}': toPart('What the file is called; it ends in .csv.', 'AAPL.csv'),
  '/api/editions/{file}': toPart('The name of the edition’s file.', 'posts-2026-11-15.csv'),
}

/** The parameters of a route: those of its path, then those of its query. */
export function describeParameters(address: string, parameters: Parameters): DescribedParameter[] {
  const path = Object.entries(PATH_PARAMETERS).flatMap(([prefix, description]) => {
    const name = /\{(\w+)\}$/.exec(prefix)?.[1]
    if (name === undefined || !address.startsWith(prefix)) return []
    return [{ name, in: 'path' as const, required: true as const, ...description }]
  })
  const query = Object.entries(parameters).map(([name, parameter]) => ({
    name,
    in: 'query' as const,
    ...describeParameter(parameter),
  }))
  return [...path, ...query]
}
