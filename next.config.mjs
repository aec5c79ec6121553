import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import {
  readBasePath,
  selectBasePathProblem,
  toBuildFolder,
} from './lib/server/environment/base-path-rule.mjs'

const basePath = readBasePath(process.env)
const problem = selectBasePathProblem(basePath)
if (problem !== null) throw new Error(`BASE_PATH ${problem}`)

// Next.js copies `.env` into the standalone folder, and thereby into the image.
if (process.env.BUILD_STANDALONE === '1') {
  process.once('exit', () => {
    for (const name of ['.env', '.env.production'])
      rmSync(join(import.meta.dirname, '.next/standalone', name), { force: true })
  })
}

/** The SQL engine, as the bundler names its files: 34 MB, 7.7 MB compressed. */
const ENGINE_FILE = /^duckdb-.+\.(?:wasm|js)$/
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b])

/** In place, so that the package and the image hold the engine only once. */
async function compressEngine({ distDir }) {
  const folder = join(distDir, 'static/media')
  for (const name of readdirSync(folder).filter((file) => ENGINE_FILE.test(file))) {
    const content = readFileSync(join(folder, name))
    if (content.subarray(0, 2).equals(GZIP_MAGIC)) continue
    writeFileSync(join(folder, name), gzipSync(content, { level: 9 }))
  }
}

/** Documents for contributors, which are no longer served. */
const CONTRIBUTORS_DOCS = ['architecture', 'asvs', 'faults', 'figures', 'threats', 'tour']

/** Documents that are now a part of a different one, and where that is. */
const MERGED_DOCS = {
  'filter-text': 'table#filter-text',
  watching: 'alerts#watching',
  feeds: 'alerts#feeds',
  opinion: 'definitions',
  records: 'prices',
  lookups: 'files#look-ups',
  changes: 'charts#the-report',
  embedding: 'charts#embedding',
  sync: 'operations#the-sync',
}

/** @type {import('next').NextConfig} */
export default {
  // See docs/decisions/29.
  basePath,
  distDir: toBuildFolder(process.env.BUILD_STANDALONE === '1' ? '' : basePath),
  // `next start` needs the ordinary build.
  output: process.env.BUILD_STANDALONE === '1' ? 'standalone' : undefined,
  typedRoutes: false,
  // `npm run check` checks types. Repeating it doubles the build time.
  typescript: { ignoreBuildErrors: true },
  compiler: { runAfterProductionCompile: compressEngine },
  poweredByHeader: false,
  env: { BASE_PATH: basePath },
  reactStrictMode: true,
  agentRules: false,
  // By default `next dev` accepts only localhost.
  allowedDevOrigins: ['127.0.0.1'],
  images: { unoptimized: true },
  experimental: {
    // `forbidden()`.
    authInterrupts: true,
    // A clean build takes 51 instead of 132 s of processor time (docs/decisions/29).
    turbopackMinify: { client: true, server: false },
    turbopackSourceMaps: false,
    // Fewer, larger chunks compress better: 212 instead of 216 KiB on `/`, 449 instead of 486 in all.
    turbopackChunking: { minChunkSize: 100_000 },
    turbopackFileSystemCacheForBuild: false,
  },
  // Puts metadata first for every user agent: an icon that streams in is requested twice.
  htmlLimitedBots: /.*/,
  // Otherwise Pages API routes load `server-only` without the `react-server` condition.
  bundlePagesRouterDependencies: true,
  serverExternalPackages: ['@duckdb/node-api', '@node-rs/argon2'],
  outputFileTracingExcludes: {
    '/*': ['data/**', 'bench/**', 'e2e/**', 'docs/*/**'],
    // Unused because of `images.unoptimized`: 20 MB under the LGPL.
    'next-server': ['**/node_modules/sharp/**', '**/node_modules/@img/**'],
  },
  // Tracing misses DuckDB's shared library and the documents of `/docs`.
  outputFileTracingIncludes: {
    '/*': [
      'node_modules/@duckdb/node-bindings-*/**/*',
      'node_modules/@node-rs/argon2*/**/*',
      'docs/*.md',
    ],
  },
  // Responses with Content-Length or Content-Encoding need the Pages API (docs/decisions/15).
  rewrites: async () => ({
    beforeFiles: [
      { source: '/service/:path*', destination: '/api/service/:path*' },
      {
        source: '/api/:file((?!openapi)[a-z]+\\.(?:csv|json|ndjson|parquet|duckdb))',
        destination: '/api/exports/:file',
      },
    ],
  }),
  redirects: async () => [
    { source: '/record', destination: '/users/everyone', permanent: true },
    { source: '/changes/editions', destination: '/changes', permanent: true },
    { source: '/downloads/changes', destination: '/changes', permanent: true },
    { source: '/embed/users/:id', destination: '/users/:id', permanent: true },
    { source: '/docs/decisions/:path*', destination: '/docs', permanent: true },
    ...CONTRIBUTORS_DOCS.map((name) => ({
      source: `/docs/${name}`,
      destination: '/docs',
      permanent: true,
    })),
    ...Object.entries(MERGED_DOCS).map(([name, target]) => ({
      source: `/docs/${name}`,
      destination: `/docs/${target}`,
      permanent: true,
    })),
  ],
  headers: async () => [
    {
      source: '/:path*',
      headers: [
        { key: 'X-Content-Type-Options', value: 'nosniff' },
        { key: 'Cross-Origin-Resource-Policy', value: 'same-origin' },
        { key: 'Cross-Origin-Opener-Policy', value: 'same-origin' },
        {
          key: 'Permissions-Policy',
          value: 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
        },
      ],
    },
    // Not `no-store`, which disables the back/forward cache.
    {
      source: '/((?!api(?:/|$)|service(?:/|$)|_next/|.*\\.[a-z]+$).*)',
      headers: [{ key: 'Cache-Control', value: 'private, no-cache' }],
    },
    ...['/api/:path*', '/service/:path*'].map((source) => ({
      source,
      headers: [{ key: 'X-Robots-Tag', value: 'noindex' }],
    })),
    // `compressEngine` writes the files that have this header; `next dev` serves them as they are.
    ...(process.env.NODE_ENV === 'development'
      ? []
      : [
          {
            source: '/_next/static/media/:file(duckdb-.+\\.(?:wasm|js))',
            headers: [{ key: 'Content-Encoding', value: 'gzip' }],
          },
        ]),
    // A worker has a policy of its own: only this one may compile WebAssembly (docs/decisions/24).
    {
      source: '/_next/static/media/:file(duckdb-browser-eh\\.worker\\..*\\.js)',
      headers: [
        {
          key: 'Content-Security-Policy',
          value: "default-src 'none'; script-src 'wasm-unsafe-eval'; connect-src 'self'",
        },
      ],
    },
    {
      source: '/((?!embed/).*)',
      headers: [
        // Not `no-referrer`, which makes the `Origin` of a form `null`: without `Sec-Fetch-Site`,
        // as over plain http, nothing else says that it is ours. On every page, because the policy
        // of the page that was loaded first stays.
        { key: 'Referrer-Policy', value: 'same-origin' },
        // Omitted for embeds: it cannot name exceptions, unlike `frame-ancestors`.
        { key: 'X-Frame-Options', value: 'DENY' },
      ],
    },
    // Their address may hold a token.
    { source: '/embed/:path+', headers: [{ key: 'Referrer-Policy', value: 'no-referrer' }] },
  ],
}
