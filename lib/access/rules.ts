import type { Need } from '#lib/contract/operations/operation.ts'
import { selectAddress } from '#lib/contract/operations/operations.ts'

type Rule = { path: RegExp; need: Need }

/** The first match decides. An unlisted address is closed, so new pages must be added. */
const RULES: readonly Rule[] = [
  { path: /^\/sign-in$/, need: 'nobody' },
  { path: /^\/_next\/static\//, need: 'nobody' },
  { path: /^\/(?:favicon\.ico|icon(?:-maskable)?\.svg|apple-touch-icon\.png)$/, need: 'nobody' },
  { path: /^\/(?:link-preview\.png|manifest\.webmanifest|robots\.txt)$/, need: 'nobody' },
  { path: /^(?:\/api)?\/service(?:\/|$)/, need: 'nobody' },

  {
    path: /^\/(?:about|account|changes|downloads|help|lookups|record|status|watching)?$/,
    need: 'read',
  },
  { path: /^\/(?:downloads\/changes|changes\/editions)$/, need: 'read' },
  { path: /^\/(?:ratings|symbols|users)(?:\/[^/]+)?$/, need: 'read' },
  { path: /^\/docs(?:\/|$)/, need: 'read' },
  { path: /^\/mcp$/, need: 'read' },
  { path: /^\/sql$/, need: 'export' },
  { path: /^\/embed\/(?:symbols|users)\/[^/]+$/, need: 'embed' },
  { path: /^\/sitemap\.xml$|^\/sitemaps\/[^/]+$/, need: 'read' },
  { path: /^\/(?:access|status\/alerts)$/, need: 'manage' },
  {
    path: /^\/(?:access\/audit|status\/(?:backups|prices|quarantine|sync))$/,
    need: 'inspect',
  },
]

/** Null if closed. `path`: without query and trailing slash. */
export const selectNeed = (path: string): Need | null =>
  selectAddress(path)?.operations[0]?.permission ??
  RULES.find((rule) => rule.path.test(path))?.need ??
  null
