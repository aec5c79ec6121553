import { QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { toAddress } from '#lib/contract/operations/operation.ts'
import type { FetchAnswer } from './fetch-api.ts'
import { symbolsOptions } from './symbol-options.ts'

it('what is asked is what the key names, whatever becomes of the parameters it was made from', async () => {
  const asked: string[] = []
  const ask: FetchAnswer = (wanted) => {
    asked.push(toAddress(wanted))
    return Promise.reject(new Error('nobody answers'))
  }
  const params = new URLSearchParams({ q: 'AAPL' })
  const options = symbolsOptions(params, ask)
  params.set('sort', 'user_id')
  await new QueryClient().prefetchQuery({ ...options, retry: false })
  expect(asked).toEqual(['/api/symbols?q=AAPL'])
  expect(options.queryKey).toEqual(['symbols', '/api/symbols?q=AAPL'])
})
