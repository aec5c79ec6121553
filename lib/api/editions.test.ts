import { expect, test } from 'vitest'
import { editionsAnswer } from '#lib/contract/answers/status.ts'
import { openTestApi } from '#testing/api/open-api.ts'

const WEEK = 7 * 86_400

test('lists the stored editions, newest first', async () => {
  const api = await openTestApi()
  try {
    await api.fill()
    api.clock.now += WEEK
    await api.editions.ensure('posts')
    const { data } = editionsAnswer.parse(await (await api.ask('/api/editions')).json())
    expect(data.posts.map(({ edition, state }) => [edition, state])).toEqual([
      ['2026-11-22', 'current'],
      ['2026-11-15', 'earlier'],
    ])
  } finally {
    await api.close()
  }
})
