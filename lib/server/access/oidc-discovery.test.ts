import { expect, test } from 'vitest'
import { NO_PROXIES } from '#lib/http/proxied-agent.ts'
import { openForwardProxy } from '#testing/forward-proxy.ts'
import { listen } from '#testing/upstream/scripted-service.ts'
import { createProviderFetch } from './oidc-discovery.ts'

const DISCOVERY = 'http://login.example/.well-known/openid-configuration'
const INIT = { body: null, headers: {}, method: 'GET', redirect: 'manual' } as const

test('asks the provider through the proxy', async () => {
  const { baseUrl, requests } = await listen((_, response) => response.end('{}'))
  const proxy = await openForwardProxy({ port: Number(baseUrl.port) })
  const fetch = createProviderFetch({ ...NO_PROXIES, httpProxy: proxy.url })
  expect((await fetch(DISCOVERY, INIT)).status).toBe(200)
  expect(requests).toEqual(['/.well-known/openid-configuration'])
  expect(proxy.requests).toEqual([`GET ${DISCOVERY}`])
})
