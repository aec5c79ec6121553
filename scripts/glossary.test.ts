import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { listSources, ROOMS, selectTexts } from './texts.ts'

const retired = Array.from(
  readFileSync('docs/glossary.md', 'utf8').matchAll(
    /^\| (?!word)[a-z]+ +\| [^|]+ +\| ([^|]+?) +\|$/gm,
  ),
  ([, words = '']) => words.split(', '),
).flat()

const sources = listSources(['components', 'app'])

const word = new RegExp(`\\b(${retired.join('|')})\\b`, 'i')

it('no text of the dashboard has a word that the glossary rules out', () => {
  expect(retired.length).toBeGreaterThan(15)
  const found = sources.flatMap((path) =>
    selectTexts(path).flatMap(({ line, text }) =>
      word.test(text) ? [`${path}:${line}: ${text}`] : [],
    ),
  )
  expect(sources.length).toBeGreaterThan(150)
  expect(found).toEqual([])
})

const OTHER_MEANINGS: readonly (readonly [path: RegExp, word: string, meaning: string])[] = [
  [
    /^(lib|testing)\/upstream\//,
    'upstream',
    'the room that asks the service; `upstream_…` of the API',
  ],
  [/^lib\/archive\/engine\/duckdb-engine\.ts$/, 'snapshot', 'what one transaction sees'],
]

const EXPORTED =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:const|function\*?|class|type) (\w+)/gm

const toWords = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replace(/[^A-Za-z0-9]+/g, ' ')
    .toLowerCase()

function selectNames(path: string): string[] {
  const exported = readFileSync(path, 'utf8').matchAll(EXPORTED)
  return [path, ...Array.from(exported, ([, name = '']) => name)]
}

it('no file and nothing that a file exports is named by a word that the glossary rules out', () => {
  const all = new RegExp(word, 'gi')
  const used = new Set<string>()
  const files = ROOMS.flatMap((room) =>
    readdirSync(room, { recursive: true, encoding: 'utf8' })
      .map((name) => join(room, name))
      .filter((path) => /\.(tsx?|mjs)$/.test(path)),
  )
  const found = files.flatMap((path) =>
    selectNames(path).flatMap((name) =>
      (toWords(name).match(all) ?? []).flatMap((ruledOut) => {
        const other = OTHER_MEANINGS.find(([at, one]) => one === ruledOut && at.test(path))
        if (other) used.add(other.join())
        return other ? [] : [`${path}: ${name}`]
      }),
    ),
  )
  expect(files.length).toBeGreaterThan(800)
  expect(found).toEqual([])
  expect(used.size, 'an exception that nothing needs any more').toBe(OTHER_MEANINGS.length)
})
