import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeParameters } from '#lib/contract/openapi/described-parameters.ts'
import { toOpenApi } from '#lib/contract/openapi/openapi-document.ts'
import type { Operation } from '#lib/contract/operations/operation.ts'
import { OPERATIONS } from '#lib/contract/operations/operations.ts'
import { openTestApi, type TestApi } from '#testing/api/open-api.ts'

let test: TestApi
beforeAll(async () => {
  test = await openTestApi()
  await test.fill()
})
afterAll(() => test.close())

const document = await toOpenApi('1.2.3')
const ajv = new Ajv2020({ strict: false, allErrors: true }).addSchema({ ...document, $id: 'api' })

const problemsOf = (body: unknown, name: string) => {
  const validate = ajv.getSchema(`api#/components/schemas/${name}`)
  if (!validate) throw new Error(`There is no schema ${name}.`)
  return validate(body) ? [] : validate.errors
}

const WITH_A_SOCKET = /dumps$|\.duckdb$|^\/api\/editions\//
const ASKED = OPERATIONS.filter(
  ({ address, method }) =>
    method === 'GET' && (address === '/api/dumps' || !WITH_A_SOCKET.test(address)),
)

const toPath = (operation: Operation, query: URLSearchParams) => {
  const parts = describeParameters(operation).filter((parameter) => parameter.in === 'path')
  const path = parts.reduce(
    (address, { name, example }) => address.replace(`{${name}}`, example),
    operation.address,
  )
  return `${path}?${query}`
}

const queryOf = (operation: Operation) =>
  describeParameters(operation).filter((one) => one.in === 'query')

const REQUIRED = (operation: Operation) =>
  new URLSearchParams(
    queryOf(operation).flatMap(({ name, required, example }) =>
      required ? [[name, example]] : [],
    ),
  )

it('the document is valid OpenAPI 3.1', async () => {
  const result = await new Validator().validate(JSON.parse(JSON.stringify(document)))
  expect(result.errors ?? []).toEqual([])
  expect(result.valid).toBe(true)
})

it('is served with a validator, and not sent twice to who has it', async () => {
  const first = await test.ask('/api/openapi.json')
  const etag = first.headers.get('etag') ?? ''
  expect(await first.json()).toMatchObject({ openapi: '3.1.1', info: { title: 'Bellwether' } })
  const again = await test.ask('/api/openapi.json', { headers: { 'if-none-match': etag } })
  expect(again.status).toBe(304)
})

describe.each(ASKED.map((operation) => [operation.address, operation] as const))(
  'what the document says of %s',
  (_, operation) => {
    it('is what it answers', async () => {
      const response = await test.ask(toPath(operation, REQUIRED(operation)))
      expect(response.status).toBe(operation.status)
      const [type] = (response.headers.get('content-type') ?? '').split(';')
      expect(type).toBe(operation.answer.type)
      expect(response.headers.has('etag')).toBe(operation.hasEtag)
      expect(response.headers.has('content-disposition')).toBe(operation.answer.how === 'file')
      const schema = await operation.answer.load?.()
      if (!schema) return await response.body?.cancel()
      const name = `${operation.id.charAt(0).toUpperCase()}${operation.id.slice(1)}Answer`
      const body: unknown = await response.json()
      expect(problemsOf(body, name)).toEqual([])
      // Parsing strips unknown fields.
      expect(schema.parse(body)).toEqual(body)
    })

    it('names the parameters that it takes, all of them, with values that it takes', async () => {
      const every = new Set(OPERATIONS.flatMap(queryOf).map(({ name }) => name))
      const response = await test.ask(
        toPath(operation, new URLSearchParams([...every].map((name) => [name, '\u0000']))),
      )
      const body = await response.json()
      expect(problemsOf(body, 'Failure')).toEqual([])
      const issues: { parameter: string; message: string }[] = body.error.issues
      const unknown = issues.filter(({ message }) => message === 'is not a parameter here')
      const taken = queryOf(operation).map(({ name }) => name)
      expect(unknown.map(({ parameter }) => parameter).sort()).toEqual(
        [...every].filter((name) => !taken.includes(name)).sort(),
      )
      const examples = queryOf(operation).map(({ name, example }) => [name, example])
      const asked = await test.ask(toPath(operation, new URLSearchParams(examples)))
      expect([200, 404], JSON.stringify(examples)).toContain(asked.status)
      await asked.body?.cancel()
    })
  },
)

it.each(
  ASKED.filter((operation) => queryOf(operation).length > 0).map((one) => [one.id, one] as const),
)(
  'what %s refuses lies outside of the values and bounds that the document has',
  async (_, operation) => {
    const wrong = queryOf(operation).map(({ name }) => [name, '~'])
    const { error } = await (await test.ask(toPath(operation, new URLSearchParams(wrong)))).json()
    const issues: { parameter: string; message: string }[] = error?.issues ?? []
    for (const { name, schema } of queryOf(operation)) {
      const message = issues.find(({ parameter }) => parameter === name)?.message
      const values = (schema.items ?? schema).enum
      const plain = values?.filter((value) => !value.startsWith('-'))
      const no = plain?.length === 1 ? 'is not' : 'is not one of'
      if (plain) expect(message, name).toBe(`${no} ${plain.join(', ')}`)
      const { minimum: least, maximum: most } = schema
      if (most !== undefined) {
        expect(message, name).toBe(`is not a whole number from ${least} to ${most}`)
      }
    }
  },
)

it('a sync that is asked for answers as the document says', async () => {
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }
  const response = await test.ask('/api/sync', { method: 'POST', headers })
  expect(response.status).toBe(202)
  expect(problemsOf(await response.json(), 'RequestSyncAnswer')).toEqual([])
})

it.each(['/api/symbols/NOSUCH', '/api/users/x', '/api/ratings?page=0'])(
  'what is refused at %s has the shape of a failure',
  async (path) => {
    const body = await (await test.ask(path)).json()
    expect(problemsOf(body, 'Failure')).toEqual([])
    expect(problemsOf({ ...body, error: 'no' }, 'Failure')).not.toEqual([])
  },
)
