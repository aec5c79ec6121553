import { Agent, get as httpGet } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Questions } from '../crowd.ts'

export type ReadAnswers = { requests: number; longestMs: number; failures: string[] }

export type Readers = { stop(): Promise<ReadAnswers> }

const READERS = 6
const PAUSE_MS = 30
const LIMIT_MS = 30_000
const PLAIN = ['/', '/api/ratings', '/symbols', '/api/status', '/users', '/api/symbols']

export function startReaders(url: string, asked: Questions, ratings: number): Readers {
  const agent = new Agent({ keepAlive: true })
  const failures: string[] = []
  let [requests, longestMs] = [0, 0]
  let isOver = false
  const read = async (reader: number) => {
    for (let turn = reader; !isOver; turn += 1) {
      const path = turn % 2 === 0 ? asked.any() : (PLAIN[(turn >> 1) % PLAIN.length] ?? '/')
      const begun = performance.now()
      const failure = selectFailure(path, ratings, await ask(url + path, agent))
      longestMs = Math.max(longestMs, performance.now() - begun)
      requests += 1
      if (failure !== null) failures.push(`${failure}: ${path}`)
      await sleep(PAUSE_MS)
    }
  }
  const all = Promise.all(Array.from({ length: READERS }, (_, reader) => read(reader)))
  return {
    async stop() {
      isOver = true
      await all
      agent.destroy()
      return { requests, longestMs, failures }
    },
  }
}

type Answered = { status: number; body: string } | { broken: string }

const ask = (url: string, agent: Agent): Promise<Answered> =>
  new Promise((resolve) => {
    const asked = httpGet(url, { agent, timeout: LIMIT_MS }, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text
      })
      response.on('error', ({ message }) => resolve({ broken: `broke off, ${message}` }))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }))
    })
    asked.on('timeout', () => asked.destroy(new Error('no answer')))
    asked.on('error', ({ message }) => resolve({ broken: message }))
  })

function selectFailure(path: string, ratings: number, answer: Answered): string | null {
  if ('broken' in answer) return answer.broken
  const { status, body } = answer
  if (status !== 200) return `status ${status}`
  if (!path.startsWith('/api/')) return body.trimEnd().endsWith('</html>') ? null : 'half a page'
  if (path !== '/api/ratings') return null
  const { total } = (JSON.parse(body) as { page: { total: number } }).page
  return total < ratings ? `${total} ratings of ${ratings}` : null
}

export function toText({ requests, longestMs, failures }: ReadAnswers): string {
  const kinds = new Map<string, number>()
  for (const failure of failures) {
    const kind = failure.split(': ')[0] ?? failure
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  }
  const said = Array.from(kinds, ([kind, count]) => `${count} × ${kind}`)
  const why = failures.length === 0 ? '' : ` (${said.join(', ')})`
  const total = requests.toLocaleString('en-US')
  return `${failures.length} failed of ${total}${why}, longest answer ${(longestMs / 1000).toFixed(1)} s`
}
