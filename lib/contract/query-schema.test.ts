import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { valuesOf } from '#testing/contract/query-values.ts'
import { type AnySchema, CSV_SCHEMAS, SCHEMAS } from '#testing/contract/schemas.ts'
import { asofQuery } from './api-queries.ts'
import { callsQuery } from './lists/calls.ts'
import { isProblem } from './query-parameters.ts'
import { parseParameters, toDefaults, toFullParams, toParams } from './query-schema.ts'
import { ratingsQuery } from './ratings-query.ts'
import { only } from './value-list.ts'

const parse = (schema: AnySchema, text: string) =>
  parseParameters(schema, new URLSearchParams(text))

describe.each(Object.entries({ ...SCHEMAS, ...CSV_SCHEMAS }))('%s', (_, schema) => {
  test('reads its own address back as the same values', () => {
    fc.assert(
      fc.property(valuesOf(schema), (values) => {
        expect(parse(schema, toParams(schema, values).toString())).toEqual({
          ok: true,
          value: values,
        })
      }),
    )
  })

  test('writes one address for the same values, and none of the defaults', () => {
    const defaults = toDefaults(schema)
    expect(toParams(schema, defaults).toString()).toBe('')
    fc.assert(
      fc.property(valuesOf(schema), (values) => {
        const params = toParams(schema, values)
        const parsed = parse(schema, params.toString())
        expect(parsed.ok && toParams(schema, parsed.value).toString()).toBe(params.toString())
        const others = Object.keys(values).filter((name) => !params.has(name))
        for (const name of others) expect(values[name]).toEqual(defaults[name])
        expect([...new Set(params.keys())]).toEqual(schema.order.filter((name) => params.has(name)))
      }),
    )
  })

  test('takes its own examples', () => {
    for (const [name, { example, read }] of Object.entries(schema.parameters)) {
      const problem = example !== '' && read([example])
      expect([name, isProblem(problem) && problem]).toEqual([name, false])
    }
  })
})

test('every schema is in the list that these tests go through', () => {
  const sources = ['lib', 'components', 'app'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => /(?<!\.test)\.tsx?$/.test(path))
      .map((path) => readFileSync(join(folder, path), 'utf8')),
  )
  const declared = sources.flatMap((source) =>
    [...source.matchAll(/^(?:export )?const (\w+) = (?:querySchema\(|\w+List\.query$)/gm)].map(
      ([, name]) => name,
    ),
  )
  expect(declared.sort()).toEqual(Object.keys(SCHEMAS).sort())
})

describe('what an address holds already', () => {
  const base = new URLSearchParams('y=2&asof=2024-01-31&x=1')

  test('stays, in its place, unless a value is given for it', () => {
    const params = toParams(asofQuery, { asof: 0 }, base)
    expect(params.toString()).toBe('y=2&asof=1970-01-01T00%3A00%3A00Z&x=1')
    expect(base.get('asof')).toBe('2024-01-31')
    expect(toParams(asofQuery, { asof: undefined }, base).toString()).toBe(base.toString())
  })

  test('is removed by its default', () => {
    expect(toParams(asofQuery, { asof: null }, base).toString()).toBe('y=2&x=1')
  })
})

test('an address that has to keep its meaning names defaults too', () => {
  const given = { horizon: '90', user: only(3), asof: null, page: 1 } as const
  expect(toFullParams(callsQuery, given).toString()).toBe('user=3&horizon=90&page=1')
  expect(toParams(callsQuery, given).toString()).toBe('user=3')
})

test('a range of posting is written before one of events', () => {
  const params = toParams(ratingsQuery, { moved_from: 0, from: 0, moved: only('lapsed') })
  expect(params.toString()).toBe('moved=lapsed&from=1970-01-01&moved_from=1970-01-01')
})
