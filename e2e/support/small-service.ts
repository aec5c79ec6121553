import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { toDateText } from '#lib/contract/instant-text.ts'
import { RATING_FIELDS, type Rating } from '#lib/contract/rating.ts'

/** Somebody else's ratings service, as small as the specification allows: a socket, a key, three addresses. */
export type SmallService = {
  url: string
  key: string
  ratings: Rating[]
  /** While it is down it answers everything with 503. */
  setDown(down: boolean): void
  /** While it refuses, it accepts no key. */
  setRefusing(refusing: boolean): void
  requests(): number
  stop(): Promise<void>
}

const PAGE_SIZE = 7
const START = 1_780_000_000

/** Its dump has one row more than it has ratings: one that is none. */
export async function startSmallService(key: string, count = 30): Promise<SmallService> {
  const ratings = Array.from({ length: count }, (_, index) => toRating(index + 1))
  const state = { down: false, refusing: false, requests: 0 }
  const server = createServer((request, response) => {
    state.requests += 1
    if (state.down) return send(response, 503, 'text/html', '<h1>Down for maintenance</h1>')
    if (state.refusing || !isKnown(request, key)) {
      return send(
        response,
        401,
        'application/json',
        JSON.stringify({ success: false, code: 401, message: `unknown key ${key}` }),
      )
    }
    answer(new URL(request.url ?? '/', 'http://small').pathname, request, { response, ratings })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/base`,
    key,
    ratings,
    setDown: (down) => {
      state.down = down
    },
    setRefusing: (refusing) => {
      state.refusing = refusing
    },
    requests: () => state.requests,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const isKnown = (request: IncomingMessage, key: string) =>
  new URL(request.url ?? '/', 'http://small').searchParams.get('api_key') === key

type Answering = { response: ServerResponse; ratings: Rating[] }

function answer(path: string, request: IncomingMessage, { response, ratings }: Answering): void {
  if (path === '/base/api/v1/posts') {
    const page = Number(new URL(request.url ?? '/', 'http://small').searchParams.get('page') ?? 1)
    const data = [...ratings].reverse().slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)
    return send(
      response,
      200,
      'application/json',
      JSON.stringify({ success: true, code: 200, data }),
    )
  }
  if (path === '/base/api/v1/posts/dumps') {
    const rows = ratings.map((rating) => RATING_FIELDS.map((name) => rating[name]).join(','))
    const broken = rows[0]?.replace(/^1,/, '9999,').replace('12.50', 'much') ?? ''
    return send(
      response,
      200,
      'text/csv',
      `${[RATING_FIELDS.join(','), ...rows, broken].join('\r\n')}\r\n`,
    )
  }
  if (path === '/base/api/v1/lookups/dumps') {
    return send(response, 200, 'text/csv', 'when,what\n2026-01-01,AAPL\n2026-01-02,"A, B"\n')
  }
  send(response, 404, 'application/json', '{"success":false,"code":404}')
}

function send(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) })
  response.end(text)
}

const toRating = (id: number): Rating => ({
  id,
  user_id: 1 + (id % 5),
  symbol: id % 3 === 0 ? 'MSFT' : 'AAPL',
  rating: 1 + (id % 5),
  rating_label: `Label ${1 + (id % 5)}`,
  action: 4,
  action_label: 'Reiterated',
  prediction: '12.50',
  tally_agree: id,
  tally_disagree: 0,
  tally_comment: 0,
  created_at: START + id * 3600,
  created_at_date: toDateText(START + id * 3600),
  expired_at: START + id * 3600 + 90 * 86_400,
  expired_at_date: toDateText(START + id * 3600 + 90 * 86_400),
})
