import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import { attentionOverview } from '#lib/contract/answers/attention.ts'
import { changes } from '#lib/contract/answers/changes.ts'
import { database } from '#lib/contract/answers/database.ts'
import { envelope } from '#lib/contract/answers/envelope.ts'
import { toRowSchema } from '#lib/contract/answers/lists.ts'
import { attention, lookupFacetsAnswer } from '#lib/contract/answers/lookups.ts'
import { moves } from '#lib/contract/answers/moves.ts'
import { comparison, opinion, series } from '#lib/contract/answers/opinion.ts'
import { priceSeries } from '#lib/contract/answers/prices.ts'
import {
  facets,
  ratingDetail,
  ratingHistory,
  ratingRow,
  ratingsPage,
} from '#lib/contract/answers/ratings.ts'
import { status } from '#lib/contract/answers/status.ts'
import { aggregate, mapCell, overview, symbolRow } from '#lib/contract/answers/symbols.ts'
import { track } from '#lib/contract/answers/track.ts'
import { userRatings, userRow } from '#lib/contract/answers/users.ts'
import { watching } from '#lib/contract/answers/watching.ts'
import { exportMeta } from '#lib/contract/exports.ts'
import { auditList } from '#lib/contract/lists/audit.ts'
import { callList } from '#lib/contract/lists/calls.ts'
import { lookupList } from '#lib/contract/lists/lookups.ts'
import { quarantineList } from '#lib/contract/lists/quarantine.ts'
import { ALL_OPERATIONS } from '#lib/contract/operations/operations.ts'
import { ENV_NAMES, parseEnv } from '#lib/server/environment/env.ts'
import config from '../next.config.mjs'
import { writeApiTables } from './api-tables.ts'

const read = (path: string) => readFileSync(path, 'utf8')

const selectAll = (text: string, pattern: RegExp) =>
  [...new Set(Array.from(text.matchAll(pattern), (match) => match[1] ?? ''))].sort()

const example = read('.env.example')

it('every environment variable is in .env.example and in its table, and none that does not exist', () => {
  const names = [...ENV_NAMES].sort()
  expect(selectAll(example, /^([A-Z_]+)=/gm)).toEqual(names)
  expect(selectAll(read('docs/configuration.md'), /^\| `([A-Z_]+)` +\|/gm)).toEqual(names)
})

it('the values of .env.example, and the defaults of the table, are what an empty environment means', () => {
  const pairs = (text: string, pattern: RegExp) =>
    Object.fromEntries(Array.from(text.matchAll(pattern), ([, name, value]) => [name, value]))
  const nothing = parseEnv({})
  expect(parseEnv(pairs(example, /^([A-Z_]+)=(.*)$/gm))).toEqual(nothing)
  const table = pairs(read('docs/configuration.md'), /^\| `([A-Z_]+)` +\| `([^`]+)` +\|/gm)
  expect(parseEnv(table)).toEqual(nothing)
})

it('every operation of the API has a heading in docs/api.md or a line in docs/access.md, and no heading lacks its operation', () => {
  const headings = selectAll(read('docs/api.md'), /^### ([A-Z]+ \/api\/\S+)$/gm)
  const ofAccess = selectAll(read('docs/access.md'), /^\| `([A-Z]+ \/api\/access\/[^`]+)`/gm)
  const operations = ALL_OPERATIONS.map(({ method, address }) => `${method} ${address}`)
  expect([...ofAccess, ...headings].sort()).toEqual(operations.sort())
})

it('the tables of docs/api.md are those of the operations: npm run api-tables writes them', async () => {
  const text = read('docs/api.md')
  expect(await writeApiTables(text)).toBe(text)
})

it('docs/api.md is stale without the row of a parameter, and without the table of an operation', async () => {
  const text = read('docs/api.md')
  const lines = text.split('\n')
  const row = lines.findIndex((line) => line.startsWith('| `bucket`'))
  const [table = ''] =
    /<!-- npm run api-tables -->[\s\S]*?<!-- end of api-tables -->\n\n/.exec(text) ?? []
  expect(row).toBeGreaterThan(0)
  expect(table).toContain('`{symbol}`')
  expect(await writeApiTables(lines.toSpliced(row, 1).join('\n'))).toBe(text)
  expect(await writeApiTables(text.replace(table, ''))).toBe(text)
})

const OURS = /`((?:app|bench|components|docs|e2e|lib|pages|public|scripts|soak|testing)\/[^`\s]+)`/g
/** Patterns, and files made by a run. */
const NO_FILES = /[*{<…]|NNN|^bench\/results/

it('no document holds what a merge left undecided', () => {
  const documents = readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`)
  const undecided = ['README.md', ...documents].filter((path) =>
    // Formatters turn `>>>>>>>` into nested quotes.
    /^(<{7} |={7}$|>{7} |(> ){7})/m.test(read(path)),
  )
  expect(documents.length).toBeGreaterThan(50)
  expect(undecided).toEqual([])
})

it('every file and folder that the docs name is there', () => {
  const docs = readdirSync('docs').filter((name) => name.endsWith('.md'))
  const texts = [...docs.map((name) => `docs/${name}`), 'README.md', 'AGENTS.md', 'CONTRIBUTING.md']
  const named = texts.flatMap((text) => selectAll(read(text), OURS).map((path) => ({ text, path })))
  const files = named.filter(({ path }) => !NO_FILES.test(path))
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter(({ path }) => !existsSync(path))).toEqual([])
})

const SAMPLES = {
  '/api/ratings': ratingsPage,
  '/api/ratings/{id}': z.object({
    data: z.extend(z.partial(ratingDetail), { '…': z.literal('the fields above') }),
    history: ratingHistory,
  }),
  '/api/ratings.json': envelope(z.array(z.partial(ratingRow)), {
    meta: z.partial(exportMeta),
    rows: z.int(),
  }),
  '/api/database': database,
  '/api/facets': facets,
  '/api/watching': watching,
  '/api/symbols': symbolRow,
  '/api/map': mapCell,
  '/api/overview': overview,
  '/api/changes': changes,
  '/api/attention': attentionOverview,
  '/api/symbols/{symbol}': aggregate,
  '/api/symbols/{symbol}/opinion': opinion,
  '/api/symbols/{symbol}/series': series,
  '/api/symbols/{symbol}/prices': priceSeries,
  '/api/symbols/{symbol}/attention': attention,
  '/api/symbols/{symbol}/moves': moves,
  '/api/compare': comparison,
  '/api/users': userRow,
  '/api/users/{id}/calls': userRatings.shape.symbols.def.element,
  '/api/users/{id}/track': track,
  '/api/calls': toRowSchema(callList),
  '/api/lookups': toRowSchema(lookupList),
  '/api/lookups/facets': lookupFacetsAnswer.shape.data,
  '/api/status': status,
  '/api/quarantine': toRowSchema(quarantineList),
  '/api/audit': toRowSchema(auditList),
}

const selectSamples = (text: string) =>
  text.split(/^#{2,3} /m).flatMap((section) => {
    const route = /^(?:GET|POST) (\/\S+)\n/.exec(section)?.[1]
    const samples = Array.from(section.matchAll(/^```json\n([^`]+)^```$/gm), ([, sample]) => {
      const value: unknown = JSON.parse(sample ?? '')
      return value
    })
    return route ? samples.map((value) => ({ route, value })) : []
  })

it('every sample of docs/api.md has the fields that its route answers with, all of them and no others', () => {
  const samples = selectSamples(read('docs/api.md'))
  expect(samples.map(({ route }) => route)).toEqual(Object.keys(SAMPLES))
  for (const [route, schema] of Object.entries(SAMPLES)) {
    const sample = samples.find((one) => one.route === route)?.value
    // Parsing drops unknown fields.
    expect(schema.parse(sample), route).toEqual(sample)
  }
})

it('the old address of a document leads to the document, and the heading, that has its text now', async () => {
  const moved = ((await config.redirects?.()) ?? []).filter(({ source }) =>
    source.startsWith('/docs/'),
  )
  expect(moved.map(({ source }) => source)).toContain('/docs/opinion')
  for (const { source, destination, permanent } of moved) {
    expect(existsSync(`${source.slice(1)}.md`), source).toBe(false)
    expect(permanent).toBe(true)
    const [path = '', anchor] = destination.slice(1).split('#')
    const headings = selectAll(read(`${path}.md`), /^#+ (.+)$/gm).map((title) =>
      title.toLowerCase().replaceAll(' ', '-'),
    )
    if (anchor !== undefined) expect(headings, destination).toContain(anchor)
  }
})
