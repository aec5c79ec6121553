import 'server-only'
import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { toFailure } from '#lib/contract/answers/envelope.ts'
import { withBase } from '#lib/contract/base-path.ts'
import type { AppError, Fault } from '#lib/contract/faults.ts'

export const isDataAddress = (url: string): boolean => /^\/(?:api|service|mcp)(?:[/?]|$)/.test(url)

/** JSON for data, a page for browsers, text for everything else. */
export function sendRefusal(
  error: AppError,
  { method, url = '/', headers: { accept = '' } }: IncomingMessage,
  response: ServerResponse,
  headers: Record<string, string> = {},
): void {
  const [type, body] = isDataAddress(url)
    ? ['application/json', JSON.stringify(toFailure(error))]
    : accept.includes('text/html')
      ? ['text/html', toPage(error)]
      : ['text/plain', `${error.message}\n`]
  const wait = error.retryAfterSeconds
  if (wait !== undefined) response.setHeader('retry-after', Math.max(1, Math.ceil(wait)))
  response.writeHead(error.status, {
    'content-type': `${type}; charset=utf-8`,
    'content-length': Buffer.byteLength(body),
    'content-security-policy': POLICY,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    ...headers,
  })
  response.end(method === 'HEAD' ? undefined : body)
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
