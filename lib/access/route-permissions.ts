import { PERMISSIONS, type Permission, type Role } from '#lib/contract/answers/access.ts'
import type { RequiredPermission } from '#lib/contract/caller.ts'
import type { Operation } from '#lib/contract/operations/operation.ts'
import { selectAddress } from '#lib/contract/operations/operations.ts'

type PageRoute = { path: RegExp; permission: RequiredPermission }

/** Pages and files. The first match decides. An unlisted address is closed: add new pages here. */
const PAGE_ROUTES: readonly PageRoute[] = [
  { path: /^\/sign-in$/, permission: 'public' },
  { path: /^\/_next\/static\//, permission: 'public' },
  {
    path: /^\/(?:favicon\.ico|icon(?:-maskable)?\.svg|apple-touch-icon\.png)$/,
    permission: 'public',
  },
  { path: /^\/(?:link-preview\.png|manifest\.webmanifest|robots\.txt)$/, permission: 'public' },
  { path: /^(?:\/api)?\/service(?:\/|$)/, permission: 'public' },

  {
    path: /^\/(?:about|account|changes|downloads|help|lookups|record|status|watching)?$/,
    permission: 'read',
  },
  { path: /^\/(?:downloads\/changes|changes\/editions)$/, permission: 'read' },
  { path: /^\/(?:ratings|symbols|users)(?:\/[^/]+)?$/, permission: 'read' },
  { path: /^\/docs(?:\/|$)/, permission: 'read' },
  { path: /^\/mcp$/, permission: 'read' },
  { path: /^\/sql$/, permission: 'export' },
  { path: /^\/embed\/(?:symbols|users)\/[^/]+$/, permission: 'embed' },
  { path: /^\/sitemap\.xml$|^\/sitemaps\/[^/]+$/, permission: 'read' },
  { path: /^\/(?:access|status\/alerts)$/, permission: 'manage' },
  {
    path: /^\/(?:access\/audit|status\/(?:backups|prices|quarantine|sync))$/,
    permission: 'inspect',
  },
]

/**
 * Operations carry their own permission. Null: the address is closed. `path`: without base path,
 * query and trailing slash.
 */
export const selectPermission = (path: string, method = 'GET'): RequiredPermission | null =>
  selectRoute(path, method).permission

type Route = {
  permission: RequiredPermission | null
  /** Null for pages and files, and for a method that the address does not take. */
  operation: Operation | null
}

/** As `selectPermission`, with the operation that has the permission. */
export function selectRoute(path: string, method = 'GET'): Route {
  const [first, ...others] = selectAddress(path)?.operations ?? []
  if (first) {
    const wanted = method === 'HEAD' ? 'GET' : method
    const operation = [first, ...others].find((one) => one.method === wanted) ?? null
    return { permission: (operation ?? first).permission, operation }
  }
  const permission = PAGE_ROUTES.find((route) => route.path.test(path))?.permission ?? null
  return { permission, operation: null }
}

export const ROLES = {
  reader: ['embed', 'feed', 'read', 'export'],
  operator: PERMISSIONS,
} as const satisfies Record<Role, readonly Permission[]>

export const isRole = (text: string): text is Role => Object.hasOwn(ROLES, text)
