import { QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { BEHIND_HEADER, readSeen } from '#lib/contract/seen.ts'
import { CALM_STATUS } from '#testing/contract/status.ts'
import { applyLiveEvent, keepSeen } from './event-stream.ts'
import { takeBehind } from './fetch-api.ts'
import { statusSummaryOptions, toStatusSummary } from './query-options.ts'

function openJar() {
  const written: string[] = []
  const kept = new Map([['theme', 'dark']])
  return {
    written,
    forget: () => kept.delete('bellwether-seen'),
    get cookie() {
      return [...kept].map(([name, value]) => `${name}=${value}`).join('; ')
    },
    set cookie(text: string) {
      written.push(text)
      const [name = '', value = ''] = text.split(';')[0]?.split('=') ?? []
      kept.set(name, value)
    },
  }
}

const shared = (generation: number) => ({
  ...CALM_STATUS,
  archive: { ...CALM_STATUS.archive, generation, shared: true },
})

function open(status = shared(7)) {
  const client = new QueryClient()
  client.setQueryData(statusSummaryOptions().queryKey, toStatusSummary(status))
  return client
}

const commit = (client: QueryClient, generation: number) =>
  applyLiveEvent(client, {
    name: 'commit',
    data: { generation, ratings: 10, added: 0, complete_to: null },
  })

it('the browser says what it was shown with the page, and what was told since', () => {
  const [client, jar] = [open(), openJar()]
  keepSeen(client, jar)
  expect(jar.written).toEqual(['bellwether-seen=7; path=/; max-age=60; samesite=lax'])
  commit(client, 8)
  expect(readSeen(jar.cookie)).toBe(8)
  applyLiveEvent(client, { name: 'status', data: shared(9) })
  expect(readSeen(jar.cookie)).toBe(9)
  client.clear()
})

it('where one process is all there is, it says nothing', () => {
  const [client, jar] = [open(CALM_STATUS), openJar()]
  keepSeen(client, jar)
  commit(client, 8)
  expect(jar.written).toEqual([])
  client.clear()
})

it('a page of a node that is behind does not take back what another tab has seen', () => {
  const [client, jar] = [open(shared(6)), openJar()]
  jar.cookie = 'bellwether-seen=7'
  const end = keepSeen(client, jar)
  expect(readSeen(jar.cookie)).toBe(7)
  end()
  commit(client, 8)
  expect(readSeen(jar.cookie)).toBe(7)
  client.clear()
})

it('a node that was waited for in vain is believed, and the same generation is not said again', () => {
  const [client, jar] = [open(shared(99)), openJar()]
  keepSeen(client, jar)
  takeBehind(new Response(null, { headers: { [BEHIND_HEADER]: '42' } }), jar)
  expect(readSeen(jar.cookie)).toBe(42)
  takeBehind(new Response(null), jar)
  takeBehind(new Response(null, { headers: { [BEHIND_HEADER]: 'x; path=/' } }), jar)
  expect(readSeen(jar.cookie)).toBe(42)
  jar.forget()
  client.setQueryData(statusSummaryOptions().queryKey, toStatusSummary({ ...shared(99), now: 1 }))
  expect(readSeen(jar.cookie)).toBeNull()
  client.clear()
})
