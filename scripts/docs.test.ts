import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { ENV_NAMES, parseEnv } from '#lib/server/environment/env.ts'
import config from '../next.config.mjs'

const read = (path: string) => readFileSync(path, 'utf8')

const selectAll = (text: string, pattern: RegExp) =>
  [...new Set(Array.from(text.matchAll(pattern), (match) => match[1] ?? ''))].sort()

const example = read('.env.example')

it('every environment variable is in .env.example and in its table, and none that does not exist', () => {
  const names = [...ENV_NAMES].sort()
  expect(selectAll(example, /^([A-Z_]+)=/gm)).toEqual(names)
  expect(selectAll(read('docs/configuration.md'), /^\| `([A-Z_]+)` +\|/gm)).toEqual(names)
})

it('the values of .env.example, and the defaults of the table, are what an empty environment means', () => {
  const pairs = (text: string, pattern: RegExp) =>
    Object.fromEntries(Array.from(text.matchAll(pattern), ([, name, value]) => [name, value]))
  const nothing = parseEnv({})
  expect(parseEnv(pairs(example, /^([A-Z_]+)=(.*)$/gm))).toEqual(nothing)
  const table = pairs(read('docs/configuration.md'), /^\| `([A-Z_]+)` +\| `([^`]+)` +\|/gm)
  expect(parseEnv(table)).toEqual(nothing)
})

const TEXTS = [
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
  'README.md',
  'AGENTS.md',
  'CONTRIBUTING.md',
]

const toAnchors = (path: string) =>
  Array.from(read(path).matchAll(/^#+ (.+)$/gm), ([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-'),
  )

it('every link of a text to another leads to its file, and to a heading of it', () => {
  const links = TEXTS.flatMap((text) =>
    selectAll(read(text), /\]\(([^):]+)\)/g).map((link) => ({ text, link })),
  )
  const broken = links.filter(({ text, link }) => {
    const [file = '', anchor] = link.split('#')
    // An address of the dashboard.
    if (file.startsWith('/')) return false
    const target = file === '' ? text : join(dirname(text), file)
    return !existsSync(target) || (anchor !== undefined && !toAnchors(target).includes(anchor))
  })
  expect(links.length).toBeGreaterThan(100)
  expect(broken).toEqual([])
})

const OURS = /`((?:app|bench|components|docs|e2e|lib|pages|public|scripts|soak|testing)\/[^`\s]+)`/g
/** Patterns, and files made by a run. */
const NO_FILES = /[*{<…]|NNN|^bench\/results/

it('every file and folder that the docs name is there', () => {
  const named = TEXTS.flatMap((text) => selectAll(read(text), OURS).map((path) => ({ text, path })))
  const files = named.filter(({ path }) => !NO_FILES.test(path))
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter(({ path }) => !existsSync(path))).toEqual([])
})

it('the old address of a document leads to the document, and the heading, that has its text now', async () => {
  const moved = ((await config.redirects?.()) ?? []).filter(
    ({ source }) => source.startsWith('/docs/') && !source.includes(':'),
  )
  expect(moved.map(({ source }) => source)).toContain('/docs/opinion')
  for (const { source, destination, permanent } of moved) {
    const [path = '', anchor] = destination.slice(1).split('#')
    const isThere = path === 'docs' || existsSync(`${path}.md`)
    expect([existsSync(`${source.slice(1)}.md`), isThere, permanent], source).toEqual([
      false,
      true,
      true,
    ])
    if (anchor !== undefined) expect(toAnchors(`${path}.md`), destination).toContain(anchor)
  }
})
