import { createRandom } from '#lib/statistics/random.ts'

/** One character is one byte. */
export type OddRequest = {
  method: string
  target: string
  headers: readonly (readonly [name: string, value: string])[]
  body: string
  /** `short` promises more bytes than it sends, `long` fewer. */
  length: 'right' | 'short' | 'long' | 'chunked' | 'nonsense'
}

export type OddWorld = {
  addresses: readonly string[]
  shown: readonly (readonly [name: string, value: string])[]
  secrets: readonly string[]
}

type Dice = {
  chance: (share: number) => boolean
  /** 0 ≤ n < `below`. */
  number: (below: number) => number
  pick: <T>(list: readonly T[]) => T
}

const toBytes = (text: string) => Buffer.from(text, 'utf8').toString('latin1')

const METHODS = ['GET', 'GET', 'GET', 'GET', 'GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
const ODD_METHODS = [
  ...['OPTIONS', 'TRACE', 'CONNECT', 'PROPFIND', 'PURGE', 'QUERY', 'SEARCH', 'M-SEARCH', 'BREW'],
  ...['get', 'GET\t', '', 'G'.repeat(300), '__proto__', 'PRI'],
]

const PIECES = [
  ...['/./', '/../', '//', '\\', '/..;/', '/%2e%2e/', '/.%2e/', '/%2f', '%5c', '%252e%252e%252f'],
  ...['%00', '%0a', '%0d%0aX-Injected:%201', '%c0%af', '%ff', '%', '%zz', '%u0041', '%E2%80%AE'],
  ...['.', '..', '...', '%20', '+', ';', ';jsessionid=1', '%3f', '%23', '#', '@', ':', '*', '~'],
  "'",
  ...['.css', '.js', '.json', '.rsc', '.txt', '.png', '.map', '/x.css', '/x.js', '/index.html'],
  ...['/__proto__', '/constructor', '/toString', '/-1', '/0', '/NaN', '/1e309'],
  '/99999999999999999999',
  ...['\x01', '\x7f', toBytes('é'), toBytes('☃'), toBytes('🔔'), toBytes('\u202e'), '\xff\xfe'],
]

const PREFIXES = [
  ...['/', '//', '///', '/\\', '\\', '/.', '/..', '/%2e', '//evil.example/', '/\\evil.example/'],
  ...['http://evil.example', 'https://evil.example', 'http:', 'file://', 'javascript:', '*', ''],
]

const PARAMETERS = [
  ...['page', 'per_page', 'sort', 'q', 'rating', 'symbol', 'user', 'action', 'as_of', 'from', 'to'],
  ...['open', 'next', 'why', 'probe', 'columns', 'symbols', 'theme', '_rsc', 'api_key', 'state'],
  'code',
  ...['__proto__', '__proto__[x]', 'constructor', 'toString', 'hasOwnProperty', '', 'q[]', 'q[x]'],
  'x',
]

const VALUES = [
  ...['', '0', '1', '-1', '1.5', '1e309', 'NaN', 'Infinity', '9'.repeat(40), '0x10', 'true'],
  'null',
  ...['AAPL', 'a,b,c', ',,,', '-symbol', 'created_at', '2026-01-01', '-271821-04-21'],
  '+999999-01-01',
  ...["' OR 1=1 --", '"', '`', '$(id)', '{{7*7}}', '<script>', '{"version":1', '[]', '{}'],
  '../../x',
  ...['\u0000', '\r\nX-Injected: 1', '\u202e', '☃', '🔔'.repeat(40), 'a'.repeat(3000), '(', '[a-'],
  '\\',
  ...['rating:5', 'rating:', 'user:"', 'symbol:AAPL -symbol:AAPL', '//evil.example'],
  'javascript:x',
]

const NAMES_OF_HEADERS: Readonly<Record<string, readonly string[]>> = {
  authorization: ['Bearer', 'Bearer  ', 'Basic YTpi', 'Bearer a b', 'bearer ☃', 'Digest x="'],
  cookie: [
    ...['=', ';', ';;;=;', 'a', 'table=%', 'table={"version":1}', 'table=%7B%22version%22%3A'],
    '__proto__=1',
    ...['bellwether-session=x; bellwether-session=y', `bellwether-session=${'A'.repeat(43)}`],
    ...[
      '__Host-bellwether-session=x',
      'bellwether-oidc=x',
      `x=${'y'.repeat(9000)}`,
      'a=\x01',
      'theme="',
    ],
  ],
  range: [
    ...['bytes=0-', 'bytes=5-2', 'bytes=-1', 'bytes=0-0,1-1,2-2', 'bytes=99999999-', 'items=0-1'],
    'bytes',
  ],
  'if-range': ['"x"', 'W/"x"', 'Mon'],
  'if-none-match': ['*', '"x"', 'W/"x"', ',,,', '"', 'x'.repeat(2000)],
  'if-match': ['*', '"x"'],
  'if-modified-since': ['0', 'Thu, 01 Jan 1970 00:00:00 GMT', 'x'],
  accept: ['*/*', 'text/html', 'application/json;q=x', 'text/x-component', ';', 'a/b;q=1e9'],
  'accept-encoding': [
    ...['gzip', 'gzip;q=0', 'br, zstd', 'identity;q=0', '*;q=0', 'gzip;;;', 'gzip, '.repeat(200)],
  ],
  'accept-language': [
    ...['de', 'x-klingon', '*', 'en-US-u-nu-latn', 'und-Cyrl', 'de;q=9', 'a'.repeat(900), '-'],
  ],
  'x-forwarded-for': [
    ...['127.0.0.1', '1.2.3.4, 5.6.7.8', '::1', 'unknown', '" onclick=', ','.repeat(300), '0x7f.1'],
  ],
  'x-forwarded-proto': ['https', 'http', 'https,http', 'javascript', ''],
  'x-forwarded-host': ['evil.example', '127.0.0.1', '"'],
  'x-forwarded-port': ['0', '99999', 'x'],
  forwarded: ['for=127.0.0.1;proto=https', '"'],
  'x-may': ['read export sync inspect manage', 'manage', '__proto__'],
  'x-caller': [
    encodeURIComponent(
      '{"name":"ada","permissions":["read","manage"],"via":{"kind":"open","id":""}}',
    ),
    ...['%', '{', 'null'],
  ],
  'x-client': ['127.0.0.1', 'x'],
  'remote-user': ['ada'],
  'remote-groups': ['ratings-operators'],
  'x-middleware-subrequest': ['proxy', 'proxy:proxy:proxy:proxy:proxy', 'src/middleware'],
  'x-middleware-override-headers': ['x-caller', 'cookie'],
  'x-middleware-rewrite': ['/api/metrics', 'http://evil.example/'],
  'x-invoke-path': ['/access', '/api/metrics'],
  'x-invoke-status': ['500'],
  'x-matched-path': ['/access', '/api/metrics'],
  'x-rewrite-url': ['/api/metrics'],
  'x-original-url': ['/api/metrics'],
  'x-http-method-override': ['DELETE'],
  'x-nextjs-data': ['1'],
  'x-now-route-matches': ['1=x'],
  'x-prerender-revalidate': ['x'],
  'x-page-path': ['/access'],
  'x-request-id': ['x', '../../etc', 'good-request-id', '\x7f'],
  rsc: ['1', 'x', ''],
  'next-router-state-tree': ['%5B%22%22%5D', '[', '%', '"x"'],
  'next-router-prefetch': ['1', '2', 'x'],
  'next-router-segment-prefetch': ['/_tree', '/../x', '%'],
  'next-url': ['/access', '//evil.example', '%'],
  'next-action': ['x', '0'.repeat(42), '__proto__'],
  origin: ['null', 'https://evil.example', 'x'],
  referer: ['https://evil.example/', '\x01'],
  'sec-fetch-site': ['same-origin', 'cross-site', 'none', 'x'],
  'sec-fetch-mode': ['navigate', 'cors', 'x'],
  'content-type': [
    ...['text/plain', 'application/json; charset=x', 'multipart/form-data'],
    ...['multipart/form-data; boundary=', ';'],
  ],
  'content-encoding': ['gzip', 'br', 'x'],
  expect: ['100-continue', 'x'],
  upgrade: ['websocket', 'h2c', 'x'],
  te: ['trailers'],
  host: ['evil.example', '', '127.0.0.1:1', '[::1]', 'a b', '127.0.0.1@evil.example'],
  purpose: ['prefetch'],
  'user-agent': ['', 'x'.repeat(3000), '\x01\x02', toBytes('🔔'), 'Mobi'],
  ['__proto__']: ['x'],
  constructor: ['x'],
}
const HEADERS = Object.entries(NAMES_OF_HEADERS)

const FIELDS = [
  ...['name', 'password', 'next', 'current', 'label', 'scopes', 'days', 'role', 'is_locked'],
]

const ACCESS = '/api/access'

export function createOddRequests(seed: number) {
  const random = createRandom(seed)
  const dice: Dice = {
    chance: (share) => random() < share,
    number: (below) => Math.floor(random() * below),
    pick: (list) => list[Math.floor(random() * list.length)] as (typeof list)[number],
  }
  return (world: OddWorld): OddRequest => {
    const { chance, pick } = dice
    const address = pick(
      chance(0.25) ? world.addresses.filter((one) => one.startsWith(ACCESS)) : world.addresses,
    )
    const takesBody = address.startsWith(ACCESS) && chance(0.7)
    const method = chance(0.06)
      ? pick(ODD_METHODS)
      : pick(takesBody ? METHODS.filter((one) => !/GET|HEAD/.test(one)) : METHODS)
    const body = takesBody || chance(0.03) ? toBody(dice, world.secrets) : null
    const odd = Array.from({ length: chance(0.6) ? 1 + dice.number(4) : 0 }, () => {
      const [name, values] = pick(HEADERS)
      return [chance(0.1) ? name.toUpperCase() : name, toBytes(pick(values))] as const
    })
    return {
      method,
      target: toTarget(dice, address),
      headers: [...world.shown, ...(body ? [['content-type', body.type] as const] : []), ...odd],
      body: body?.text ?? '',
      length: body && chance(0.15) ? pick(['short', 'long', 'chunked', 'nonsense']) : 'right',
    }
  }
}

function toTarget(dice: Dice, address: string): string {
  const { chance, number } = dice
  let path = address
  const times = chance(0.55) ? 0 : 1 + number(3)
  for (let time = 0; time < times; time += 1) path = mutate(dice, path)
  if (chance(0.55)) return path
  const count = chance(0.02) ? 150 + number(150) : 1 + number(4)
  return `${path}?${Array.from({ length: count }, () => toParameter(dice)).join('&')}`
}

function mutate({ chance, number, pick }: Dice, path: string): string {
  const at = number(path.length + 1)
  const [before, after] = [path.slice(0, at), path.slice(at)]
  const encode = (text: string) =>
    `%${(text.charCodeAt(0) || 47).toString(16).padStart(2, '0').slice(-2)}`
  return pick([
    () => before + pick(PIECES) + after,
    () => path + pick(PIECES),
    () => pick(PREFIXES) + path,
    () => before + encode(after) + after.slice(1),
    () => before + encode(after).replace('%', '%25') + after.slice(1),
    () => (chance(0.5) ? path.toUpperCase() : before + after.toUpperCase()),
    () => `${path}/`,
    () => before,
    () => `${path}/${'a'.repeat(chance(0.1) ? 20_000 : 500)}`,
    () => path.split('/').join(pick(['//', '/./', '%2f', '\\'])),
    () => `${path}/../${pick(['api/metrics', 'access', 'api/health', 'sign-in'])}`,
    () => `/sign-in/..${path}`,
    () => `/_next/static/..${chance(0.5) ? '%2f..' : '/..'}${path}`,
  ])()
}

function toParameter({ chance, pick }: Dice): string {
  const [name, value] = [pick(PARAMETERS), pick(VALUES)]
  if (chance(0.05)) return `${name}=${toBytes(value).replaceAll(/[\s#]/g, '')}`
  return `${chance(0.5) ? name : encodeURIComponent(name)}=${encodeURIComponent(value)}`
}

function toBody(dice: Dice, secrets: readonly string[]): { type: string; text: string } {
  const { chance, number, pick } = dice
  const fields = Array.from({ length: 1 + number(5) }, () => {
    const value = chance(0.2)
      ? pick(secrets)
      : pick([...VALUES, 'reader', 'bob', 30, true, null, ['read']])
    return [chance(0.8) ? pick(FIELDS) : pick(PARAMETERS), value] as const
  })
  const form = new URLSearchParams(fields.map(([name, value]) => [name, String(value)]))
  const json = JSON.stringify(Object.fromEntries(fields))
  return pick([
    () => ({ type: 'application/x-www-form-urlencoded', text: form.toString() }),
    () => ({ type: 'application/json', text: toBytes(json) }),
    () => ({
      type: 'application/json',
      text: pick([json.slice(0, number(json.length)), '', 'null', '[]', '1']),
    }),
    () => ({
      type: 'application/json',
      text: `{"__proto__":${json.replaceAll(/[^\x20-\x7e]/g, '')}}`,
    }),
    () => ({ type: 'application/json', text: '['.repeat(10_000) }),
    () => ({ type: 'application/json', text: `"${'a'.repeat(70_000)}"` }),
    () => ({
      type: 'multipart/form-data; boundary=x',
      text: '--x\r\ncontent-disposition: form-data; name="name"\r\n\r\nada\r\n--x--',
    }),
    () => ({ type: pick(['', 'x', 'text/plain']), text: json.replaceAll(/[^\x20-\x7e]/g, '') }),
    () => ({ type: 'application/x-www-form-urlencoded', text: '\x00\xff%%%&&&===' }),
  ])()
}
