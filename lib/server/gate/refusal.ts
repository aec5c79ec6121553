import 'server-only'
import { createHash } from 'node:crypto'
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import { toFailure } from '#lib/contract/answers/envelope.ts'
import { withBase, withoutBase } from '#lib/contract/base-path.ts'
import { AppError, type Fault } from '#lib/contract/faults.ts'

export const isDataAddress = (url: string): boolean => /^\/(?:api|service|mcp)(?:[/?]|$)/.test(url)

export function sendRefusal(
  error: AppError,
  { method, url = '/', headers: { accept = '' } }: IncomingMessage,
  response: ServerResponse,
  more: Record<string, string> = {},
): void {
  const { headers, body } = toRefusal(error, { url, accept })
  const wait = error.retryAfterSeconds
  if (wait !== undefined) response.setHeader('retry-after', Math.max(1, Math.ceil(wait)))
  response.writeHead(error.status, { ...headers, ...more })
  response.end(method === 'HEAD' ? undefined : body)
}

/** JSON for data, a page for browsers, text for everything else. */
function toRefusal(error: AppError, { url, accept }: { url: string; accept: string }) {
  const [type, body] = isDataAddress(url)
    ? ['application/json', JSON.stringify(toFailure(error))]
    : accept.includes('text/html')
      ? ['text/html', toPage(error)]
      : ['text/plain', `${error.message}\n`]
  const headers = {
    'content-type': `${type}; charset=utf-8`,
    'content-length': Buffer.byteLength(body),
    'content-security-policy': POLICY,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  }
  return { headers, body }
}

const OVERFLOW = new AppError(
  'headers_too_large',
  'The address and headers of this request are too large. In a browser, the cause is cookies, also those of other programs on this host: delete the cookies of this host, then reload.',
)

/**
 * A whole response to a request whose headers Node did not read. `packet`: the bytes at which it
 * stopped, which may lack the start of the request: then it counts as a browser's.
 */
export function toOverflowRefusal(packet: Buffer): string {
  const text = packet.toString('latin1')
  const [, method = 'GET', target = '/'] = /^([A-Z]+) (\S+) HTTP\//.exec(text) ?? []
  const accept = /^accept:(.*)$/im.exec(text)?.[1] ?? 'text/html'
  const { headers, body } = toRefusal(OVERFLOW, { url: withoutBase(target) ?? '/', accept })
  const { status } = OVERFLOW
  const lines = Object.entries({ ...headers, connection: 'close' })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}\r\n${method === 'HEAD' ? '' : body}`
}

const TITLES: Partial<Record<Fault, string>> = {
  unauthorized: 'Sign in first',
  forbidden: 'Not allowed',
  not_found: 'Page not found',
  not_ready: 'Not ready yet',
  busy: 'Too busy',
  internal: 'Something went wrong',
}

const STYLE = `:root{color-scheme:light dark;font:14px/1.5 system-ui,sans-serif}
body{margin:0;background:light-dark(#fafaf9,#0f1114);color:light-dark(#15181c,#e8eaed)}
header{padding:14px 24px;border-bottom:1px solid light-dark(#e5e5e2,#2a2e34);font-weight:600}
main{max-width:680px;margin:40px auto;padding:0 24px}h1{font-size:20px}
a{color:inherit;text-underline-offset:3px}`

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "frame-ancestors 'none'",
].join('; ')

/** Complete in itself: the framework may be what failed. */
function toPage({ fault, message }: AppError): string {
  const title = TITLES[fault] ?? 'This request was not accepted'
  const home = toHtmlText(withBase('/'))
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title} · Bellwether</title><style>${STYLE}</style></head>
<body><header>Bellwether</header><main><h1>${title}</h1>
<p role="alert">${toHtmlText(message)}</p><p><a href="${home}">All ratings</a></p></main></body></html>
`
}

const toHtmlText = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
