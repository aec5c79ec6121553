import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApi, type TestApi } from '#testing/api/open-api.ts'

const DAY_SECONDS = 86_400

let test: TestApi
let first: number
beforeAll(async () => {
  test = await openTestApi()
  await test.fill()
  first = (await ask('/api/symbols/AAPL')).body.meta.first_created_at
})
afterAll(() => test.close())

const ask = async (path: string) => {
  const response = await test.ask(path)
  return { status: response.status, body: await response.json() }
}

describe('of a span before its first rating a symbol', () => {
  const spanBefore = () => `from=${first - 9 * DAY_SECONDS}&to=${first - DAY_SECONDS}`

  it('has no events and no change, since it is rated later', async () => {
    const { status, body } = await ask(`/api/symbols/AAPL/moves?${spanBefore()}`)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      symbol: 'AAPL',
      active_from: 0,
      active_to: 0,
      consensus_from: null,
      consensus_to: null,
      change: null,
      prediction_change: null,
      parts: [],
    })
  })

  it.each(['series', 'prices'])('has %s without points', async (name) => {
    const { status, body } = await ask(`/api/symbols/AAPL/${name}?${spanBefore()}`)
    expect([status, body.data.points]).toEqual([200, []])
  })
})

const OF_A_SYMBOL = ['opinion', 'series', 'moves', 'prices']

it.each(OF_A_SYMBOL)('%s of a symbol that nobody has rated is a 404 that says so', async (name) => {
  const { status, body } = await ask(`/api/symbols/NOSUCH/${name}`)
  expect([status, body.error.message]).toEqual([404, 'This symbol has no ratings.'])
})

it.each(OF_A_SYMBOL)('%s as of before the first rating is a 404 that says so', async (name) => {
  const { status, body } = await ask(`/api/symbols/AAPL/${name}?asof=${first - DAY_SECONDS}`)
  expect([status, body.error.message]).toEqual([404, 'This symbol had no ratings by then.'])
})

it.each(['', '/calls', '/track'])(
  'a user as of before the first rating is a 404 that says so: %s',
  async (part) => {
    const { status, body } = await ask(`/api/users/1${part}?asof=2001-09-10`)
    expect([status, body.error.message]).toEqual([
      404,
      'No user with this number had rated by then.',
    ])
  },
)
