import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import { BEHIND_HEADER } from '#lib/contract/seen.ts'
import { createGenerationWait, createSharedRefresh } from './seen-generation.ts'

function setUpWait(held: number | null) {
  const node = { generation: held, ms: 0 }
  const wait = createGenerationWait({
    generation: () => node.generation,
    nowMs: () => node.ms,
    sleep: async (ms) => {
      node.ms += ms
      if (node.ms === 100) node.generation = (node.generation ?? 0) + 1
    },
  })
  const ask = async (cookie: string | undefined, url = '/api/ratings') => {
    const headers: Record<string, string> = {}
    const request = { headers: { cookie }, url } as IncomingMessage
    const response = {
      destroyed: false,
      setHeader: (name: string, value: string) => {
        headers[name] = value
      },
    } as unknown as ServerResponse
    await wait(request, response)
    return { at: node.ms, behind: headers[BEHIND_HEADER] ?? null }
  }
  return { ask }
}

it('a reader is answered at once where this node holds what he has seen', async () => {
  const { ask } = setUpWait(7)
  for (const cookie of [undefined, '', 'bellwether-seen=7', 'a=b; bellwether-seen=3; c=d']) {
    expect(await ask(cookie)).toEqual({ at: 0, behind: null })
  }
})

it('what he has seen elsewhere is waited for, and then he is answered with it', async () => {
  const { ask } = setUpWait(7)
  expect(await ask('theme=dark; bellwether-seen=8')).toEqual({ at: 100, behind: null })
  const { ask: askAgain } = setUpWait(7)
  const others = `other=${'x'.repeat(20_000)}`
  expect(await askAgain(`${others}; bellwether-seen=8`)).toEqual({ at: 100, behind: null })
})

it('after 300 ms he is answered with what there is, and told', async () => {
  const { ask } = setUpWait(7)
  expect(await ask('bellwether-seen=99')).toEqual({ at: 300, behind: '8' })
})

it('a script, or a number that is none, is not waited for', async () => {
  const { ask } = setUpWait(7)
  expect(await ask('bellwether-seen=99', '/_next/static/a.js')).toEqual({ at: 0, behind: null })
  expect(await ask('bellwether-seen=-1')).toEqual({ at: 0, behind: null })
  expect(await ask('bellwether-seen=99999999999999999999')).toEqual({ at: 0, behind: null })
})

function setUpRefresh(refresh: () => Promise<void> = async () => undefined) {
  const clock = { ms: 0 }
  const looks: number[] = []
  const refreshAccess = createSharedRefresh({
    async refresh() {
      looks.push(clock.ms)
      await refresh()
    },
    nowMs: () => clock.ms,
    async sleep(ms) {
      if (ms === 1000) return await new Promise((resolve) => setTimeout(resolve, 50))
      clock.ms += ms
    },
  })
  return { clock, looks, refreshAccess }
}

it('somebody who is not known is looked for at once, and those who come together by one look', async () => {
  const { looks, refreshAccess } = setUpRefresh()
  await Promise.all([refreshAccess(), refreshAccess(), refreshAccess()])
  expect(looks).toEqual([0])
})

it('who comes later is looked for anew, four times a second at most', async () => {
  const { clock, looks, refreshAccess } = setUpRefresh()
  for (let n = 0; n < 8; n += 1) await refreshAccess()
  expect(looks).toEqual([0, 250, 500, 750, 1000, 1250, 1500, 1750])
  clock.ms = 5000
  await refreshAccess()
  expect(looks.at(-1)).toBe(5000)
})

it('who comes while a look is under way is not told by that one, which began before him', async () => {
  let end = () => {}
  const { looks, refreshAccess } = setUpRefresh(
    () =>
      new Promise((resolve) => {
        end = resolve
      }),
  )
  const first = refreshAccess()
  await expect.poll(() => looks.length).toBe(1)
  const second = refreshAccess()
  end()
  await first
  await expect.poll(() => looks.length).toBe(2)
  end()
  await second
})

it('a database that is away, or that does not answer, is not waited for', async () => {
  const away = setUpRefresh(async () => {
    throw new Error('away')
  })
  await away.refreshAccess()
  const silent = setUpRefresh(() => new Promise(() => undefined))
  await silent.refreshAccess()
  await silent.refreshAccess()
  expect(silent.looks).toHaveLength(1)
})
