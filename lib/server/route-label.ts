import 'server-only'
import { ROUTES } from '#lib/api/routes.ts'

/** `/api/symbols/{symbol}` → every path of that form. */
const toPattern = (route: string) =>
  new RegExp(`^${route.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`)

const PATTERNS = ROUTES.map((route) => ({ route, pattern: toPattern(route) }))

/** What a request is counted as: few words, whatever addresses are made up. */
export function toRouteLabel(url: string | undefined): string {
  const path = (url ?? '/').split('?')[0] ?? '/'
  if (path.startsWith('/api/')) {
    return PATTERNS.find(({ pattern }) => pattern.test(path))?.route ?? '/api/*'
  }
  if (path.startsWith('/service/')) return '/service/*'
  if (path.startsWith('/_next/')) return '/_next/*'
  return 'page'
}
