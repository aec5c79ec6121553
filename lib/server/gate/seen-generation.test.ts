import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import { BEHIND_HEADER } from '#lib/contract/seen.ts'
import { createGenerationWait } from './seen-generation.ts'

function setUp(held: number | null) {
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
  const { ask } = setUp(7)
  for (const cookie of [undefined, '', 'bellwether-seen=7', 'a=b; bellwether-seen=3; c=d']) {
    expect(await ask(cookie)).toEqual({ at: 0, behind: null })
  }
})

it('what he has seen elsewhere is waited for, and then he is answered with it', async () => {
  const { ask } = setUp(7)
  expect(await ask('theme=dark; bellwether-seen=8')).toEqual({ at: 100, behind: null })
  const { ask: askAgain } = setUp(7)
  const others = `other=${'x'.repeat(20_000)}`
  expect(await askAgain(`${others}; bellwether-seen=8`)).toEqual({ at: 100, behind: null })
})

it('after 300 ms he is answered with what there is, and told', async () => {
  const { ask } = setUp(7)
  expect(await ask('bellwether-seen=99')).toEqual({ at: 300, behind: '8' })
})

it('a script, or a number that is none, is not waited for', async () => {
  const { ask } = setUp(7)
  expect(await ask('bellwether-seen=99', '/_next/static/a.js')).toEqual({ at: 0, behind: null })
  expect(await ask('bellwether-seen=-1')).toEqual({ at: 0, behind: null })
  expect(await ask('bellwether-seen=99999999999999999999')).toEqual({ at: 0, behind: null })
})
