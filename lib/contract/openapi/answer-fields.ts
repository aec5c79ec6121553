import * as z from 'zod/mini'
import { decimal, seconds } from '#lib/contract/answers/envelope.ts'
import type { Operation } from '#lib/contract/operations/operation.ts'

/** `a.b` for nested fields, `a[]` for elements of a list. */
export type AnswerField = { name: string; type: string }

type Schema = z.core.JSONSchema.BaseSchema

/** Of `data`, or of one row of it. Empty if the answer is not JSON. */
export async function loadAnswerFields({ answer }: Operation): Promise<AnswerField[]> {
  const schema = await answer.load?.()
  if (!schema) return []
  const json = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema === seconds) jsonSchema.title = 'instant'
      if (zodSchema === decimal) jsonSchema.title = 'decimal'
    },
  })
  return toFields(json, '')
}

const toFields = ({ properties = {}, required = [] }: Schema, parent: string): AnswerField[] =>
  Object.entries(properties).flatMap(([name, schema]) =>
    typeof schema === 'boolean' ? [] : toField(schema, parent + name, required.includes(name)),
  )

function toField(schema: Schema, name: string, isRequired: boolean): AnswerField[] {
  const { of, isNull } = splitNull(schema)
  const ends = `${isNull ? ' or null' : ''}${isRequired ? '' : ', may be missing'}`
  if (of.type === 'array' && typeof of.items === 'object' && !Array.isArray(of.items)) {
    const list = ends === '' ? [] : [{ name, type: `list${ends}` }]
    return [...list, ...toField(of.items, `${name}[]`, true)]
  }
  if (of.type !== 'object') return [{ name, type: toTypeName(of) + ends }]
  const fields = toFields(of, `${name}.`)
  return ends === '' && fields.length > 0 ? fields : [{ name, type: `object${ends}` }, ...fields]
}

/** A union of several schemas is one of any value. */
function splitNull(schema: Schema): { of: Schema; isNull: boolean } {
  const { anyOf, type } = schema
  if (Array.isArray(type)) {
    const [only] = type.filter((one) => one !== 'null')
    return { of: { ...schema, type: only }, isNull: type.includes('null') }
  }
  const [only, ...others] = (anyOf ?? [schema]).filter((one) => one.type !== 'null')
  const of = only !== undefined && others.length === 0 ? only : {}
  return { of, isNull: anyOf?.some((one) => one.type === 'null') ?? false }
}

function toTypeName({ title, type, enum: values, const: value }: Schema): string {
  const only = values ?? (value === undefined ? [] : [value])
  if (only.length > 0) return only.join(', ')
  return title ?? (type === 'string' ? 'text' : String(type ?? 'any'))
}
