import { readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import * as z from 'zod/mini'
import { decimal, seconds } from '#lib/contract/answers/envelope.ts'
import { asofQuery, trackQuery } from '#lib/contract/api-queries.ts'
import { CSV_PARAMETERS } from '#lib/contract/export-choice.ts'
import type { Operation, Part } from '#lib/contract/operations/operation.ts'
import { OPERATIONS } from '#lib/contract/operations/operations.ts'
import { symbolPart, userPart } from '#lib/contract/operations/parts.ts'
import type { Kind, Parameter } from '#lib/contract/query-parameters.ts'
import type { Parameters } from '#lib/contract/query-schema.ts'
import { ratingsQuery } from '#lib/contract/ratings-query.ts'

const DOCUMENT = 'docs/api.md'

const START = '<!-- npm run api-tables -->'
const END = '<!-- end of api-tables -->'
const BLOCK = new RegExp(`${START}\n[\\s\\S]*?${END}\n`)

const LIST_MAX = 100

const FIELD_ROWS_MAX = 16

type Row = readonly string[]

const code = (text: string) => `\`${text}\``

/** A section without a generated part gets it after its first paragraph. */
export async function writeApiTables(markdown: string): Promise<string> {
  const sections = markdown.split(/^(?=#{2,3} )/m)
  const toBlock = createBlocks()
  const written: string[] = []
  for (const section of sections) written.push(place(section, await toBlock(section)))
  return written.join('')
}

function place(section: string, content: string): string {
  const block = content === '' ? '' : `${START}\n\n${content}\n\n${END}\n`
  if (block !== '' && BLOCK.test(section)) return section.replace(BLOCK, () => block)
  const plain = section.replace(new RegExp(`\n${BLOCK.source}`), '')
  if (block === '') return plain
  const [heading = '', lead = '', ...rest] = plain.trimEnd().split('\n\n')
  const hasLead = !/^(```|\||- |$)/.test(lead)
  const before = hasLead ? [heading, lead] : [heading]
  const after = (hasLead ? rest : [lead, ...rest]).filter((text) => text !== '')
  return `${[...before, block.trimEnd(), ...after].join('\n\n')}\n\n`
}

type Described = Pick<Operation, 'parts' | 'query'>

const QUERY_OF_RATINGS: Described = { parts: {}, query: ratingsQuery }

type Source = { link: string; parameters: Parameters }

/** Call in document order: later sections link to earlier ones. Returns '' for no part. */
function createBlocks() {
  const sources: Source[] = [
    { link: '[the query of ratings](#the-query-of-ratings)', parameters: ratingsQuery.parameters },
  ]
  const described = new Set<unknown>()
  return async (section: string): Promise<string> => {
    const title = /^#+ (.+)$/m.exec(section)?.[1] ?? ''
    if (title === 'Shared parameters') return toTable(PARAMETER_HEAD, SHARED)
    if (title === 'The query of ratings') return describeQuery(QUERY_OF_RATINGS, []).join('\n\n')
    const operation = OPERATIONS.find(({ method, address }) => title === `${method} ${address}`)
    if (!operation) return ''
    const parameters = isVariant(operation) ? [] : describeQuery(operation, sources)
    const link = `the parameters of [\`${operation.address}\`](#${toAnchor(title)})`
    sources.push({ link, parameters: operation.query.parameters })
    return [...parameters, ...(await describeAnswer(operation, section, described))].join('\n\n')
  }
}

/**
 * Whether the operation has the parameters of the list at its address: a file or the counts of a
 * list. The document describes them once.
 */
function isVariant({ address, query }: Operation): boolean {
  const list = OPERATIONS.find((other) => other.address === address.replace(VARIANT, ''))
  if (!list || list.address === address) return false
  const own = omit(query.parameters, { ...list.query.parameters, ...CSV_PARAMETERS })
  const missing = omit(list.query.parameters, query.parameters)
  return [own, missing].every((parameters) => Object.keys(parameters).length === 0)
}

const VARIANT = /(?:\.[a-z]+|\/facets)$/

/** As GitHub derives it. */
const toAnchor = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')

const PARAMETER_HEAD = ['parameter', 'takes', 'meaning', 'default']

const toRows = (parts: Operation['parts'], parameters: Parameters): Row[] => [
  ...Object.entries(parts).map(([name, part]) => toPartRow(name, part)),
  ...Object.entries(parameters).map(([name, parameter]) => toParameterRow(name, parameter)),
]

const toPartRow = (name: string, part: Part): Row => [
  code(`{${name}}`),
  part.type === 'integer' ? 'an integer' : `text${toLimit(part)}`,
  part.meaning,
  '',
]

function toParameterRow(name: string, parameter: Parameter<unknown>): Row {
  const { kind, meaning, unset, isRequired, write } = parameter
  const [text] = write(parameter.default)
  const value = text === undefined ? '' : code(text)
  const fallback = isRequired ? 'required' : (unset?.replace(/\.$/, '') ?? value)
  return [code(name), toTakes(kind), meaning, fallback]
}

const NOUNS = {
  asof: ['an instant', 'instants'],
  day: ['a date, `2026-01-31`', 'dates'],
  decimal: ['a decimal', 'decimals'],
  expiry: ['a period or `never`', 'periods or `never`'],
  filters: ['filters of ratings', 'filters of ratings'],
  instant: ['an instant', 'instants'],
  names: ['names', 'names'],
  period: ['a period', 'periods'],
  symbol: ['a symbol', 'symbols'],
} as const satisfies Partial<Record<Kind['type'], readonly [string, string]>>

function toTakes({ list, ...kind }: Kind): string {
  const values = toValues(kind, list !== undefined)
  return list && list.most !== LIST_MAX ? `${values}, at most ${list.most}` : values
}

function toValues(kind: Kind, isList: boolean): string {
  switch (kind.type) {
    case 'choice':
      return `${isList ? 'any of' : 'one of'} ${toNames(kind)}`
    case 'sort':
      return toNames(kind)
    case 'text':
      return isList ? `texts${toLimit(kind)}` : `text${toLimit(kind)}`
    case 'whole':
      return isList ? 'integers' : `an integer${toRange(kind)}`
    default:
      return NOUNS[kind.type][isList ? 1 : 0]
  }
}

const toNames = ({ values = [] }: Kind) =>
  values
    .filter((value) => !value.startsWith('-'))
    .map(code)
    .join(', ')

const toLimit = ({ maxLength }: { maxLength?: number }) =>
  maxLength === undefined ? '' : ` of at most ${toCount(maxLength)} characters`

const toRange = ({ minimum, maximum }: Kind) =>
  minimum === undefined || maximum === undefined ? '' : ` from ${minimum} to ${toCount(maximum)}`

const toCount = (count: number) => count.toLocaleString('en-US')

const SHARED = toRows(
  { symbol: symbolPart, id: userPart },
  {
    ...asofQuery.parameters,
    page: ratingsQuery.parameters.page,
    per_page: ratingsQuery.parameters.per_page,
    horizon: trackQuery.parameters.horizon,
    ...CSV_PARAMETERS,
  },
)
const SHARED_TEXTS = new Set(SHARED.map(String))

const isShared = (row: Row) => SHARED_TEXTS.has(String(row))

function describeQuery({ parts, query }: Described, sources: readonly Source[]): string[] {
  const source = selectSource(query.parameters, sources)
  const rows = toRows(parts, omit(query.parameters, source?.parameters ?? {}))
  const own = rows.filter((row) => !isShared(row))
  const linked = [source && toSourceText(query.parameters, source), toSharedText(rows)]
  const sentence = linked.filter(Boolean).join(', and ')
  return [
    ...(own.length > 0 ? [toTable(PARAMETER_HEAD, own)] : []),
    ...(sentence === '' ? [] : [`${own.length > 0 ? 'Also takes' : 'Takes'} ${sentence}.`]),
  ]
}

/** Null if none covers two besides the shared ones. */
function selectSource(parameters: Parameters, sources: readonly Source[]): Source | null {
  const useful = sources.filter((source) => {
    const left = omit(parameters, source.parameters)
    return toRows({}, omit(parameters, left)).filter((row) => !isShared(row)).length > 1
  })
  const cost = (source: Source) =>
    Object.keys(omit(parameters, source.parameters)).length * 100 +
    Object.keys(omit(source.parameters, parameters)).length
  return useful.sort((a, b) => cost(a) - cost(b))[0] ?? null
}

/** Compares by identity: queries share parameter objects. */
const omit = (parameters: Parameters, others: Parameters): Parameters =>
  Object.fromEntries(
    Object.entries(parameters).filter(([name, parameter]) => others[name] !== parameter),
  )

function toSourceText(parameters: Parameters, { link, parameters: others }: Source): string {
  const missing = Object.keys(omit(others, parameters)).map(code)
  return missing.length > 0 ? `${link} except ${missing.join(', ')}` : link
}

function toSharedText(rows: readonly Row[]): string {
  const names = rows.filter(isShared).map(([name]) => name)
  return names.length > 0 ? `[${names.join(', ')}](#shared-parameters)` : ''
}

type JsonSchema = z.core.JSONSchema.BaseSchema

async function describeAnswer(
  { method, answer }: Operation,
  section: string,
  described: Set<unknown>,
): Promise<string[]> {
  const schema = await answer.load?.()
  const data = schema instanceof z.ZodMiniObject ? schema.shape.data : schema
  if (data === undefined || method !== 'GET') return []
  const rows = data instanceof z.ZodMiniArray ? data.def.element : data
  const isKnown = described.has(rows)
  described.add(rows)
  if (isKnown || section.includes('```json')) return []
  const fields = groupFields(toFields(toJsonSchema(rows), ''))
  if (fields.length === 0 || fields.length > FIELD_ROWS_MAX) return []
  return [toTable([rows === data ? 'fields of `data`' : 'fields of a row', 'type'], fields)]
}

const toJsonSchema = (schema: z.core.$ZodType): JsonSchema =>
  z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema === seconds) jsonSchema.title = 'instant'
      if (zodSchema === decimal) jsonSchema.title = 'decimal'
    },
  })

type Field = { parent: string; name: string; type: string }

/** `a.b` for nested fields, `a[]` for list elements. Empty if any field is allowed. */
function toFields({ properties = {}, required, ...rest }: JsonSchema, parent: string): Field[] {
  if (typeof rest.additionalProperties === 'object') return []
  const siblings = new Map<string, string>()
  return Object.entries(properties).flatMap(([name, schema]) => {
    if (typeof schema === 'boolean') return []
    const fields = toField(schema, parent + name, required?.includes(name) ?? false)
    const shape = JSON.stringify(schema)
    const same = siblings.get(shape)
    if (same !== undefined && fields.length > 1) {
      return [{ parent, name: parent + name, type: `like ${code(same)}` }]
    }
    siblings.set(shape, name)
    return fields
  })
}

function toField(schema: JsonSchema, path: string, isRequired: boolean): Field[] {
  const { of, isNull } = splitNull(schema)
  const ends = `${isNull ? ' or null' : ''}${isRequired ? '' : ', may be missing'}`
  const parent = path.slice(0, path.lastIndexOf('.') + 1)
  const toLeaf = (type: string): Field => ({ parent, name: path, type: type + ends })
  if (of.type === 'array' && typeof of.items === 'object' && !Array.isArray(of.items)) {
    return [...(ends === '' ? [] : [toLeaf('list')]), ...toField(of.items, `${path}[]`, true)]
  }
  if (of.type !== 'object') return [toLeaf(toTypeName(of))]
  const fields = toFields(of, `${path}.`)
  return ends === '' && fields.length > 0 ? fields : [toLeaf('object'), ...fields]
}

/** A union of several schemas becomes one of any value. */
function splitNull(schema: JsonSchema): { of: JsonSchema; isNull: boolean } {
  const { anyOf, type } = schema
  if (Array.isArray(type)) {
    const [only] = type.filter((one) => one !== 'null')
    return { of: { ...schema, type: only }, isNull: type.includes('null') }
  }
  const [only, ...others] = (anyOf ?? [schema]).filter((one) => one.type !== 'null')
  const of = only !== undefined && others.length === 0 ? only : {}
  return { of, isNull: anyOf?.some((one) => one.type === 'null') ?? false }
}

function toTypeName({ title, type, enum: values, const: value }: JsonSchema): string {
  const only = values ?? (value === undefined ? [] : [value])
  if (only.length > 0) return only.map((one) => code(String(one))).join(', ')
  if (title !== undefined) return title
  return type === 'string' ? 'text' : String(type ?? 'any')
}

function groupFields(fields: readonly Field[]): Row[] {
  const groups = new Map<string, { names: string[]; type: string }>()
  for (const { parent, name, type } of fields) {
    const key = `${parent} ${type}`
    const group = groups.get(key) ?? { names: [], type }
    group.names.push(code(name))
    groups.set(key, group)
  }
  return [...groups.values()].map(({ names, type }) => [names.join(', '), type])
}

function toTable(head: Row, rows: readonly Row[]): string {
  const kept = head.flatMap((_, index) => (rows.some((row) => row[index] !== '') ? [index] : []))
  const lines = [head, ...rows].map((row) =>
    kept.map((index) => (row[index] ?? '').replaceAll('|', '\\|')),
  )
  const widths = kept.map((_, index) =>
    Math.max(3, ...lines.map((line) => line[index]?.length ?? 0)),
  )
  const rule = widths.map((width) => '-'.repeat(width))
  return [lines[0] ?? [], rule, ...lines.slice(1)]
    .map((line) => `| ${line.map((text, index) => text.padEnd(widths[index] ?? 0)).join(' | ')} |`)
    .join('\n')
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  writeFileSync(DOCUMENT, await writeApiTables(readFileSync(DOCUMENT, 'utf8')))
}
