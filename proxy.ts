import { type NextRequest, NextResponse } from 'next/server'
import { parseTheme } from './components/ui/theme.ts'
import { processEnv } from './lib/server/environment/env.ts'
import {
  EMBED_THEME,
  isEmbedPath,
  PAGE_PATH,
  toPagePolicy,
} from './lib/server/gate/request-policy.ts'
import { toRobots } from './lib/server/pages/indexing.ts'

const isDev = process.env.NODE_ENV === 'development'

export function proxy(request: NextRequest) {
  const parsed = processEnv()
  const { isIndexed, publicUrl } = parsed.ok ? parsed.env : { isIndexed: false, publicUrl: null }
  const { pathname: path, searchParams } = request.nextUrl
  if (path === '/robots.txt' && isIndexed && publicUrl) {
    return new NextResponse(toRobots(publicUrl), {
      headers: { 'content-type': 'text/plain; charset=utf-8' },
    })
  }
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('base64')
  const policy = toPagePolicy({ nonce, path, isDev })
  const headers = new Headers(request.headers)
  headers.set('x-nonce', nonce)
  headers.set('Content-Security-Policy', policy)
  // Layouts cannot read the query. Clients must not set this header.
  headers.delete(EMBED_THEME)
  if (isEmbedPath(path)) headers.set(EMBED_THEME, parseTheme(searchParams.get('theme')))
  headers.set(PAGE_PATH, path)
  const response = NextResponse.next({ request: { headers } })
  response.headers.set('Content-Security-Policy', policy)
  if (!isIndexed || isEmbedPath(path)) response.headers.set('X-Robots-Tag', 'noindex')
  return response
}

// Excludes static files, but not `robots.txt`, which depends on INDEXING.
export const config = {
  matcher: [
    '/((?!api(?:/|$)|service(?:/|$)|mcp$|_next/static/|favicon\\.ico$|icon(?:-maskable)?\\.svg$|apple-touch-icon\\.png$|link-preview\\.png$|manifest\\.webmanifest$).*)',
  ],
}
