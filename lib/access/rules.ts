import type { Permission } from '#lib/contract/answers/access.ts'

/** What an address asks of whoever comes: a permission, or nothing. */
export type Need = Permission | 'nobody'

type Rule = { path: RegExp; need: Need }

/**
 * Every address of the process, and what it asks for. The first rule that fits decides. An address that no rule names is
 * closed to everybody: one that is added later opens when somebody writes it down here.
 */
const RULES: readonly Rule[] = [
  // What a browser needs to show the way in, and what may be known of us without it.
  { path: /^\/sign-in$/, need: 'nobody' },
  { path: /^\/api\/access\/(?:sign-in|sign-out|oidc|oidc\/callback)$/, need: 'nobody' },
  { path: /^\/_next\/static\//, need: 'nobody' },
  { path: /^\/(?:favicon\.ico|icon(?:-maskable)?\.svg|apple-touch-icon\.png)$/, need: 'nobody' },
  { path: /^\/(?:link-preview\.png|manifest\.webmanifest|robots\.txt)$/, need: 'nobody' },
  { path: /^\/api\/health$/, need: 'nobody' },
  // It has keys of its own, and says itself who has none.
  { path: /^(?:\/api)?\/service(?:\/|$)/, need: 'nobody' },

  {
    path: /^\/(?:about|account|changes|downloads|help|lookups|record|status|watching)?$/,
    need: 'read',
  },
  { path: /^\/changes\/editions$/, need: 'read' },
  { path: /^\/(?:ratings|symbols|users)(?:\/[^/]+)?$/, need: 'read' },
  { path: /^\/docs(?:\/|$)/, need: 'read' },
  { path: /^\/embed\/(?:symbols|users)\/[^/]+$/, need: 'embed' },
  { path: /^\/sitemap\.xml$|^\/sitemaps\/[^/]+$/, need: 'read' },
  { path: /^\/access$/, need: 'manage' },

  { path: /^\/api\/(?:ratings|symbols|users)(?:\.manifest)?$/, need: 'read' },
  { path: /^\/api\/(?:changes|ratings)\.(?:atom|feed\.json)$/, need: 'feed' },
  { path: /^\/api\/symbols\/[^/]+\/turns\.(?:atom|feed\.json)$/, need: 'feed' },
  { path: /^\/api\/ratings\/[^/]+$/, need: 'read' },
  { path: /^\/api\/(?:symbols|users)\/[^/]+$/, need: 'embed' },
  {
    path: /^\/api\/symbols\/[^/]+\/(?:attention|followed|moves|opinion|prices|series)$/,
    need: 'embed',
  },
  { path: /^\/api\/users\/[^/]+\/(?:calls|record|track)$/, need: 'embed' },
  { path: /^\/api\/(?:calls|calls\.manifest|record)$/, need: 'read' },
  { path: /^\/api\/lookups(?:\.manifest|\/facets)?$/, need: 'read' },
  { path: /^\/api\/editions\/differences(?:\.manifest|\/facets)?$/, need: 'read' },
  { path: /^\/api\/compare$/, need: 'embed' },
  {
    path: /^\/api\/(?:attention|changes|facets|overview|dumps|editions|status|events|watching)$/,
    need: 'read',
  },
  { path: /^\/api\/openapi\.json$/, need: 'read' },
  { path: /^\/api\/previews\/(?:symbols|users)\/[^/]+$/, need: 'read' },
  { path: /^\/api\/v1\/posts$/, need: 'read' },

  {
    path: /^\/api\/(?:calls|lookups|ratings|symbols|users)\.(?:csv|json|ndjson|parquet)$/,
    need: 'export',
  },
  { path: /^\/api\/editions\/[^/]+$/, need: 'export' },
  { path: /^\/api\/v1\/(?:posts|lookups)\/dumps$/, need: 'export' },

  { path: /^\/api\/(?:backups|sync)$/, need: 'sync' },
  { path: /^\/api\/prices\/[^/]+$/, need: 'sync' },
  // Whoever says where messages go has the process talk to whom he likes: no token may.
  { path: /^\/api\/alerts(?:\/(?:rules(?:\/[^/]+)?|try|given-up))?$/, need: 'manage' },
  { path: /^\/api\/alerts\/schema\.json$/, need: 'read' },
  { path: /^\/api\/quarantine(?:\.ndjson)?$/, need: 'inspect' },
  { path: /^\/api\/rejects\.ndjson$/, need: 'inspect' },
  { path: /^\/api\/metrics$/, need: 'inspect' },
  { path: /^\/api\/access\/audit\.ndjson$/, need: 'inspect' },

  // About oneself, and then about everybody.
  { path: /^\/api\/access\/me$/, need: 'read' },
  { path: /^\/api\/access\/(?:sessions|tokens)(?:\/[^/]+)?$/, need: 'read' },
  { path: /^\/api\/access\/password$/, need: 'read' },
  { path: /^\/api\/access\/accounts(?:\/[^/]+)?$/, need: 'manage' },
]

/** What an address asks for; null where it is closed. `path` is as it stands in the request, without query and last slash. */
export const selectNeed = (path: string): Need | null =>
  RULES.find((rule) => rule.path.test(path))?.need ?? null
