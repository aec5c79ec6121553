import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOMS } from './texts.ts'

const EXPORTED =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|type|interface) (\w+)/gm

it('every export of the product is used in a different file', () => {
  const inRooms = ROOMS.flatMap((room) =>
    readdirSync(room, { recursive: true, encoding: 'utf8' }).map((name) => join(room, name)),
  )
  const sources = [...readdirSync('.'), ...inRooms].filter((path) => /\.(tsx?|m[jt]s)$/.test(path))
  const texts = sources.map((path) => ({ path, text: readFileSync(path, 'utf8') }))
  const users = new Map<string, number>()
  for (const { text } of texts) {
    for (const word of new Set(text.match(/[A-Za-z_$][\w$]*/g))) {
      users.set(word, (users.get(word) ?? 0) + 1)
    }
  }
  const product = texts.filter(({ path }) => /^(components|lib|scripts)\//.test(path))
  const dead = product.flatMap(({ path, text }) =>
    Array.from(text.matchAll(EXPORTED), ([, name = '']) => name)
      .filter((name) => users.get(name) === 1)
      .map((name) => `${path}: ${name}`),
  )
  expect(product.length).toBeGreaterThan(1000)
  expect(dead).toEqual([])
})
