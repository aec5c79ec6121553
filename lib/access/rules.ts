import type { Need } from '#lib/contract/operations/operation.ts'
import { selectAddress } from '#lib/contract/operations/operations.ts'

type Rule = { path: RegExp; need: Need }

/**
 * The addresses outside the API. The first rule that matches decides. An address without a rule is closed to everybody, so a new
 * page opens only when it is listed here.
 */
const RULES: readonly Rule[] = [
  // What a browser needs to show the way in, and what may be known of us without it.
  { path: /^\/sign-in$/, need: 'nobody' },
  { path: /^\/_next\/static\//, need: 'nobody' },
  { path: /^\/(?:favicon\.ico|icon(?:-maskable)?\.svg|apple-touch-icon\.png)$/, need: 'nobody' },
  { path: /^\/(?:link-preview\.png|manifest\.webmanifest|robots\.txt)$/, need: 'nobody' },
  // It has keys of its own, and says itself who has none.
  { path: /^(?:\/api)?\/service(?:\/|$)/, need: 'nobody' },

  {
    path: /^\/(?:about|account|changes|downloads|help|lookups|record|status|watching)?$/,
    need: 'read',
  },
  { path: /^\/(?:downloads\/changes|changes\/editions)$/, need: 'read' },
  { path: /^\/(?:ratings|symbols|users)(?:\/[^/]+)?$/, need: 'read' },
  { path: /^\/docs(?:\/|$)/, need: 'read' },
  { path: /^\/embed\/(?:symbols|users)\/[^/]+$/, need: 'embed' },
  { path: /^\/sitemap\.xml$|^\/sitemaps\/[^/]+$/, need: 'read' },
  { path: /^\/access$/, need: 'manage' },
  { path: /^\/(?:access\/audit|status\/quarantine)$/, need: 'inspect' },
]

/**
 * The permission that a request needs; null where the address is closed. `path` is as requested, without query and trailing slash.
 * Operations of the API state their own.
 */
export const selectNeed = (path: string): Need | null =>
  selectAddress(path)?.operations[0]?.permission ??
  RULES.find((rule) => rule.path.test(path))?.need ??
  null
