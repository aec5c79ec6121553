import { QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import type { Status } from '#lib/contract/answers/state.ts'
import { CALM_STATUS } from '#lib/contract/answers/status.test-support.ts'
import { applyLiveEvent } from './apply-live-event.ts'
import { dumpsOptions, statusOptions } from './query-options.ts'

const { queryKey } = statusOptions()

function openClient() {
  const client = new QueryClient()
  client.setQueryData(queryKey, { success: true, code: 200, data: CALM_STATUS })
  return { client, read: () => client.getQueryData(queryKey)?.data }
}

const entry = (id: number, kind: 'dump' | 'sync') => ({
  id,
  at: 1,
  level: 'info' as const,
  kind,
  message: 'It came.',
  fields: {},
})

it('a status takes the place of what was known, a step only that of the sync, a commit only that of the archive', () => {
  const { client, read } = openClient()
  const sync = { ...CALM_STATUS.sync, state: 'following' as const }
  applyLiveEvent(client, { name: 'progress', data: { sync, now: 1001 } })
  expect(read()).toEqual({ ...CALM_STATUS, sync, now: 1001 })
  applyLiveEvent(client, {
    name: 'commit',
    data: { generation: 2, ratings: 47, added: 37, complete_to: 1002 },
  })
  const archive = { ...CALM_STATUS.archive, generation: 2, ratings: 47, complete_to: 1002 }
  expect(read()).toEqual({ ...CALM_STATUS, sync, archive, now: 1001 })
  applyLiveEvent(client, { name: 'status', data: CALM_STATUS })
  expect(read()).toEqual(CALM_STATUS)
})

it('of a page that knows nothing yet, only a status makes something', () => {
  const client = new QueryClient()
  applyLiveEvent(client, { name: 'event', data: entry(1, 'sync') })
  expect(client.getQueryData(queryKey)).toBeUndefined()
})

it('an entry of the log stands first, once, and there are never more than fifty', () => {
  const { client, read } = openClient()
  for (let id = 1; id <= 60; id += 1)
    applyLiveEvent(client, { name: 'event', data: entry(id, 'sync') })
  applyLiveEvent(client, { name: 'event', data: entry(60, 'sync') })
  expect(read()?.events.map(({ id }) => id)).toEqual([...Array(50).keys()].map((n) => 60 - n))
})

it('what a dump did is asked anew, what the sync did is not', () => {
  const { client } = openClient()
  const dumps = dumpsOptions().queryKey
  client.setQueryData<unknown>(dumps, {})
  const isOld = () => client.getQueryState(dumps)?.isInvalidated
  applyLiveEvent(client, { name: 'event', data: entry(1, 'sync') })
  expect(isOld()).toBe(false)
  applyLiveEvent(client, { name: 'event', data: entry(2, 'dump') })
  expect(isOld()).toBe(true)
})

it('an answer that was on its way does not undo what was told meanwhile', async () => {
  const { client, read } = openClient()
  let answer = (_status: Status) => {}
  const asked = client.fetchQuery({
    queryKey,
    queryFn: ({ signal: _ }) =>
      new Promise((resolve: (answer: { success: true; code: number; data: Status }) => void) => {
        answer = (data) => resolve({ success: true, code: 200, data })
      }),
  })
  const told = { ...CALM_STATUS, now: 2000 }
  applyLiveEvent(client, { name: 'status', data: told })
  answer({ ...CALM_STATUS, now: 1999 })
  await asked.catch(() => undefined)
  expect(read()).toEqual(told)
})
