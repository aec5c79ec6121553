import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { ROUTES } from '#lib/api/routes.ts'
import { ENV_NAMES, parseEnv } from '#lib/server/env.ts'

const read = (path: string) => readFileSync(path, 'utf8')

/** The first capture of every match, sorted, each once. */
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

it('every route of the API has a heading in docs/api.md, and no heading lacks its route', () => {
  const headings = selectAll(read('docs/api.md'), /^### (?:GET|POST) (\/api\/\S+)$/gm)
  expect(headings).toEqual([...new Set(ROUTES)].sort())
})
