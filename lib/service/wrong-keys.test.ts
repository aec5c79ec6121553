import { expect, test } from 'vitest'
import { NOON, openService, type TestService } from '#testing/service/open-service.ts'
import { createWrongKeys } from './wrong-keys.ts'

const clientOf = ({ headers }: Request) => headers.get('x-from') ?? ''

const ask = (service: TestService, key: string, from = 'one') => {
  const headers = { authorization: `Bearer ${key}`, 'x-from': from }
  return service.handle(new Request('http://service/service/api/v1/posts', { headers }))
}

const guess = async (service: TestService, times: number, from?: string) => {
  const answers: Response[] = []
  for (let number = 0; number < times; number += 1) {
    answers.push(await ask(service, `wrong-${number}`, from))
  }
  return answers.map(({ status }) => status)
}

test('after ten wrong keys in a minute the next are told when to come again, and a right one is answered all the same', async () => {
  const service = await openService({ clientOf })
  const statuses = await guess(service, 400)
  expect(statuses).toEqual([...Array(10).fill(401), ...Array(390).fill(429)])
  const slowed = await ask(service, 'wrong')
  expect(slowed.headers.get('retry-after')).toBe('60')
  expect(await slowed.json()).toMatchObject({ success: false, error: { type: 'rate_limited' } })
  const right = await service.keys.create('reader')
  expect((await ask(service, right)).status).toBe(200)
  service.clock.at += 60
  expect((await ask(service, 'wrong')).status).toBe(401)
})

test('who guesses from all addresses of an IPv6 network is one client', async () => {
  const service = await openService({ clientOf })
  for (let i = 0; i < 10; i += 1) await ask(service, `wrong-${i}`, `2001:db8::${i}`)
  expect((await ask(service, 'wrong', '2001:db8::ffff')).status).toBe(429)
  expect((await ask(service, 'wrong', '2001:db8:0:1::1')).status).toBe(401)
})

test('a client that guesses slows no other client', async () => {
  const service = await openService({ clientOf })
  await guess(service, 20)
  expect((await ask(service, 'wrong', 'another')).status).toBe(401)
  expect((await service.handle(new Request('http://service/service/api/v1/posts'))).status).toBe(
    401,
  )
})

test('a clock that is set back keeps nobody out for longer than a minute', () => {
  const wrongKeys = createWrongKeys()
  for (let number = 0; number < 10; number += 1) wrongKeys.note('one', NOON + 86_400)
  expect(() => wrongKeys.note('one', NOON + 86_400)).toThrow(/Too many/)
  expect(() => wrongKeys.note('one', NOON)).not.toThrow()
})
