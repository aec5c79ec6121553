import { afterAll, beforeAll, expect, test } from 'vitest'
import { failure } from '#lib/contract/answers/envelope.ts'
import { ratingAnswer } from '#lib/contract/answers/ratings.ts'
import { openTestApi, type TestApi } from '#testing/api/open-api.ts'

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
  await api.fill()
})
afterAll(() => api.close())

const json = async (path: string) => {
  const response = await api.ask(path)
  return { response, body: await response.json() }
}

test('a rating is the row that the list has, with its end, its extras and its history', async () => {
  const { body: list } = await json('/api/ratings?per_page=20')
  for (const row of list.data) {
    const { response, body } = await json(`/api/ratings/${row.id}`)
    expect(response.status).toBe(200)
    expect(ratingAnswer.safeParse(body).error).toBeUndefined()
    expect(body.data).toMatchObject(row)
    expect(body.data.extra).toBeNull()
    expect(body.history.ratings.map((item: { id: number }) => item.id)).toContain(row.id)
    const { body: own } = await json(`/api/ratings?user=${row.user_id}&symbol=${row.symbol}`)
    expect(body.history.total).toBe(own.page.total)
  }
})

test('as of a day, what came later does not exist yet', async () => {
  const { body: newest } = await json('/api/ratings?per_page=1&rating=4')
  const { id, created_at: posted } = newest.data[0]
  const then = await json(`/api/ratings/${id}?asof=${posted}`)
  expect(then.body.data.state).toBe('active')
  expect(then.body.meta.as_of).toBe(posted)
  expect(then.body.history.ratings.at(-1).id).toBe(id)
  const before = await json(`/api/ratings/${id}?asof=${posted - 1}`)
  expect(before.response.status).toBe(404)
  expect(before.body.error.message).toBe('No rating with this id existed then.')
})

test.each(['0', '-5', '9007199254740991', '999999999'])(
  'an id that no rating has is a 404: %s',
  async (id) => {
    const { response, body } = await json(`/api/ratings/${id}`)
    expect(response.status).toBe(404)
    expect(failure.parse(body).error.type).toBe('not_found')
  },
)

test.each(['abc', '-0', '1e3', '1.5', '007', '%00', '9007199254740993', '9'.repeat(400), '1%2F2'])(
  'what is no id is a 400 that says so: %s',
  async (id) => {
    const { response, body } = await json(`/api/ratings/${id}`)
    expect(response.status).toBe(400)
    expect(failure.parse(body).error.issues).toEqual([
      { parameter: 'id', message: 'is not a whole number' },
    ])
  },
)

test('the same address is answered from the cache until the archive changes', async () => {
  const first = await api.ask('/api/ratings/2')
  const etag = first.headers.get('etag') ?? ''
  const again = await api.ask('/api/ratings/2', { headers: { 'if-none-match': etag } })
  expect(again.status).toBe(304)
})
