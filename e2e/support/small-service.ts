import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { toDateText } from '#lib/contract/instant-text.ts'
import type { Rating } from '#lib/contract/rating.ts'
import { RATING_FIELDS } from '#lib/contract/rating-fields.ts'

/** Somebody else's ratings service, as small as the specification allows: a socket, a key, three addresses. */
export type SmallService = {
  url: string
  key: string
  ratings: Rating[]
  /** While it is down it answers everything with 503. */
  setDown(down: boolean): void
  /** While it refuses, it accepts no key. */
  setRefusing(refusing: boolean): void
  /** From now on dumps wait half way until they are released. */
  holdDumps(): { release(): void }
  requests(): number
  dumpRequests(): number
  stop(): Promise<void>
}

const PAGE_SIZE = 7
const START = 1_780_000_000
const LOOKUPS = 'when,what\n2026-01-01,AAPL\n2026-01-02,"A, B"\n'

/** Its dump has one row more than it has ratings: one that is none. */
export async function startSmallService(key: string, count = 30): Promise<SmallService> {
  const ratings = Array.from({ length: count }, (_, index) => toRating(index + 1))
  const state = { down: false, refusing: false, requests: 0, dumps: 0, held: Promise.resolve() }
  const choose = (address: URL): Answer => {
    if (state.down) return { status: 503, type: 'text/html', text: '<h1>Down for maintenance</h1>' }
    if (state.refusing || address.searchParams.get('api_key') !== key) {
      return toJson(401, { success: false, code: 401, message: `unknown key ${key}` })
    }
    return toAnswer(address, ratings)
  }
  const server = createServer((request, response) => {
    const answer = choose(new URL(request.url ?? '/', 'http://small'))
    state.requests += 1
    if (answer.isDump) state.dumps += 1
    void send(response, answer, state.held)
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
    holdDumps: () => {
      let release = () => {}
      state.held = new Promise<void>((resolve) => {
        release = resolve
      })
      return { release }
    },
    requests: () => state.requests,
    dumpRequests: () => state.dumps,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

type Answer = { status: number; type: string; text: string; isDump?: boolean }

function toAnswer(address: URL, ratings: readonly Rating[]): Answer {
  if (address.pathname === '/base/api/v1/posts') {
    const page = Number(address.searchParams.get('page') ?? 1)
    const data = [...ratings].reverse().slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)
    return toJson(200, { success: true, code: 200, data })
  }
  if (address.pathname === '/base/api/v1/posts/dumps') {
    return { status: 200, type: 'text/csv', text: toDump(ratings), isDump: true }
  }
  if (address.pathname === '/base/api/v1/lookups/dumps') {
    return { status: 200, type: 'text/csv', text: LOOKUPS, isDump: true }
  }
  return toJson(404, { success: false, code: 404 })
}

const toJson = (status: number, body: object): Answer => ({
  status,
  type: 'application/json',
  text: JSON.stringify(body),
})

/** The last row is the first again under another number, with a prediction that is no decimal. */
function toDump(ratings: readonly Rating[]): string {
  const rows = ratings.map((rating) => RATING_FIELDS.map((name) => rating[name]).join(','))
  const broken = rows[0]?.replace(/^1,/, '9999,').replace('12.50', 'much') ?? ''
  return `${[RATING_FIELDS.join(','), ...rows, broken].join('\r\n')}\r\n`
}

async function send(response: ServerResponse, answer: Answer, held: Promise<void>) {
  const { status, type, text, isDump = false } = answer
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) })
  if (isDump) {
    response.write(text.slice(0, text.length / 2))
    await held
  }
  response.end(isDump ? text.slice(text.length / 2) : text)
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
