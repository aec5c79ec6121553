import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { selectPermission } from '#lib/access/route-permissions.ts'
import { openAlerts } from '#testing/alerts/open-alerts.ts'
import { SECRET } from '#testing/alerts/open-receiver.ts'
import { openTestApi, type TestApi } from '#testing/api/open-api.ts'

let house: Awaited<ReturnType<typeof openAlerts>>
let api: TestApi

beforeAll(async () => {
  house = await openAlerts({
    allowsPrivate: false,
    deliverer: {
      deliver: async () => ({ delivered: true, status: 204 }),
      close: async () => {},
    },
  })
  api = await openTestApi({ alerts: house.alerts() })
})
afterAll(async () => {
  await api.close()
  await house.close()
})

const OURS = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
const rule = { name: 'Apple / 5', webhook: 'chat', kind: 'ratings', query: 'symbol=AAPL&rating=5' }
const target = { url: 'https://chat.example/hooks/secret-path', secret: SECRET }

const ask = async (method: string, path: string, body?: unknown, headers: object = OURS) => {
  const init = { method, headers: { ...headers }, body: JSON.stringify(body) }
  const response = await api.ask(`/api/alerts${path}`, init)
  return { status: response.status, text: await response.text() }
}

describe('the addresses of alerts', () => {
  test('add a rule, show it without its secret, try its webhook, and take it away', async () => {
    const added = await ask('POST', '/rules', { rule, target })
    expect(added.status).toBe(200)
    expect(JSON.parse(added.text).data).toMatchObject({
      rules: [{ name: 'Apple / 5', what: 'new ratings: symbol=AAPL&rating=5' }],
      webhooks: [{ name: 'chat', host: 'chat.example' }],
    })
    const shown = await ask('GET', '')
    expect(shown.text).toBe(added.text)
    expect(shown.text).not.toContain('whsec_')
    expect(shown.text).not.toContain('secret-path')
    const tried = await ask('POST', '/try', { webhook: 'chat' })
    expect(JSON.parse(tried.text).data).toEqual({
      delivered: true,
      status: 204,
      reason: null,
      format: 'standard',
      body: expect.stringContaining('"type":"alert.test"'),
    })
    expect((await ask('POST', '/try', { webhook: 'none' })).status).toBe(404)
    expect((await ask('POST', '/try', {})).status).toBe(400)
    expect((await ask('POST', '/given-up', {})).status).toBe(200)
    const removed = await ask('DELETE', `/rules/${encodeURIComponent(rule.name)}`)
    expect(JSON.parse(removed.text).data).toMatchObject({ rules: [], webhooks: [] })
    expect((await ask('DELETE', '/rules/none')).status).toBe(404)
  })

  test.each([
    [{}, 'rule'],
    [{ rule: 7 }, 'rule'],
    [{ rule, target: { url: 'https://chat.example/', secret: 'whsec_short' } }, 'secret'],
    [{ rule, target: { ...target, url: 'http://chat.example/' } }, 'url'],
    [{ rule, target: { ...target, format: 'teams' } }, 'format is not a format: standard, slack'],
    [{ rule: { ...rule, query: 'stars=5' }, target }, 'query'],
    [{ rule, target, more: 1 }, 'rule'],
  ])('refuse a rule that is wrong: %j', async (body, place) => {
    const refused = await ask('POST', '/rules', body)
    expect(refused.status).toBe(400)
    expect(refused.text).toContain(place)
    expect(refused.text).not.toContain('whsec_short')
  })

  test('are asked by nobody but a page of ours', async () => {
    const foreign = { ...OURS, 'sec-fetch-site': 'cross-site' }
    const plain = { 'sec-fetch-site': 'same-origin', 'content-type': 'text/plain' }
    expect((await ask('POST', '/rules', { rule, target }, foreign)).status).toBe(403)
    expect((await ask('POST', '/rules', { rule, target }, plain)).status).toBe(400)
    expect((await ask('DELETE', '/rules/a', undefined, foreign)).status).toBe(403)
    expect((await ask('POST', '/try', { webhook: 'chat' }, foreign)).status).toBe(403)
    expect((await ask('PUT', '/rules', {})).status).toBe(405)
    expect((await ask('GET', '/rules/a')).status).toBe(405)
    expect(JSON.parse((await ask('GET', '')).text).data.rules).toEqual([])
  })

  test('need what no token may have', () => {
    for (const path of ['', '/rules', '/rules/a', '/try', '/given-up']) {
      expect(selectPermission(`/api/alerts${path}`)).toBe('manage')
    }
    expect(selectPermission('/api/alerts/schema.json')).toBeNull()
    expect(selectPermission('/api/alerts/other')).toBeNull()
  })
})
