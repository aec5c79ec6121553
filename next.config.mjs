import { rmSync } from 'node:fs'
import { join } from 'node:path'
import {
  readBasePath,
  selectBasePathProblem,
  toBuildFolder,
} from './lib/server/environment/base-path-rule.mjs'

const basePath = readBasePath(process.env)
const problem = selectBasePathProblem(basePath)
if (problem !== null) throw new Error(`BASE_PATH ${problem}`)

// The framework copies what `.env` says into the standalone folder. It is for who starts a process, and not for whoever gets the
// folder.
if (process.env.BUILD_STANDALONE === '1') {
  process.once('exit', () => {
    for (const name of ['.env', '.env.production'])
      rmSync(join(import.meta.dirname, '.next/standalone', name), { force: true })
  })
}

/** @type {import('next').NextConfig} */
export default {
  // Written into whatever the build makes (docs/decisions/069).
  basePath,
  distDir: toBuildFolder(process.env.BUILD_STANDALONE === '1' ? '' : basePath),
  // The image is the only consumer of the standalone folder; `next start` wants the ordinary build.
  output: process.env.BUILD_STANDALONE === '1' ? 'standalone' : undefined,
  typedRoutes: false,
  // `npm run check` checks types, those of tests too: a second time in every build takes as long as the build.
  typescript: { ignoreBuildErrors: true },
  poweredByHeader: false,
  // Written into the code.
  env: { BASE_PATH: basePath },
  reactStrictMode: true,
  agentRules: false,
  // `next dev` takes only localhost for itself otherwise.
  allowedDevOrigins: ['127.0.0.1'],
  images: { unoptimized: true },
  experimental: {
    // What only the server reads is neither shrunk nor mapped, and no build begins where another ended: a build from
    // nothing takes a third of the processor's time (docs/decisions/059).
    turbopackMinify: { client: true, server: false },
    turbopackSourceMaps: false,
    turbopackFileSystemCacheForBuild: false,
  },
  // Title and icon stand in the head from the first byte, for everybody: an icon that comes later is asked for twice, the
  // first time where there is none.
  htmlLimitedBots: /.*/,
  // Pages API routes would load packages from disk, `server-only` among them, without the condition that it looks for.
  bundlePagesRouterDependencies: true,
  serverExternalPackages: ['@duckdb/node-api', '@node-rs/argon2', '@resvg/resvg-js'],
  outputFileTracingExcludes: {
    '/*': ['data/**', 'bench/**', 'e2e/**', 'docs/screenshots/**'],
    // Nothing here makes pictures smaller (`images.unoptimized`): what would is 20 MB under the LGPL.
    'next-server': ['**/node_modules/sharp/**', '**/node_modules/@img/**'],
  },
  // Tracing finds DuckDB's *.node file but not the shared library that it loads, and no font that is read by its path; the
  // documents are pages of `/docs`.
  outputFileTracingIncludes: {
    '/*': [
      'node_modules/@duckdb/node-bindings-*/**/*',
      'node_modules/@resvg/resvg-js*/**/*',
      'node_modules/@node-rs/argon2*/**/*',
      'node_modules/geist/dist/fonts/geist-sans/Geist-{Regular,Medium,SemiBold}.ttf',
      'docs/**/*.md',
    ],
  },
  // Handlers that keep Content-Length and Content-Encoding live in the Pages API (docs/decisions/003): that of the service, and
  // the one of every export. Both destinations are inside this process.
  rewrites: async () => ({
    beforeFiles: [
      { source: '/service/:path*', destination: '/api/service/:path*' },
      {
        source: '/api/:file((?!openapi|rejects)[a-z]+\\.(?:csv|json|ndjson|parquet))',
        destination: '/api/exports/:file',
      },
    ],
  }),
  redirects: async () => [
    { source: '/record', destination: '/users/everyone', permanent: true },
    { source: '/changes/editions', destination: '/downloads/changes', permanent: true },
  ],
  headers: async () => [
    {
      source: '/:path*',
      headers: [
        { key: 'X-Content-Type-Options', value: 'nosniff' },
        { key: 'Referrer-Policy', value: 'no-referrer' },
        { key: 'Cross-Origin-Resource-Policy', value: 'same-origin' },
        { key: 'Cross-Origin-Opener-Policy', value: 'same-origin' },
        {
          key: 'Permissions-Policy',
          value: 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
        },
      ],
    },
    // A page may be kept by the browser of who asked for it: one that may not be stored is not kept for the way back
    // either (docs/decisions/056). What others may keep says so itself (`lib/server/pages/page-front.ts`).
    {
      source: '/((?!api(?:/|$)|service(?:/|$)|_next/|.*\\.[a-z]+$).*)',
      headers: [{ key: 'Cache-Control', value: 'private, no-cache' }],
    },
    // Answers and their pictures are nothing to search for, whatever INDEXING says of pages.
    ...['/api/:path*', '/service/:path*'].map((source) => ({
      source,
      headers: [{ key: 'X-Robots-Tag', value: 'noindex' }],
    })),
    // Older than `frame-ancestors` and without exceptions of its own: left out where others may frame us.
    {
      source: '/((?!embed/).*)',
      headers: [{ key: 'X-Frame-Options', value: 'DENY' }],
    },
  ],
}
