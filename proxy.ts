import { type NextRequest, NextResponse } from 'next/server'
import { isAllowedHost } from '#lib/server/allowed-hosts.ts'
import { processEnv } from '#lib/server/process-env.ts'

const isDev = process.env.NODE_ENV === 'development'

/** Pages: the host checked, and a Content-Security-Policy with a nonce of this one request. */
export function proxy(request: NextRequest) {
  const parsed = processEnv()
  if (!parsed.ok || !isAllowedHost(parsed.env.allowedHosts, request.headers.get('host'))) {
    return new NextResponse('This dashboard is not served under that host name.', { status: 421 })
  }
  const nonce = Buffer.from(crypto.randomUUID()).toString('base64')
  const policy = toPolicy(nonce)
  const headers = new Headers(request.headers)
  headers.set('x-nonce', nonce)
  headers.set('Content-Security-Policy', policy)
  const response = NextResponse.next({ request: { headers } })
  response.headers.set('Content-Security-Policy', policy)
  return response
}

function toPolicy(nonce: string): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${isDev ? " 'unsafe-eval'" : ''}`,
    `style-src 'self' ${isDev ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    `connect-src 'self'${isDev ? ' ws:' : ''}`,
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

export const config = { matcher: ['/((?!api(?:/|$)|service(?:/|$)|_next/static/|icon.svg$).*)'] }
