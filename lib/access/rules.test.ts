import { describe, expect, it } from 'vitest'
import { listAddresses } from '#testing/server/addresses.ts'
import { selectNeed } from './rules.ts'

describe('what an address asks for', () => {
  it('every address that a file answers has a rule, and whoever adds one decides who may ask', () => {
    const addresses = listAddresses()
    expect(addresses.length).toBeGreaterThan(60)
    expect(addresses.filter((path) => selectNeed(path) === null)).toEqual([])
  })

  it('is this, for each', () => {
    const lines = listAddresses().map((path) => `${selectNeed(path)} ${path}`)
    expect(lines.sort()).toMatchInlineSnapshot(`
      [
        "embed /api/compare",
        "embed /api/symbols/AAPL",
        "embed /api/symbols/AAPL/moves",
        "embed /api/symbols/AAPL/opinion",
        "embed /api/symbols/AAPL/series",
        "embed /api/users/1",
        "embed /api/users/1/calls",
        "embed /api/users/1/record",
        "embed /embed/symbols/AAPL",
        "embed /embed/users/1",
        "export /api/editions/x.png",
        "export /api/ratings.csv",
        "export /api/ratings.json",
        "export /api/ratings.ndjson",
        "export /api/ratings.parquet",
        "export /api/symbols.csv",
        "export /api/symbols.json",
        "export /api/symbols.ndjson",
        "export /api/users.csv",
        "export /api/users.json",
        "export /api/users.ndjson",
        "export /api/v1/lookups/dumps",
        "export /api/v1/posts/dumps",
        "inspect /api/access/audit.ndjson",
        "inspect /api/metrics",
        "inspect /api/quarantine",
        "inspect /api/quarantine.ndjson",
        "manage /access",
        "manage /api/access/accounts",
        "manage /api/access/accounts/ada",
        "nobody /api/access/oidc",
        "nobody /api/access/oidc/callback",
        "nobody /api/access/sign-in",
        "nobody /api/access/sign-out",
        "nobody /api/health",
        "nobody /apple-touch-icon.png",
        "nobody /favicon.ico",
        "nobody /icon-maskable.svg",
        "nobody /icon.svg",
        "nobody /link-preview.png",
        "nobody /manifest.webmanifest",
        "nobody /robots.txt",
        "nobody /sign-in",
        "read /",
        "read /about",
        "read /account",
        "read /api/access/me",
        "read /api/access/password",
        "read /api/access/sessions",
        "read /api/access/sessions/1",
        "read /api/access/tokens",
        "read /api/access/tokens/1",
        "read /api/dumps",
        "read /api/editions",
        "read /api/events",
        "read /api/facets",
        "read /api/openapi.json",
        "read /api/overview",
        "read /api/previews/symbols/x.png",
        "read /api/previews/users/x.png",
        "read /api/ratings",
        "read /api/ratings.manifest",
        "read /api/ratings/1",
        "read /api/status",
        "read /api/symbols",
        "read /api/symbols.manifest",
        "read /api/users",
        "read /api/users.manifest",
        "read /api/v1/posts",
        "read /docs",
        "read /docs/api",
        "read /docs/api/ratings",
        "read /docs/api/try",
        "read /downloads",
        "read /help",
        "read /ratings/1",
        "read /sitemap.xml",
        "read /sitemaps/x.png",
        "read /status",
        "read /symbols",
        "read /symbols/AAPL",
        "read /users",
        "read /users/1",
        "sync /api/backups",
        "sync /api/sync",
      ]
    `)
  })

  it.each([
    '/new-page',
    '/api/new',
    '/api/quarantine.csv',
    '/api/ratings/1/secret',
    '/api/metrics/x',
    '/api/access',
    '/api/access/anything',
    '/_next/data/build/index.json',
    '/_next/image',
    '/.env',
    '/API/ratings',
  ])('%s is closed until somebody opens it', (path) => {
    expect(selectNeed(path)).toBeNull()
  })
})
