import { QueryClient } from '@tanstack/react-query'
import { describe, expect, test } from 'vitest'
import { ApiError } from '#lib/client/api-error.ts'
import { type FetchAnswer, loadAnswer } from '#lib/client/fetch-api.ts'
import {
  type AnswerOf,
  type ApiRequest,
  type Question,
  toAddress,
} from '#lib/contract/operations/operation.ts'
import { toUrlParams } from '#lib/contract/page-addresses.ts'
import { toPathText } from '#lib/contract/path-part.ts'
import { CALM_STATUS } from '#testing/contract/status.ts'
import { toAbsence } from './presence.ts'

const answering =
  (ratings: number): FetchAnswer =>
  async <Q extends Question>(asked: ApiRequest<Q>) => {
    const archive = { ...CALM_STATUS.archive, ratings }
    const body = { success: true, code: 200, data: { ...CALM_STATUS, archive } }
    return (await loadAnswer(asked.question.answer, toAddress(asked), {
      fetchApi: async () => Response.json(body),
    })) as AnswerOf<Q>
  }

const absence = (error: unknown, ask: FetchAnswer) =>
  toAbsence(error, new QueryClient({ defaultOptions: { queries: { retry: false } } }), ask)

describe('what does not exist', () => {
  const unknown = new ApiError('not_found', 404, 'No such symbol.', [])
  const broken = new ApiError('internal', 500, 'Something went wrong.', [])

  test('is unknown only once the archive has ratings', async () => {
    expect(await absence(unknown, answering(12))).toBe('unknown')
    expect(await absence(unknown, answering(0))).toBe('waiting')
  })

  test('is unknown where its name can be none', async () => {
    const nameless = new ApiError('bad_request', 400, 'symbol is empty.', [])
    expect(await absence(nameless, answering(12))).toBe('unknown')
  })

  test('an outage is never a 404', async () => {
    expect(await absence(broken, answering(12))).toBe('failed')
    expect(await absence(broken, () => Promise.reject(new Error('down')))).toBe('failed')
  })
})

describe('an address', () => {
  test('gives its parameters in order, repeated ones too', () => {
    expect(toUrlParams({ q: 'A', sort: ['x', 'y'], page: undefined }).toString()).toBe(
      'q=A&sort=x&sort=y',
    )
  })

  test('that is wrongly encoded stands as it is', () => {
    expect(toPathText('BRK%2FB')).toBe('BRK/B')
    expect(toPathText('100%')).toBe('100%')
  })
})
