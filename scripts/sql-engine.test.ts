import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, it, onTestFinished } from 'vitest'
import { toPagePolicy } from '#lib/server/gate/request-policy.ts'
import config from '../next.config.mjs'

const FILES = {
  'duckdb-eh.3avnsfsi62i_6.wasm': 'module '.repeat(1000),
  'duckdb-browser-eh.worker.30m__vn50r8u0.js': 'worker '.repeat(1000),
  'Geist-s.0abc.woff2': 'font',
  'worker-client.0abc.js': 'other',
}
const ENGINE = Object.keys(FILES).filter((name) => name.startsWith('duckdb-'))

it('the build compresses the files of the SQL engine once, and only these', async () => {
  const distDir = mkdtempSync(join(tmpdir(), 'bellwether-engine-'))
  onTestFinished(() => rmSync(distDir, { recursive: true, force: true }))
  const folder = join(distDir, 'static/media')
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text)
  for (let build = 0; build < 2; build += 1) {
    await config.compiler?.runAfterProductionCompile?.({ distDir, projectDir: '.' })
    for (const [name, text] of Object.entries(FILES)) {
      const content = readFileSync(join(folder, name))
      expect(content.length < text.length, name).toBe(ENGINE.includes(name))
      expect(String(ENGINE.includes(name) ? gunzipSync(content) : content), name).toBe(text)
    }
  }
})

const RULES = (await config.headers?.()) ?? []

const selectHeader = (key: string, path: string): string[] =>
  RULES.filter(({ source }) => toPattern(source).test(path)).flatMap(({ headers }) =>
    headers.filter((header) => header.key === key).map(({ value }) => value),
  )

/** Of the forms that `next.config.mjs` uses. */
const toPattern = (source: string) =>
  new RegExp(`^${source.replace(/:path\*/g, '.*').replace(/:file/g, '')}$`)

it('compressed files are sent as such, and no others', () => {
  for (const name of Object.keys(FILES)) {
    const sent = selectHeader('Content-Encoding', `/_next/static/media/${name}`)
    expect(sent, name).toEqual(ENGINE.includes(name) ? ['gzip'] : [])
  }
})

it('only the worker of the SQL engine may compile WebAssembly', () => {
  const policies = Object.keys(FILES).map((name) => [
    name,
    selectHeader('Content-Security-Policy', `/_next/static/media/${name}`),
  ])
  expect(policies.filter(([, sent]) => sent?.length)).toEqual([
    [
      'duckdb-browser-eh.worker.30m__vn50r8u0.js',
      ["default-src 'none'; script-src 'wasm-unsafe-eval'; connect-src 'self'"],
    ],
  ])
  for (const path of ['/', '/sql', '/symbols/AAPL', '/embed/symbols/AAPL']) {
    expect(selectHeader('Content-Security-Policy', path)).toEqual([])
    expect(toPagePolicy({ path, isDev: false })).not.toMatch(/unsafe-eval/)
  }
})
